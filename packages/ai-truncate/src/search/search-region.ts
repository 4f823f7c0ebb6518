import { codePointStart } from '../text/utf.ts';
import { escapeSequencesIn, withoutEscapeSequences } from '../text/visible-text.ts';
import type { Region } from '../windows/text-regions.ts';
import { createLiteralFinder, literalTester, type SearchPattern } from './pattern.ts';

/** A line that matches; of a line with more than 4,096 characters a stretch of 200. */
export interface Hit {
  /** Where the line starts in the text of the region; -1 when that is before it. */
  start: number;
  /** Where it ends, without its line break; where the text ends, if the line goes on. */
  end: number;
  isEnded: boolean;
  /** Where the match starts; not there when nobody asked. */
  at?: number;
}

export interface RegionSearch {
  pattern: SearchPattern;
  /** So many characters of a line that began before the region were looked at already. */
  skip: number;
  onHit(hit: Hit): void;
  /** Whether a hit in a line of this length has to tell where the match is. */
  wantsPlace(lineLength: number): boolean;
}

/** Up to here a line is one match, however often the pattern is in it. */
const LONG_LINE = 4096;
/** What one match of a longer line stands for: the next one is looked for behind it. */
export const STRETCH = 200;
/** What testing a line costs beyond its characters. */
const LINE_COST = 16;

/** The start of a sequence that colours text or moves the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: each of these control characters begins a sequence.
const ESCAPE = /[\x1b\x90\x98\x9b\x9d-\x9f]/;

/**
 * Finds the lines of a region that match, as they are stored or as they are shown: a colour before a word must not hide it.
 * Of lines with more than 4,096 characters only what is stored is searched. Yields where it has come to before every step that
 * takes its time, and gives how much of the line that goes on in the next region was looked at already.
 */
export function* searchRegion(
  region: Region,
  { pattern, skip, onHit, wantsPlace }: RegionSearch,
): Generator<number, number> {
  const { text, to, isLast } = region;
  const isColoured = ESCAPE.test(text);
  // Of a line that goes on behind the region, what it needs may stand there.
  const sought = pattern.literals ?? (to === text.length ? pattern.required : undefined);
  if (sought && isColoured && ![text, withoutEscapeSequences(text)].some(literalTester(sought))) return 0;
  const nextStored = sought && !isColoured ? createLiteralFinder(text, sought) : undefined;
  let cost = 0;
  let index = region.from;

  if (region.character > 0) {
    const line = lineAt(-1, index);
    const looked = yield* searchStretches(line, index + skip);
    if (!line.isEnded) return looked;
    index = line.next;
  }
  while (index < to || (isLast && index === to)) {
    let found = index;
    if (nextStored) {
      // Straight to the next line that has it: the lines between are passed over at once.
      found = nextStored(index);
      if (found >= to) return 0;
      index = text.lastIndexOf('\n', found) + 1;
    }
    const line = lineAt(index, found);
    const length = line.end - index;
    if (!line.isEnded) return yield* searchStretches(line, index);
    if (length > LONG_LINE) yield* searchStretches(line, index);
    else {
      const lineCost = LINE_COST + (isColoured ? 2 * length : length);
      cost += lineCost;
      if (cost > pattern.window) {
        yield index;
        cost = lineCost;
      }
      if (nextStored && pattern.literals) onHit({ start: index, end: line.end, isEnded: true, at: found });
      // Only for the few that have to be looked at more closely: a generator for each line costs more than its search.
      else if (length > pattern.window || matches(text.slice(index, line.end))) yield* searchLine(line);
    }
    index = line.next;
  }
  return 0;

  function lineAt(start: number, from: number) {
    const newline = text.indexOf('\n', from);
    const isEnded = newline !== -1 || isLast;
    const next = (newline === -1 ? text.length : newline) + 1;
    const hasReturn = isEnded && next - 1 > Math.max(start, region.from) && text[next - 2] === '\r';
    return { start, end: hasReturn ? next - 2 : next - 1, isEnded, next };
  }

  function matches(line: string): boolean {
    if (pattern.test(line)) return true;
    return isColoured && ESCAPE.test(line) && pattern.test(withoutEscapeSequences(line).replace(LAST_RETURN, ''));
  }

  /** A line that is longer than one step may search, or that matches. */
  function* searchLine({ start, end }: Hit): Generator<number, void> {
    const hit = { start, end, isEnded: true };
    if (end - start <= pattern.window && !wantsPlace(end - start)) return onHit(hit);
    const at = (yield* findInLine(hit, { from: start, to: end })) ?? (yield* findInShown(hit));
    if (at !== undefined) onHit({ ...hit, at });
  }

  function* findInShown({ start, end }: Hit): Generator<number, number | undefined> {
    const shown = isColoured ? shownLine(text.slice(start, end)) : undefined;
    if (!shown) return undefined;
    const { length } = shown.text;
    const whole = { text: shown.text, start: 0, from: 0, to: length, end: length, isEnded: true };
    const found = yield* eachStep(findInLongLine(pattern, whole), start);
    return found === undefined ? undefined : start + shown.toStored(found);
  }

  /** Finds one match after the other; gives how far behind the region the last of them reaches. */
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
    if (!pattern.literals || !nextStored)
      return yield* eachStep(findInLongLine(pattern, { ...line, text, from, to: limit }), from);
    yield from;
    const found = nextStored(from);
    return found < limit ? found : undefined;
  }
}

const LAST_RETURN = /\r$/;

/** A line as people and models see it: without the sequences that colour it or move the cursor. */
export interface ShownLine {
  text: string;
  /** Where in the stored line the character at this index of the text stands. */
  toStored(index: number): number;
}

/** `undefined` for a line that is shown as it is stored. */
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

/** The same steps, each telling the place to which all was searched. */
function* eachStep<Found>(steps: Generator<void, Found>, place: number): Generator<number, Found> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    yield place;
  }
}

/** Whether it is searched, shown and continued by stretches. */
export function isLongLine({ start, end, isEnded }: Hit): boolean {
  return start < 0 || !isEnded || end - start > LONG_LINE;
}

/** The part of a line that is searched. */
interface LinePart {
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
function* findInLongLine(pattern: SearchPattern, part: LinePart): Generator<void, number | undefined> {
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
