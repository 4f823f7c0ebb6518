import { expect, test } from 'vitest';
import { contentSecurityPolicy } from './content-security-policy';

const directivesOf = (policy: string) =>
  Object.fromEntries(policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]));

test('a page loads files of this site only, runs scripts with its nonce only, and cannot be framed', () => {
  const policy = contentSecurityPolicy('word', { isDevelopment: false, isEncrypted: false });
  expect(directivesOf(policy)).toEqual({
    'default-src': ["'self'"],
    'script-src': ["'self'", "'nonce-word'", "'strict-dynamic'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  });
});

test('scripts may evaluate text in development only, and requests are upgraded to TLS only on pages over TLS', () => {
  const policyFor = (options: Parameters<typeof contentSecurityPolicy>[1]) =>
    directivesOf(contentSecurityPolicy('word', options));
  expect(policyFor({ isDevelopment: true, isEncrypted: false })['script-src']).toContain("'unsafe-eval'");
  expect(policyFor({ isDevelopment: false, isEncrypted: true })).toMatchObject({ 'upgrade-insecure-requests': [] });
});
