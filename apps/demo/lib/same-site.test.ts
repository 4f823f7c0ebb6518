import { expect, test } from 'vitest';
import { requireSameSite } from './same-site';

const host = 'demo.example';

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'same-origin', origin: `https://${host}` },
  { 'sec-fetch-site': 'none' },
  { origin: `https://${host}` },
  {},
])('a request from the demo itself, or without a browser, passes: %o', (headers) => {
  expect(() => requireSameSite({ headers: new Headers({ host, ...headers }) })).not.toThrow();
});

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: `https://other.${host}` },
  { origin: 'https://evil.example' },
  { origin: `https://${host}:8080` },
  { origin: 'null' },
])('a request from another site is refused: %o', (headers) => {
  expect(() => requireSameSite({ headers: new Headers({ host, ...headers }) })).toThrow(
    'This request comes from another site.',
  );
});
