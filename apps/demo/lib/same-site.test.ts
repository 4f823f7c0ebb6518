import { expect, test } from 'vitest';
import { requireSameSite } from './same-site';

const host = 'demo.example';

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'same-origin', origin: `https://${host}` },
  { 'sec-fetch-site': 'none' },
  { origin: `https://${host}` },
  {},
])('a request of our own pages, or of no browser, passes: %o', (headers) => {
  expect(() => requireSameSite({ headers: new Headers({ host, ...headers }) })).not.toThrow();
});

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: `https://other.${host}` },
  { origin: 'https://evil.example' },
  { origin: `https://${host}:8080` },
  { origin: 'null' },
])('one of any other page is refused: %o', (headers) => {
  expect(() => requireSameSite({ headers: new Headers({ host, ...headers }) })).toThrow(
    'This request comes from another site.',
  );
});
