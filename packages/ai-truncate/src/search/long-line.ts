import type { SearchPattern } from '../text/pattern.ts';
import { codePointStart } from '../text/utf.ts';

/** The part of a line to search. */
export interface LinePart {
  text: string;
  /** The start of the line; -1 if it is before the text. */
  start: number;
  /** A match starts at `from` or after it … */
  from: number;
  /** … and before `to`, or at the very end of the line. */
  to: number;
  /** The end of the line, or of the text if the line continues. */
  end: number;
  isEnded: boolean;
}

/** Marks that a line continues, so that `$` does not match there. No text contains it, and only a negated class matches it. */
const GOES_ON = '\uffff';

/**
 * The first match in a line that is longer than one step may search: window by window, which overlap by a quarter. It does not
 * find matches longer than a window, or matches of more than a quarter of a window that cross its end. `^` and `$` match at the
 * true ends of the line only. Yields before each step the characters that the step searches.
 */
export function* findInLongLine(pattern: SearchPattern, part: LinePart): Generator<number, number | undefined> {
  const { text, start: lineStart, to, end, isEnded } = part;
  let at = part.from;
  while (at < to || (at === part.from && at === end && isEnded)) {
    const windowEnd = isLastWindow(at) ? end : codePointStart(text, at + pattern.window);
    yield windowEnd - at;
    const match = findInWindow(at, windowEnd);
    const next = codePointStart(text, windowEnd - (pattern.window >> 2));
    if (match === undefined || match.start >= windowEnd) {
      if (isEnded && windowEnd === end) return match && isWanted(match.start) ? match.start : undefined;
      // The end of an incomplete line is searched together with the text after it.
      if (next <= at) return undefined;
      at = next;
    } else if (match.end < windowEnd || (isEnded && windowEnd === end) || match.start === at) {
      return isWanted(match.start) ? match.start : undefined;
    } else {
      // The end of the window may have shortened the match, or caused it, so search again from its start, with all following
      // text.
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
    // The character before the window determines whether `^` and `\b` match.
    const windowStart = start === lineStart ? start : codePointStart(text, Math.max(0, start - 1));
    const isCut = !isEnded || windowEnd < end;
    const window = text.slice(windowStart, windowEnd) + (isCut ? GOES_ON : '');
    if (!pattern.test(window)) return undefined;
    const match = pattern.find(window, start - windowStart);
    return match && { start: match.start + windowStart, end: match.end + windowStart };
  }
}
