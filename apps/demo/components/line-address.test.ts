import { expect, test } from 'vitest';
import { formatLineAddress, parseLineAddress } from './line-address';

test.each([
  ['#L120-L140', { from: 120, to: 140 }],
  ['#L7', { from: 7, to: 7 }],
  ['#L9-L8', { from: 8, to: 9 }],
  ['#L1C52000', { from: 1, to: 1, character: 52000 }],
  ['#L3&quote=a%20%26%20b', { from: 3, to: 3, quote: 'a & b' }],
  ['#L3&quote=%E0%A4%A', { from: 3, to: 3 }],
  ['#L0', undefined],
  ['#L1; drop', undefined],
  ['#top', undefined],
  ['', undefined],
])('%s is the address %o', (hash, address) => {
  expect(parseLineAddress(hash)).toEqual(address);
});

test.each([
  { from: 120, to: 140 },
  { from: 7, to: 7 },
  { from: 1, to: 1, character: 52000 },
  { from: 3, to: 4, quote: 'status=500 & #L9 "ž"' },
])('the address %o survives its hash', (address) => {
  expect(parseLineAddress(formatLineAddress(address))).toEqual(address);
});

test('an endless quote is cut, never inside a code point', () => {
  const hash = formatLineAddress({ from: 1, to: 1, quote: `${'a'.repeat(399)}😀${'b'.repeat(1_000_000)}` });
  expect(parseLineAddress(hash)?.quote).toBe('a'.repeat(399));
});
