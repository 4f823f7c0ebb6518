import { expect, test } from 'vitest';
import { lineGeometry, maxElementHeight, rowHeight } from './line-geometry';

const viewHeight = 600;

test('five million lines fit into an element that every browser can show, and the last one is reached', () => {
  const geometry = lineGeometry({ lines: 5_000_001, viewHeight });
  expect(geometry.elementHeight).toBe(maxElementHeight);
  expect(geometry.toOffset(maxElementHeight - viewHeight)).toBeCloseTo(5_000_001 * rowHeight - viewHeight, 3);
});

test.each([0, 1, 20, 25, 208_333, 208_334, 5_000_001])('of %d lines the ends are the ends', (lines) => {
  const { toScroll, toOffset, maxOffset, elementHeight } = lineGeometry({ lines, viewHeight });
  expect(toScroll(0)).toBe(0);
  expect(toOffset(0)).toBe(0);
  expect(toScroll(maxOffset)).toBeCloseTo(Math.max(0, elementHeight - viewHeight), 6);
  expect(toScroll(-1)).toBe(0);
});

test('below the cap a pixel is a pixel', () => {
  const { isScaled, toOffset } = lineGeometry({ lines: 1000, viewHeight });
  expect(isScaled).toBe(false);
  expect(toOffset(1234)).toBe(1234);
});

test('a line that is gone to stands a third down the view, the first and the last where they can', () => {
  const { offsetOfLine, maxOffset } = lineGeometry({ lines: 1_000_000, viewHeight });
  expect(offsetOfLine(500_000)).toBe(499_999 * rowHeight - 200);
  expect(offsetOfLine(1)).toBe(0);
  expect(offsetOfLine(1_000_000)).toBe(maxOffset);
  expect(offsetOfLine(9_999_999)).toBe(maxOffset);
});
