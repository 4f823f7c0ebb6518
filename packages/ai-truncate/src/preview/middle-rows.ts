import type { Steps } from '../pace.ts';
import { FocusMatcher } from '../text/focus-matcher.ts';
import type { FocusedLine } from '../text/focused-lines.ts';
import { numberedRow } from '../text/frame.ts';
import type { Outline, OutlineEntry } from '../text/outline.ts';
import { compareSalience } from '../text/salient-lines.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength, codePointStart, endOfFirstBytes } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { Words } from '../text/words.ts';
import type { TextKind } from './kind-scan.ts';
import { type MiddleRoom, type MiddleRow, RowPicker } from './row-picker.ts';

/** The terms that chose rows, without duplicates. */
export function focusOfRows(rows: readonly MiddleRow[]): string[] {
  return [...new Set(rows.flatMap(({ terms = [] }) => terms.map(({ text }) => text)))];
}

/** The share of the room for the lines of the middle, with and without a question. Unused room goes to both ends. */
const MIDDLE_SHARE = { asked: 0.7, outlined: 0.55, unasked: 0.4 } as const;
/** The share for the middle of a page, because the ends of a page say little. */
const MIDDLE_SHARE_OF_PAGE = 0.86;

export function middleShare({ focused }: TextScan, kind: TextKind | undefined): number {
  if (kind?.kind === 'page') return MIDDLE_SHARE_OF_PAGE;
  if (focused.length > 0) return MIDDLE_SHARE.asked;
  return kind ? MIDDLE_SHARE.outlined : MIDDLE_SHARE.unasked;
}

/** The share of each kind in the preview. Unused room goes to the focused lines, and then to both ends. */
const SHARES = { focused: 0.5, salient: 0.25, rare: 0.15 } as const;
const ROW_BYTES = 300;
const FOCUSED_ROW_BYTES = 600;
/** Lines are shown with their neighbors if they score almost as high as the best one. */
const PASSAGE_SCORE = 0.8;
const MAX_PASSAGES = 12;

/**
 * The important lines between both ends, as many as fit, in the order of the output: lines that match the question, lines with
 * errors and totals, rare lines, and the outline.
 */
export function* chooseMiddleRows(
  scan: TextScan,
  { outline, rowOf = linesAsRows, ...room }: MiddleRowOptions,
): Steps<MiddleRow[]> {
  const picker = new RowPicker(room);
  const toRow = rowOf.plain;
  const missed = yield* picker.fill(scan.focused, { share: SHARES.focused, toRow: rowOf.focused });
  yield* picker.fill(scan.salientLines.toSorted(compareSalience), { share: SHARES.salient, toRow });
  yield* picker.fill(scan.patterns.rareLines, { share: SHARES.rare, toRow });
  yield* picker.fill(missed, { share: 1, toRow: rowOf.focused });
  if (rowOf.showsNeighbors) yield* picker.fill(passagesOf(scan.focused), { share: 1, toRow });
  if (outline) yield* picker.fillOutline(outline, { share: OUTLINE_SHARE, toRow });
  return picker.finish();
}

/** The largest share of the outline in the preview. Other rows come first. */
const OUTLINE_SHARE = 0.15;

export interface MiddleRowOptions extends MiddleRoom {
  /** @default the lines themselves */
  rowOf?: RowMakers;
  outline?: Outline | undefined;
}

export interface RowMakers {
  focused: (line: FocusedLine) => MiddleRow;
  plain: (line: PlainLine) => MiddleRow;
  /** The lines around the best lines are rows too, if there is room. */
  showsNeighbors: boolean;
}

/** A line that is shown for its content, not for the question. */
export interface PlainLine {
  line: number;
  text: string;
  count?: number;
  lastLine?: number;
  changes?: OutlineEntry['changes'];
}

/** The neighbors of the best lines. */
function passagesOf(focused: readonly FocusedLine[]): PlainLine[] {
  const best = focused[0]?.score ?? 0;
  const passages = focused.slice(0, MAX_PASSAGES).filter(({ score, at }) => at === 0 && score >= best * PASSAGE_SCORE);
  return passages.flatMap(({ line, before, after }) => [
    ...after.map((text, index) => ({ line: line + 1 + index, text })),
    ...(before === undefined ? [] : [{ line: line - 1, text: before }]),
  ]);
}

function plainRow({ line, text, count = 1, lastLine = line, changes }: PlainLine): MiddleRow {
  const shown = shorten(visibleText(text.slice(0, 2 * ROW_BYTES)));
  return toMiddleRow({
    line,
    at: 0,
    // The beginning of a cut line is shown before its cut.
    end: 0,
    text: numberedRow({ line, text: shown, count, lastLine, changes }),
    chars: text.length,
    start: text,
  });
}

/** A row, with the room that it takes. */
export function toMiddleRow(row: Omit<MiddleRow, 'bytes'>): MiddleRow {
  return { ...row, chars: Math.min(row.chars, row.text.length), bytes: byteLength(row.text) + 1 };
}

function shorten(text: string): string {
  const end = endOfFirstBytes(text, ROW_BYTES);
  return end < text.length ? `${text.slice(0, end)}…` : text;
}

/** The whole line, or the part of a long line around its terms. */
function focusedRow(focused: FocusedLine): MiddleRow {
  const { line, at } = focused;
  const { start, end, text } = excerptOf(focused);
  const from = at + start;
  return toMiddleRow({
    line,
    at: from,
    end: at + end,
    text: numberedRow({
      line,
      text: visibleText(text),
      count: 1,
      lastLine: line,
      column: from > 0 ? from + 1 : undefined,
    }),
    chars: text.length,
    start: focused.text,
    terms: focused.terms,
  });
}

/** Characters before and after a term. More of them come after it, because values follow names. */
const CHARS_BEFORE = 80;
const CHARS_AFTER = 200;

/** The unchanged line, or the parts of a long line around its terms. */
export function excerptOf({ text, terms }: FocusedLine): { start: number; end: number; text: string } {
  if (byteLength(text) <= FOCUSED_ROW_BYTES) return { start: 0, end: text.length, text };
  const matcher = new FocusMatcher(terms);
  const words = new Words();
  words.read(text, { from: 0, to: text.length });
  matcher.start();
  const places: number[] = [];
  let seen = 0;
  while (words.next()) {
    matcher.read(text, words);
    const found = (matcher.low | matcher.high) === 0 ? 0 : bitsOf(matcher.low) + bitsOf(matcher.high);
    if (found > seen) places.push(words.end);
    seen = found;
  }
  let shown = '';
  let end = 0;
  let first: number | undefined;
  for (const place of places) {
    const from = codePointStart(text, Math.max(end, place - CHARS_BEFORE));
    const to = codePointStart(text, Math.min(text.length, place + CHARS_AFTER));
    if (to <= end) continue;
    const piece = text.slice(from, to);
    if (first !== undefined && byteLength(shown) + byteLength(piece) > FOCUSED_ROW_BYTES) break;
    shown += first !== undefined && from > end ? `…${piece}` : piece;
    first ??= from;
    end = to;
  }
  return { start: first ?? 0, end, text: end < text.length ? `${shown}…` : shown };
}

export const linesAsRows: RowMakers = { focused: focusedRow, plain: plainRow, showsNeighbors: true };

function bitsOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
