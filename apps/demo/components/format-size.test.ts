import { expect, test } from 'vitest';
import { formatBytes, formatCount, formatTokens } from './format-size';

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [2148, '2.1 KB'],
  [12_288, '12 KB'],
  [1_048_000, '1.0 MB'],
  [41_943_040, '40.0 MB'],
  [2_147_483_648, '2.0 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [12, '12'],
  [999, '999'],
  [3100, '3.1k'],
  [200_000, '200k'],
  [999_900, '1M'],
  [10_485_760, '10.5M'],
])('%i tokens are %s', (tokens, text) => {
  expect(formatTokens(tokens)).toBe(text);
});

test.each([
  [0, '0'],
  [999, '999'],
  [20_000, '20,000'],
  [5_000_000, '5,000,000'],
])('%i is written with separators', (count, text) => {
  expect(formatCount(count)).toBe(text);
});
