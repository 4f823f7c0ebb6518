import type { Steps } from '../pace.ts';
import { patternPrint } from '../text/rare-lines.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength, thousands } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import type { MiddleRow } from './row-picker.ts';

/** The room for all patterns. */
export const MAX_PATTERNS_BYTES = 600;
const MAX_SHOWN = 3;
/** A pattern of fewer omitted lines says little about them. */
const LEAST_SHARE = 0.02;
const MIN_LINES = 20;
const LINES_PER_STEP = 256;

interface ShownEnd {
  lines: number;
}

/** The patterns of the lines that are not shown, with counts that add up to their number. */
export function* patternsOfHidden(
  scan: TextScan,
  { hidden, head, tail, rows }: { hidden: number; head: ShownEnd; tail: ShownEnd; rows: readonly MiddleRow[] },
): Steps<string[]> {
  if (hidden < MIN_LINES) return [];
  const shown = new Map<number, number>();
  const lines = [
    ...scan.head.split('\n', head.lines),
    ...scan.tail.split('\n').slice(-tail.lines),
    ...rows.filter(({ at }) => at === 0).map(({ start }) => start),
  ];
  for (const [index, line] of lines.entries()) {
    if (index % LINES_PER_STEP === 0) yield;
    const print = patternPrint(line);
    shown.set(print, (shown.get(print) ?? 0) + 1);
  }
  const left = scan.patterns.frequent
    .map(({ pattern, count, print }) => ({ pattern, count: count - (shown.get(print) ?? 0) }))
    .filter(({ count }) => count >= hidden * LEAST_SHARE)
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_SHOWN);
  const others = left.reduce((rest, { count }) => rest - count, hidden);
  const like = left.map(({ pattern, count }) => `${thousands(count)} like "${visibleText(pattern)}"`);
  if (left.length === 0 || byteLength(like.join(', ')) > MAX_PATTERNS_BYTES - GAP_WORDS_BYTES) return [];
  return others > 0 ? [...like, `${thousands(others)} others`] : like;
}

/** Room for the number of the other lines. */
const GAP_WORDS_BYTES = 40;
