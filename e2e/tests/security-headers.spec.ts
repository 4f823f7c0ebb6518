import type { APIResponse } from '@playwright/test';
import { expect, test } from './viewer-page.ts';

const ofAll = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};
const ofPages = {
  ...ofAll,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};
const missing = '00000000-0000-4000-8000-000000000000';

for (const [path, status] of [
  ['/', 200],
  [`/c/${missing}`, 404],
  ['/nowhere', 404],
] as const) {
  test(`the page ${path} runs no script without its nonce, which changes with each request`, async ({ request }) => {
    const [first, second] = [await request.get(path), await request.get(path)];
    expect(first.status()).toBe(status);
    const policy = await policyOf(first);
    expect(policy).not.toBe(second.headers()['content-security-policy']);
  });
}

test('the page of an output is as strict, whatever the output says, and no cache may store it', async ({
  demo,
  context,
}) => {
  await demo.enter(context);
  const lines = [
    '</script><script>alert(1)</script>',
    '<!--<script>',
    '</noscript><img src=x onerror=alert(2)>',
    '\u2028',
  ];
  const response = await context.request.get(await demo.keep(lines.join('\n')));
  expect(response.status()).toBe(200);
  await policyOf(response);
  expect(response.headers()['cache-control']).toMatch(/no-store/);
  const html = await response.text();
  expect(html).not.toContain('<script>alert(1)');
  expect(html).not.toContain('<img src=x');
});

/** The policy of a page, after a look at its other headers and at every script in it. */
async function policyOf(response: APIResponse): Promise<string> {
  expect(response.headers()).toMatchObject(ofPages);
  const policy = response.headers()['content-security-policy'] ?? '';
  expect(policy).toMatch(/^default-src 'self'; script-src 'self' 'nonce-[\w-]{36}' 'strict-dynamic'; /);
  expect(policy).toContain("object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'");
  const nonce = /'nonce-([\w-]+)'/.exec(policy)?.[1];
  const scripts = (await response.text()).match(/<script\b[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(3);
  expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
  return policy;
}

for (const path of [
  '/icon.svgx',
  '/icon.svg/x',
  '/icon-svg',
  '/_next/imagex',
  '/_next/image/x',
  '/_next/nowhere',
  '/_next/static/nowhere.js',
  '/_next/static',
  '/apix',
  '/api',
  '/api/nowhere',
  '/api/artifacts',
]) {
  test(`the answer to ${path} has a policy if it is HTML`, async ({ request }) => {
    const response = await request.get(path);
    const { 'content-type': type = '', 'content-security-policy': policy } = response.headers();
    expect(response.status()).toBeGreaterThanOrEqual(400);
    if (type.startsWith('text/html')) expect(policy).toMatch(/^default-src '(self|none)'/);
  });
}

for (const path of [
  '/%',
  '/%c0',
  '/c/%c0',
  '/a/%e0%a4',
  '/api/artifacts/%c0',
  '/api/artifacts/a/%',
  '/api/chats/%c0',
]) {
  test(`${path} cannot be decoded, so it is a bad request`, async ({ request }) => {
    const response = await request.get(path);
    expect(response.status()).toBe(400);
    expect(response.headers()['content-type']).toBe('application/json');
    expect(await response.json()).toMatchObject({ error: { code: 'bad_request' } });
  });
}

test('an encoded name of a route reaches the route', async ({ request }) => {
  const response = await request.get('/api/chats/%61bc');
  expect(response.status()).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'unknown_chat' } });
});

test('the icon is an image that loads nothing', async ({ request }) => {
  const response = await request.get('/icon.svg');
  expect(response.headers()).toMatchObject({ ...ofAll, 'content-type': 'image/svg+xml' });
  expect(response.headers()['content-security-policy']).toMatch(/^default-src 'none'/);
});

for (const [what, method, path, status] of [
  ['a chat that is not there', 'GET', `/api/chats/${missing}`, 404],
  ['the deletion of one', 'DELETE', `/api/chats/${missing}`, 404],
  ['a request that is none', 'POST', '/api/chat', 400],
  ['a method that is not known', 'PUT', '/api/chat', 405],
  ['a sweep that nobody may ask for', 'GET', '/api/sweep', 404],
] as const) {
  test(`the answer to ${what} can neither load nor run anything`, async ({ request }) => {
    const response = await request.fetch(path, { method });
    expect(response.status()).toBe(status);
    expect(response.headers()).toMatchObject({
      ...ofPages,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    });
    expect(response.headers()['access-control-allow-origin']).toBeUndefined();
  });
}

test('a missing artifact has the headers of the artifact route, each once', async ({ request }) => {
  const response = await request.get(`/api/artifacts/nothing/raw?chat=${missing}`);
  expect(response.status()).toBe(404);
  const { headers } = {
    headers: response
      .headersArray()
      .map(({ name, value }) => [name.toLowerCase(), value] as const)
      .filter(([name]) => name.startsWith('x-') || name.startsWith('c') || name.startsWith('r')),
  };
  expect(new Set(headers.map(([name]) => name)).size).toBe(headers.length);
  expect(Object.fromEntries(headers)).toMatchObject({ ...ofAll, 'referrer-policy': 'no-referrer' });
  expect(Object.fromEntries(headers)['content-security-policy']).toMatch(/^default-src 'none'; sandbox/);
});
