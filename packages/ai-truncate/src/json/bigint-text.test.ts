import { expect, test } from 'vitest';
import { bigIntText } from './bigint-text.ts';

const limit = 2n ** 300_000n;

test('a BigInt is its digits', () => {
  expect(bigIntText(0n)).toBe('0');
  expect(bigIntText(-12345678901234567890n)).toBe('-12345678901234567890');
  expect(bigIntText(limit - 1n)).toHaveLength(90_309);
  expect(bigIntText(1n - limit)).toHaveLength(90_310);
});

test('a BigInt that would take long to write is the number of its digits', () => {
  expect(bigIntText(limit)).toBe('[BigInt of about 90,309 digits]');
  expect(bigIntText(-limit)).toBe('[BigInt of about 90,309 digits]');
  expect(bigIntText(2n ** 20_000_000n)).toBe('[BigInt of about 6,020,600 digits]');
  expect(bigIntText(-(2n ** 20_000_000n))).toBe('[BigInt of about 6,020,600 digits]');
});

test('the digits of the largest BigInt are counted at once', () => {
  const largest = 2n ** 1_000_000_000n;
  const start = performance.now();
  expect(bigIntText(largest)).toBe('[BigInt of about 301,029,996 digits]');
  // Some 50 ms, and most of an hour when it is written; the bound leaves room for a busy machine.
  expect(performance.now() - start).toBeLessThan(1_000);
});
