/** Every row has this height, in CSS pixels: where a line is can then be computed, and 24 is large enough to be touched. */
export const rowHeight = 24;

/**
 * The height of the tallest element that is ever made. Browsers cap it without a word, the higher the resolution the lower:
 * Chromium at 33.5 million device pixels, Firefox shows nothing at all above 17.9 million.
 */
export const maxElementHeight = 5_000_000;

/**
 * So near to both ends a pixel of the scrollbar is a pixel of lines in every output: a finger moves by pixels, and with less
 * way before it than lines it could never reach the first or the last.
 */
export const unscaledHeight = 100_000;

/** How far down the lines are is `offset`, in pixels as if there were no cap; how far the browser has scrolled is `scroll`. */
export interface LineGeometry {
  elementHeight: number;
  /** Whether a pixel of the scrollbar stands for more than a pixel of lines, but near the ends. */
  isScaled: boolean;
  maxOffset: number;
  clampOffset(offset: number): number;
  toScroll(offset: number): number;
  toOffset(scroll: number): number;
  /** The offset that shows a line a third down the view: what comes before it belongs to it. */
  offsetOfLine(line: number): number;
}

/** Maps millions of lines to an element that browsers can show. */
export function lineGeometry({ lines, viewHeight }: { lines: number; viewHeight: number }): LineGeometry {
  const height = lines * rowHeight;
  const elementHeight = Math.min(height, maxElementHeight);
  const maxOffset = Math.max(0, height - viewHeight);
  const maxScroll = Math.max(0, elementHeight - viewHeight);
  const clampOffset = (offset: number) => Math.max(0, Math.min(maxOffset, offset));
  return {
    elementHeight,
    isScaled: height > maxElementHeight,
    maxOffset,
    clampOffset,
    toScroll: (offset) => placeIn(maxScroll, { place: clampOffset(offset), of: maxOffset }),
    toOffset: (scroll) => clampOffset(placeIn(maxOffset, { place: scroll, of: maxScroll })),
    offsetOfLine: (line) => clampOffset(Math.round((line - 1) * rowHeight - viewHeight / 3)),
  };
}

/** A place on one way as one on another: as far from both ends where it is near to one, and by its share of what is between. */
function placeIn(length: number, { place, of }: { place: number; of: number }): number {
  const left = of - place;
  if (place <= unscaledHeight) return place;
  if (left <= unscaledHeight) return length - left;
  return unscaledHeight + ((place - unscaledHeight) * (length - 2 * unscaledHeight)) / (of - 2 * unscaledHeight);
}
