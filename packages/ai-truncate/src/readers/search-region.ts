import { codePointStart } from '../truncation/byte-length.ts';
import { createLiteralFinder } from './search-literals.ts';
import { findInLongLine } from './search-long-line.ts';
import type { SearchPattern } from './search-pattern.ts';
import type { Region } from './search-regions.ts';
import { bytesOfCharacters, type TextPosition } from './text-window-position.ts';

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

/**
 * Finds the lines of a region that match. Yields where it has come to before every step that takes its time, and gives how
 * much of the line that goes on in the next region was looked at already.
 */
export function* searchRegion(
  region: Region,
  { pattern, skip, onHit, wantsPlace }: RegionSearch,
): Generator<number, number> {
  const { text, to, isLast } = region;
  const nextLiteral = pattern.literals && createLiteralFinder(text, pattern.literals);
  // Of a line that goes on behind the region, what it needs may stand there.
  const required = to === text.length ? pattern.required : undefined;
  const nextCandidate = nextLiteral ?? (required && createLiteralFinder(text, required));
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
    if (nextCandidate) {
      // Straight to the next line that has it: the lines between are passed over at once.
      found = nextCandidate(index);
      if (found >= to) return 0;
      index = text.lastIndexOf('\n', found) + 1;
    }
    const line = lineAt(index, found);
    if (!line.isEnded) return yield* searchStretches(line, index);
    if (line.end - index > LONG_LINE) yield* searchStretches(line, index);
    else {
      const length = line.end - index;
      cost += length + LINE_COST;
      if (cost > pattern.window) {
        yield index;
        cost = length + LINE_COST;
      }
      if (nextLiteral) onHit({ start: index, end: line.end, isEnded: true, at: found });
      // Only for the few that have to be looked at more closely: a generator for each line costs more than its search.
      else if (length > pattern.window || pattern.test(text.slice(index, line.end))) yield* searchLine(line);
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

  /** A line that is longer than one step may search, or that matches. */
  function* searchLine({ start, end }: Hit): Generator<number, void> {
    const hit = { start, end, isEnded: true };
    const length = end - start;
    if (length > pattern.window) {
      const at = yield* findInLine(hit, { from: start, to: end });
      if (at !== undefined) onHit({ ...hit, at });
    } else if (wantsPlace(length)) {
      yield start;
      onHit({ ...hit, at: start + (pattern.find(text.slice(start, end), 0)?.start ?? 0) });
    } else {
      onHit(hit);
    }
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
    if (!nextLiteral) {
      const windows = findInLongLine(pattern, { ...line, text, from, to: limit });
      for (let step = windows.next(); ; step = windows.next()) {
        if (step.done) return step.value;
        yield from;
      }
    }
    yield from;
    const found = nextLiteral(from);
    return found < limit ? found : undefined;
  }
}

/** Whether it is searched, shown and continued by stretches. */
export function isLongLine({ start, end, isEnded }: Hit): boolean {
  return start < 0 || !isEnded || end - start > LONG_LINE;
}

/** Which place of the artifact an index into the text of a region is; `line` is the line of an earlier index, by default of its start. */
export function positionAt(
  region: Region,
  { index, line, counted = region.from }: { index: number; line: number; counted?: number },
): TextPosition {
  const { bytes, text, byte, from, character } = region;
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  const isFirst = index === 0 || lineStart <= from;
  return {
    line: line + countNewlines(text, { from: counted, to: index }),
    character: (isFirst ? character + index - from : index - lineStart) + 1,
    byte: byte + bytesOfCharacters(bytes, text, index),
  };
}

/** By index and not by `indexOf`: a text of nothing but line breaks takes no longer than any other. */
export function countNewlines(text: string, { from, to }: { from: number; to: number }): number {
  let count = 0;
  for (let index = from; index < to; index++) if (text.charCodeAt(index) === 10) count++;
  return count;
}
