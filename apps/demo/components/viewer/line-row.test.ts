import { expect, test } from 'vitest';
import { levelClassName } from './line-row';

test.each([
  ['2026-11-18T00:03:36.120Z ERROR checkout-2 order 48215 was not charged', 'text-failure'],
  [' FAIL  shipping > IE', 'text-failure'],
  ['09:41 WARN  volume /data is 100% full', 'text-warning'],
  ['2026-11-18T00:03:36.120Z INFO  checkout-2 GET /cart 200', undefined],
  ['"errors": 0, "terror": "no level"', undefined],
  [`${' '.repeat(200)} ERROR far behind the start`, undefined],
])('the level of %s', (text, className) => {
  expect(levelClassName(text)).toBe(className);
});
