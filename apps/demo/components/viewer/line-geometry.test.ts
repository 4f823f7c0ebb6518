import { expect, test } from 'vitest';
import { lineGeometry, maxElementHeight, rowHeight, unscaledHeight } from './line-geometry';

const viewHeight = 600;

test('five million lines fit into an element that every browser can show, and the last line can be reached', () => {
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

test('below the largest height a pixel of the scrollbar is a pixel of the lines', () => {
  const { isScaled, toOffset } = lineGeometry({ lines: 1000, viewHeight });
  expect(isScaled).toBe(false);
  expect(toOffset(1234)).toBe(1234);
});

test.each([1000, 208_334, 5_000_001])(
  'of %d lines every place has one of its own in the scrollbar, in order',
  (lines) => {
    const { toScroll, toOffset, maxOffset } = lineGeometry({ lines, viewHeight });
    const offsets = Array.from({ length: 10_001 }, (_, index) => (maxOffset * index) / 10_000);
    const scrolls = offsets.map(toScroll);
    expect(scrolls).toEqual(scrolls.toSorted((one, other) => one - other));
    for (const [index, scroll] of scrolls.entries())
      expect(toOffset(scroll)).toBeCloseTo(offsets[index] ?? Number.NaN, 3);
  },
);

test('near both ends a pixel of the scrollbar is a pixel of the lines, whatever the height of the output', () => {
  const { toScroll, maxOffset, elementHeight } = lineGeometry({ lines: 5_000_001, viewHeight });
  const maxScroll = elementHeight - viewHeight;
  for (const pixels of [1, 240, unscaledHeight]) {
    expect(toScroll(pixels)).toBe(pixels);
    expect(toScroll(maxOffset - pixels)).toBe(maxScroll - pixels);
  }
  expect(toScroll(unscaledHeight + 240) - unscaledHeight).toBeLessThan(24);
});

test('a jump puts its line a third down the view, except near both ends', () => {
  const { offsetOfLine, maxOffset } = lineGeometry({ lines: 1_000_000, viewHeight });
  expect(offsetOfLine(500_000)).toBe(499_999 * rowHeight - 200);
  expect(offsetOfLine(1)).toBe(0);
  expect(offsetOfLine(1_000_000)).toBe(maxOffset);
  expect(offsetOfLine(9_999_999)).toBe(maxOffset);
});
