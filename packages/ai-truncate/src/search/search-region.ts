import { now } from '../deadlines.ts';
import type { SearchPattern } from '../text/pattern.ts';
import { codePointStart } from '../text/utf.ts';
import { escapeSequencesIn, withoutEscapeSequences } from '../text/visible-text.ts';
import type { Region } from '../windows/text-regions.ts';
import { findInLongLine } from './long-line.ts';

/** A matching line. In a line with more than 4,096 characters, a matching stretch of 200 characters. */
export interface Hit {
  /** The start of the line in the text of the region; -1 if it is before the text. */
  start: number;
  /** The end of the line, without its line break, or the end of the text if the line continues. */
  end: number;
  isEnded: boolean;
  /** The start of the match; absent if it is not wanted. */
  at?: number;
}

interface Line extends Hit {
  /** The start of the next line. */
  next: number;
}

export interface RegionSearch {
  pattern: SearchPattern;
  /** How many characters of a line that started before the region are already searched. */
  skip: number;
  onHit(hit: Hit): void;
  /** Whether a hit in a line of this length needs the place of the match. */
  wantsPlace(lineLength: number): boolean;
}

/** Up to this length a line is one match, however often it contains the pattern. */
const LONG_LINE = 4096;
/** One match of a longer line represents this many characters. The next match is searched after them. */
export const STRETCH = 200;

/** The start of a sequence that colors text or moves the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: each of these control characters starts a sequence.
const ESCAPE = /[\x1b\x90\x98\x9b\x9d-\x9f]/;

/**
 * Finds the lines of a region that match, as stored or as shown, because a color code before a word must not hide it.
 * Lines with more than 4,096 characters are searched as they are stored. Yields the place that the search has reached, at the
 * latest before a step that would make a turn too long. Returns how many characters are searched after the end of the region.
 *
 * Most lines do not match. So the search first looks for a text that each match must have, then tests many lines at once. When
 * they match, it tests half of them, until one line is left.
 */
export function* searchRegion(
  region: Region,
  { pattern, skip, onHit, wantsPlace }: RegionSearch,
): Generator<number, number> {
  const { text, to, isLast } = region;
  const { testLines, window } = pattern;
  const isColoured = ESCAPE.test(text);
  const hasReturns = text.includes('\r');
  // In a line that continues after the region, the required text may follow there.
  const isWhole = to === text.length;
  const sought = pattern.literals ?? (isWhole ? pattern.required : undefined);
  if (sought && isColoured && ![text, withoutEscapeSequences(text)].some(sought.isIn)) return 0;
  const literals = isColoured ? undefined : sought;
  const isExact = literals !== undefined && literals === pattern.literals;
  const meter = createMeter(window);
  let index = region.from;

  if (region.character > 0) {
    const line = lineAt(-1, index);
    const searched = yield* searchStretches(line, index + skip);
    if (!line.isEnded) return searched;
    index = line.next;
  }

  /** Characters between the last two hits, which predict the distance of the next one. */
  let gap = literals ? 0 : window * TESTS_OF_GAP;
  let hitEnd = index;
  /** The lines from `index` to here match when they are tested together. */
  let matchEnd = 0;
  while (index < to || (isLast && index === to)) {
    let found = index;
    if (literals && isWhole) {
      found = literals.findEnd(text, index) - 1;
      if (found < 0) return 0;
      const start = text.lastIndexOf('\n', found) + 1;
      if (start > index) {
        index = start;
        hitEnd = start;
        gap = 0;
      }
    }
    const line = lineAt(index, found);
    if (!line.isEnded) return yield* searchStretches(line, index);
    const length = line.end - index;
    if (length > LONG_LINE) {
      yield* searchStretches(line, index);
      index = line.next;
      continue;
    }
    const end = isExact || length > window ? -1 : endOfLines(index, length);
    const isOne = end < line.next;
    if (meter.isDue(isOne ? length : end - index)) yield index;
    if (isOne) {
      const isHit = isExact || (length <= window && matches(line));
      if (length > window || (isHit && wantsPlace(length))) yield* searchLine(line);
      else if (isHit) onHit({ start: index, end: line.end, isEnded: true });
      // Lines can match together although none matches alone. That counts like a hit, so that it does not happen at each line.
      const endsGap = isHit || (index < matchEnd && line.next > matchEnd);
      if (endsGap) gap = index - hitEnd;
      index = line.next;
      if (endsGap) {
        hitEnd = index;
        matchEnd = 0;
      }
    } else if (mayMatch(text.slice(index, end))) {
      matchEnd = end;
    } else index = end + 1;
  }
  return 0;

  function lineAt(start: number, from: number): Line {
    const newline = text.indexOf('\n', from);
    const isEnded = newline !== -1 || isLast;
    const next = (newline === -1 ? text.length : newline) + 1;
    const hasReturn = isEnded && next - 1 > Math.max(start, region.from) && text[next - 2] === '\r';
    return { start, end: hasReturn ? next - 2 : next - 1, isEnded, next };
  }

  /** The end of the lines that are tested together; before the end of the first line if that line is tested alone. */
  function endOfLines(start: number, length: number): number {
    const wanted = Math.max(gap, start - hitEnd) / TESTS_OF_GAP;
    if (!testLines || (start >= matchEnd && wanted < FEWEST_LINES * length)) return -1;
    const limit = start + (matchEnd > start ? (matchEnd - start) >> 1 : Math.min(wanted, window));
    return isLast && limit >= text.length ? text.length : text.lastIndexOf('\n', Math.min(limit, to - 1));
  }

  function mayMatch(stored: string): boolean {
    if (testLines?.(withoutReturns(stored))) return true;
    return isColoured && ESCAPE.test(stored) && testLines?.(withoutReturns(withoutEscapeSequences(stored))) === true;
  }

  function withoutReturns(lines: string): string {
    return hasReturns ? lines.replace(LINE_RETURNS, '') : lines;
  }

  function matches({ start, end, next }: Line): boolean {
    if (pattern.test(text.slice(start, end))) return true;
    if (!isColoured) return false;
    // Includes the carriage return, because an escape sequence may follow it.
    const stored = text.slice(start, next - 1);
    return ESCAPE.test(stored) && pattern.test(withoutEscapeSequences(stored).replace(LAST_RETURN, ''));
  }

  /** Searches a line that is longer than one step may search, or in which the place of the match is wanted. */
  function* searchLine({ start, end, next }: Line): Generator<number, void> {
    const hit = { start, end, isEnded: true };
    const at = (yield* findInLine(hit, { from: start, to: end })) ?? (yield* findInShown({ ...hit, next }));
    if (at !== undefined) onHit({ ...hit, at });
  }

  function* findInShown({ start, next }: Line): Generator<number, number | undefined> {
    const shown = isColoured ? shownLine(text.slice(start, next - 1)) : undefined;
    if (!shown) return undefined;
    const line = shown.text.replace(LAST_RETURN, '');
    const { length } = line;
    const whole = { text: line, start: 0, from: 0, to: length, end: length, isEnded: true };
    const found = yield* meter.paced(findInLongLine(pattern, whole), start);
    return found === undefined ? undefined : start + shown.toStored(found);
  }

  /** Finds one match after another. Returns how far after the region the last match reaches. */
  function* searchStretches(line: Hit, from: number): Generator<number, number> {
    const limit = line.isEnded ? line.end : to;
    let at = from;
    while (at < limit || (at === from && at === limit && line.isEnded)) {
      const found = yield* findInLine(line, { from: at, to: limit });
      if (found === undefined) return 0;
      onHit({ start: line.start, end: line.end, isEnded: line.isEnded, at: found });
      at = codePointStart(text, found + STRETCH);
    }
    return Math.max(0, at - to);
  }

  function* findInLine(
    line: Hit,
    { from, to: limit }: { from: number; to: number },
  ): Generator<number, number | undefined> {
    if (!isExact) return yield* meter.paced(findInLongLine(pattern, { ...line, text, from, to: limit }), from);
    if (meter.isDue(STRETCH)) yield from;
    const found = literals.find(text, from)?.start ?? limit;
    return found < limit ? found : undefined;
  }
}

/** Lines are tested together up to an eighth of the gap between two hits, because lines that match are tested several times. */
const TESTS_OF_GAP = 8;
/** Testing fewer lines together takes as long as testing each of them. */
const FEWEST_LINES = 4;

const LINE_RETURNS = /\r(?=\n|$)/g;
const LAST_RETURN = /\r$/;

/** A step ends after this time, or after so many windows, because the clocks of Cloudflare Workers do not always run. */
const STEP_MS = 1;
const WINDOWS_OF_STEP = 16;
/** The cost of a test in characters, in addition to the tested ones. */
const TEST_COST = 16;

/** Decides when a search lets others work. */
interface Meter {
  /** Whether the search pauses before it searches this many characters. */
  isDue(characters: number): boolean;
  /** The same steps, with a yield of the place before each step that is due. */
  paced<Found>(steps: Generator<number, Found>, place: number): Generator<number, Found>;
}

function createMeter(window: number): Meter {
  let cost = 0;
  let unwatched = 0;
  let startedAt = now();
  return {
    isDue(characters) {
      unwatched += characters + TEST_COST;
      if (unwatched <= window) return false;
      cost += unwatched;
      unwatched = 0;
      if (cost <= WINDOWS_OF_STEP * window && now() - startedAt <= STEP_MS) return false;
      cost = 0;
      startedAt = now();
      return true;
    },
    *paced(steps, place) {
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return step.value;
        if (this.isDue(step.value)) yield place;
      }
    },
  };
}

/** A line as people and models see it: without the sequences that color it or move the cursor. */
export interface ShownLine {
  text: string;
  /** The place in the stored line of the character at this index of the text. */
  toStored(index: number): number;
}

/** Returns `undefined` for a line that is shown as it is stored. */
export function shownLine(line: string): ShownLine | undefined {
  const sequences = escapeSequencesIn(line);
  if (sequences.length === 0) return undefined;
  return {
    text: withoutEscapeSequences(line),
    toStored(index) {
      let hidden = 0;
      for (const { start, end } of sequences) {
        if (start - hidden > index) break;
        hidden += end - start;
      }
      return index + hidden;
    },
  };
}

/** Whether it is searched, shown and continued in stretches. */
export function isLongLine({ start, end, isEnded }: Hit): boolean {
  return start < 0 || !isEnded || end - start > LONG_LINE;
}
