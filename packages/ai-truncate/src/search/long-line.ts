import { codePointStart } from '../text/utf.ts';
import type { SearchPattern } from './pattern.ts';

/** The part of a line that is searched. */
export interface LinePart {
  text: string;
  /** Where the line starts; -1 when that is before the text. */
  start: number;
  /** A match starts at `from` or behind it … */
  from: number;
  /** … and before `to`, or at the very end of the line. */
  to: number;
  /** Where the line ends; where the text ends, if the line goes on. */
  end: number;
  isEnded: boolean;
}

/** Stands where a line goes on, so that `$` does not hold there. No text has it, and no class but a negated one. */
const GOES_ON = '\uffff';

/**
 * The first match in a line that is longer than one step may search: window by window, each a quarter over the one before.
 * What is not found: a match that needs more than a window, and one of more than a quarter of a window that lies across two.
 * `^` and `$` hold at the true ends of the line only. Yields before every step.
 */
export function* findInLongLine(pattern: SearchPattern, part: LinePart): Generator<void, number | undefined> {
  const { text, start: lineStart, to, end, isEnded } = part;
  let at = part.from;
  while (at < to || (at === part.from && at === end && isEnded)) {
    yield;
    const windowEnd = isLastWindow(at) ? end : codePointStart(text, at + pattern.window);
    const match = findInWindow(at, windowEnd);
    const next = codePointStart(text, windowEnd - (pattern.window >> 2));
    if (match === undefined || match.start >= windowEnd) {
      if (isEnded && windowEnd === end) return match && isWanted(match.start) ? match.start : undefined;
      at = next;
    } else if (match.end < windowEnd || (isEnded && windowEnd === end) || match.start === at) {
      return isWanted(match.start) ? match.start : undefined;
    } else {
      // It may have been cut off by the end of the window, or be one only because of it: looked at again with all behind it.
      at = match.start;
    }
  }
  return undefined;

  function isLastWindow(start: number): boolean {
    return end - start <= pattern.window;
  }

  function isWanted(start: number): boolean {
    return start < to || (isEnded && start === end);
  }

  function findInWindow(start: number, windowEnd: number): { start: number; end: number } | undefined {
    // What stands before decides about `^` and `\b`.
    const windowStart = start === lineStart ? start : codePointStart(text, Math.max(0, start - 1));
    const isCut = !isEnded || windowEnd < end;
    const window = text.slice(windowStart, windowEnd) + (isCut ? GOES_ON : '');
    if (!pattern.test(window)) return undefined;
    const match = pattern.find(window, start - windowStart);
    return match && { start: match.start + windowStart, end: match.end + windowStart };
  }
}
