import type { Steps } from '../pace.ts';
import { FocusMatcher } from '../text/focus-matcher.ts';
import type { FocusTerm } from '../text/focus-terms.ts';
import type { FocusedLine } from '../text/focused-lines.ts';
import { numberedRow } from '../text/frame.ts';
import { compareSalience } from '../text/salient-lines.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength, codePointStart, endOfFirstBytes } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { Words } from '../text/words.ts';

/** A shown line between both ends. */
export interface MiddleRow {
  line: number;
  /** The start and end of the shown text in its line, in characters. */
  at: number;
  end: number;
  text: string;
  bytes: number;
  /** The number of characters of the output that it shows. */
  chars: number;
  /** The beginning of the line, as in the output. */
  start: string;
  /** The terms of the question that chose the line. */
  terms?: readonly FocusTerm[] | undefined;
}

/** The terms that chose rows, without duplicates. */
export function focusOfRows(rows: readonly MiddleRow[]): string[] {
  return [...new Set(rows.flatMap(({ terms = [] }) => terms.map(({ text }) => text)))];
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
 * errors and totals, and rare lines.
 */
export function* chooseMiddleRows(scan: TextScan, room: MiddleRoom): Steps<MiddleRow[]> {
  const { after, before, total, maxBytes, maxRows, cuts = [], bytesPerGap = 0, rowOf = linesAsRows } = room;
  const rows = new Map<string, MiddleRow>();
  let left = maxBytes;

  function take(row: MiddleRow, limit: number): boolean {
    const key = `${row.line}:${row.at}`;
    if (rows.has(key)) return true;
    const bytes = row.bytes + bytesPerGap;
    if (rows.size >= maxRows || bytes > limit) return false;
    rows.set(key, { ...row, bytes });
    left -= bytes;
    return true;
  }
  /** Takes rows up to a share of the preview. Returns the lines that did not fit. */
  function* fill<LINE extends { line: number; at?: number }>(
    lines: readonly LINE[],
    { share, toRow }: { share: number; toRow: (line: LINE) => MiddleRow },
  ): Steps<LINE[]> {
    const rest = Math.max(0, left - Math.floor(total * share));
    const missed: LINE[] = [];
    for (const line of lines) {
      if (rows.size >= maxRows) break;
      const isBetween = line.line > after && line.line < before;
      if (!isBetween && !cuts.some((cut) => cut.line === line.line)) continue;
      yield;
      const row = toRow(line);
      if (!isBetween && !isCutOff(row, cuts)) continue;
      if (!take(row, left - rest)) missed.push(line);
    }
    return missed;
  }

  const toRow = rowOf.plain;
  const missed = yield* fill(scan.focused, { share: SHARES.focused, toRow: rowOf.focused });
  yield* fill(scan.salientLines.toSorted(compareSalience), { share: SHARES.salient, toRow });
  yield* fill(scan.patterns.rareLines, { share: SHARES.rare, toRow });
  yield* fill(missed, { share: 1, toRow: rowOf.focused });
  if (rowOf === linesAsRows) yield* fill(passagesOf(scan.focused), { share: 1, toRow });
  return [...rows.values()].sort((one, other) => one.line - other.line || one.at - other.at);
}

/** The place of the rows, and their room. */
export interface MiddleRoom {
  /** The last shown line before the rows, and the first one after them. */
  after: number;
  before: number;
  /** The lines that the two ends cut. */
  cuts?: readonly CutLine[];
  /** Bytes of the whole preview. */
  total: number;
  maxBytes: number;
  maxRows: number;
  /** The additional bytes of each row for the row of a text that begins before it. */
  bytesPerGap?: number;
  /** @default the lines themselves */
  rowOf?: RowMakers;
}

export interface RowMakers {
  focused: (line: FocusedLine) => MiddleRow;
  plain: (line: PlainLine) => MiddleRow;
}

/** A line that an end shows only in part, and its characters that are not shown. */
export interface CutLine {
  line: number;
  from: number;
  to: number;
}

/** Whether a row shows characters of a cut line that are not shown otherwise. */
export function isCutOff({ line, at, end }: MiddleRow, cuts: readonly CutLine[]): boolean {
  return cuts.some((cut) => cut.line === line && end > cut.from && at < cut.to);
}

/** A line that is shown for its content, not for the question. */
export interface PlainLine {
  line: number;
  text: string;
  count?: number;
  lastLine?: number;
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

function plainRow({ line, text, count = 1, lastLine = line }: PlainLine): MiddleRow {
  const shown = shorten(visibleText(text.slice(0, 2 * ROW_BYTES)));
  return toRow({
    line,
    at: 0,
    // The beginning of a cut line is shown before its cut.
    end: 0,
    text: numberedRow({ line, text: shown, count, lastLine }),
    chars: text.length,
    start: text,
  });
}

function toRow(row: Omit<MiddleRow, 'bytes'>): MiddleRow {
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
  return toRow({
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

const linesAsRows: RowMakers = { focused: focusedRow, plain: plainRow };

function bitsOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
