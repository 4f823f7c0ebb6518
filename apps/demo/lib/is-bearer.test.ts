import { expect, test } from 'vitest';
import { isBearer } from './is-bearer';

const secret = 's'.repeat(32);
const request = (authorization?: string) =>
  new Request('http://localhost/api/sweep', { headers: authorization === undefined ? {} : { authorization } });

test('a request with the secret is accepted', () => {
  expect(isBearer(request(`Bearer ${secret}`), secret)).toBe(true);
});

test.each([
  ['nothing', undefined],
  ['an empty token', 'Bearer '],
  ['the start of the secret', `Bearer ${secret.slice(1)}`],
  ['more than the secret', `Bearer ${secret}s`],
  ['another scheme', `Basic ${secret}`],
])('%s is refused', (_, authorization) => {
  expect(isBearer(request(authorization), secret)).toBe(false);
});

test('without a secret every request is refused, even one with the text "undefined"', () => {
  for (const authorization of [undefined, 'Bearer ', 'Bearer undefined', '']) {
    expect(isBearer(request(authorization), undefined)).toBe(false);
  }
});
