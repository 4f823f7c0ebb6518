import type { Steps } from '../pace.ts';
import { type Gap, gapRow, salientRow } from '../text/frame.ts';
import { compareSalience, type SalientLine } from '../text/salient-lines.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength, codePointStart, endOfFirstBytes } from '../text/utf.ts';
import { visibleText, visibleTextInSteps, withVisibleSequencesInSteps } from '../text/visible-text.ts';
import { type Cut, type CutLimits, cutEnd, endsLimits, gapBetween, MIN_ENDS_LINES } from './truncate-text.ts';

/** One end of an output as the model sees it, and how much of the raw output that is. */
export interface ShownText {
  text: string;
  /** Lines of the output, the one that is cut inside counted as shown. */
  lines: number;
  /** Characters of the raw output. */
  chars: number;
  /** The cut went through a line. */
  splitsLine: boolean;
}

/** As much of one end of an output as could be shown. */
export interface EndWindow {
  text: string;
  /** The character of the output that comes next, towards its middle, where it is known. */
  next?: string | undefined;
}

export function* showEnd(
  { text: window, next }: EndWindow,
  { end, ...limits }: CutLimits & { end: 'head' | 'tail' },
): Steps<ShownText> {
  const { cut, text } = yield* fitVisible((raw) => cutEnd(window, { ...raw, end }), { window, limits });
  const beyond = window[end === 'head' ? cut.end : cut.start - 1] ?? next;
  return { text, lines: cut.lines, chars: cut.end - cut.start, splitsLine: beyond !== '\n' };
}

/**
 * Beginning and end for a preview that shows both. Neither reaches the middle, so nothing is shown twice and something is
 * always missing between them.
 */
function halves(scan: TextScan): { head: EndWindow; tail: EndWindow } {
  const half = Math.max(0, Math.floor(scan.chars / 2) - 1);
  let headEnd = codePointStart(scan.head, Math.min(scan.head.length, half));
  let tailStart = scan.tail.length - Math.min(scan.tail.length, half);
  if (codePointStart(scan.tail, tailStart) < tailStart) tailStart++;
  // A line feed at the edge would show nothing of the line beyond it.
  if (scan.head[headEnd - 1] === '\n') headEnd--;
  if (scan.tail[tailStart] === '\n') tailStart++;
  return {
    head: { text: scan.head.slice(0, headEnd), next: scan.head[headEnd] },
    tail: { text: scan.tail.slice(tailStart), next: scan.tail[tailStart - 1] },
  };
}

/** The search for a cut ends after so many: by then it is within a hundredth. */
const MAX_CUTS = 12;
/** A preview that fills this share of its room is not made again. */
const ENOUGH = 0.9;

/**
 * The cut is made in the raw text, so that its lines and characters are the output's own. What becomes visible there can
 * weigh more than it does raw, up to a dozen bytes for one, or less, when it is full of colours: then less or more is taken.
 */
function* fitVisible(
  cutAt: (limits: CutLimits) => Cut,
  { window, limits }: { window: string; limits: CutLimits },
): Steps<{ cut: Cut; text: string }> {
  const { maxBytes, maxChars = Number.POSITIVE_INFINITY } = limits;
  const render = yield* rendererOf(window);
  // One number for both limits: a character weighs as much of `maxBytes` as it takes of `maxChars`.
  const weigh = (bytes: number, chars: number) => Math.max(bytes, Math.floor((chars * maxBytes) / maxChars));
  const limitsOf = (weight: number): CutLimits => {
    const chars = maxChars === Number.POSITIVE_INFINITY ? maxChars : Math.floor((maxChars * weight) / maxBytes);
    // With more room, a line would stop to be giant, and the preview would be smaller than with less.
    return { ...limits, maxBytes: weight, maxChars: chars, giant: weight > maxBytes ? limits : undefined };
  };
  let best = { cut: cutAt({ ...limits, maxBytes: 0 }), text: '' };
  let tooMuch = Number.POSITIVE_INFINITY;
  for (let raw = maxBytes, enough = 0, tries = 0; raw > enough && tries < MAX_CUTS; tries++) {
    const cut = cutAt(limitsOf(raw));
    yield;
    const text = yield* render(window.slice(cut.start, cut.end));
    const weight = weigh(cut.bytes, cut.end - cut.start);
    const visible = weigh(byteLength(text), text.length);
    if (visible <= maxBytes && text.length <= maxChars) {
      best = { cut, text };
      enough = raw;
      // Where nothing was removed, whole lines are what leaves room.
      const isFull = visible >= maxBytes * ENOUGH || (tooMuch === Number.POSITIVE_INFINITY && visible >= weight);
      if (isFull || cut.hit === 'lines') break;
      raw = Math.min(raw * 2, Math.floor((enough + tooMuch) / 2));
    } else {
      // The cut can weigh less than it was allowed to: only below its own weight it changes.
      tooMuch = Math.min(raw, weight);
      raw = Math.floor(enough > 0 ? (enough + tooMuch) / 2 : tooMuch * Math.min(0.9, maxBytes / visible));
    }
  }
  return best;
}

/** In a window that holds hardly anything but colours and cursor moves, these are shown: a preview is never empty. */
function* rendererOf(window: string): Steps<(raw: string) => Steps<string>> {
  const visible = yield* visibleTextInSteps(window);
  const isAllSequences = visible.trim().length * 100 < window.trim().length;
  return isAllSequences ? withVisibleSequencesInSteps : visibleTextInSteps;
}

/** Both ends and the gap between them. */
export function* showBothEnds(scan: TextScan, limits: CutLimits): Steps<ShownText> {
  const splitsLine = splitsFor(scan, 'half-empty');
  if (limits.maxLines < MIN_ENDS_LINES)
    return yield* showEnd({ text: scan.head }, { ...limits, splitsLine, end: 'head' });
  const ends = endsLimits({ ...limits, splitsLine });
  const windows = halves(scan);
  const head = yield* showEnd(windows.head, { ...ends.head, end: 'head' });
  const tail = yield* showEnd(windows.tail, { ...ends.tail, end: 'tail' });
  const gap = gapRow(gapBetween(head, { tail, of: scan }));
  return {
    text: [head.text, gap, tail.text].join('\n'),
    lines: head.lines + tail.lines,
    chars: head.chars + tail.chars,
    splitsLine: head.splitsLine || tail.splitsLine,
  };
}

/** The lines of a value are those of its JSON: to fill the room is worth more than to keep them whole. */
export function splitsFor(
  { head, tail }: TextScan,
  ofText: 'giant' | 'half-empty',
): NonNullable<CutLimits['splitsLine']> {
  const isBrokenJson =
    /^\s*[{[]\s*\n/.test(head.slice(0, BRACKET_CHARS)) && /\n\s*[}\]]\s*$/.test(tail.slice(-BRACKET_CHARS));
  return isBrokenJson ? 'not-full' : ofText;
}

/** A bracket on a line of its own, and the white space around it. */
const BRACKET_CHARS = 64;

/** Of the room, what the salient lines of the middle may have; what they leave goes to both ends. */
const SALIENT_SHARE = 0.3;
/** Fewer lines than this are for both ends alone. */
const MIN_LINES_FOR_SALIENT = 12;
const SALIENT_ROW_BYTES = 300;

/** Both ends of a text and, between them with their true line numbers, the lines that matter. */
export function* previewText(scan: TextScan, limits: CutLimits): Steps<ShownText> {
  if (limits.maxLines < MIN_ENDS_LINES)
    return yield* showEnd({ text: scan.head }, { ...limits, splitsLine: 'half-empty', end: 'head' });
  const gaps = widestGaps(scan);
  const rowLines = limits.maxLines < MIN_LINES_FOR_SALIENT ? 0 : Math.floor(limits.maxLines * SALIENT_SHARE);
  const rowBytes = rowLines === 0 ? gaps.only : gaps.outer + Math.floor(limits.maxBytes * SALIENT_SHARE);
  const narrow = yield* showEnds(scan, { ...limits, rowLines: rowLines + 1, rowBytes });
  const chosen = yield* fitSalient(hiddenBetween(scan.salientLines, { scan, ...narrow }), {
    maxBytes: rowBytes - gaps.outer,
    // Each row can bring a gap row with it.
    maxRows: Math.floor(rowLines / 2),
    toRow: (line) => toRow(line, { gapBytes: gaps.inner }),
  });
  const used = chosen.length === 0 ? gaps.only : chosen.reduce((sum, row) => sum + row.bytes, gaps.outer);
  const ends = yield* showEnds(scan, { ...limits, rowLines: 2 * chosen.length + 1, rowBytes: used });
  const rows = hiddenBetween(chosen, { scan, ...ends });
  return {
    text: compose(scan, { ...ends, rows }),
    lines: ends.head.lines + ends.tail.lines + rows.length,
    chars: ends.head.chars + ends.tail.chars + rows.reduce((sum, row) => sum + row.chars, 0),
    splitsLine: ends.head.splitsLine || ends.tail.splitsLine,
  };
}

/** Bytes of gap rows with their line feeds when every number in them is as large as this output allows. */
function widestGaps(scan: TextScan): { only: number; outer: number; inner: number } {
  const inner: Gap = { lines: scan.lines, from: scan.lines };
  const outer: Gap = { ...inner, restOf: scan.lines };
  const only: Gap = { ...outer, startOf: scan.lines + 1, chars: scan.chars };
  const bytes = (gap: Gap) => byteLength(gapRow(gap)) + 1;
  return { only: bytes(only) + 1, outer: Math.max(bytes(only), 2 * bytes(outer)) + 3, inner: bytes(inner) };
}

interface Ends {
  head: ShownText;
  tail: ShownText;
}

interface Row {
  line: number;
  text: string;
  bytes: number;
  /** Characters of the output that it shows. */
  chars: number;
}

function* showEnds(scan: TextScan, room: CutLimits & { rowLines: number; rowBytes: number }): Steps<Ends> {
  const limits: CutLimits = {
    maxLines: Math.max(1, Math.floor((room.maxLines - room.rowLines) / 2)),
    maxBytes: Math.floor((room.maxBytes - room.rowBytes) / 2),
    splitsLine: 'half-empty',
  };
  const { head, tail } = halves(scan);
  return {
    head: yield* showEnd(head, { ...limits, end: 'head' }),
    tail: yield* showEnd(tail, { ...limits, end: 'tail' }),
  };
}

function hiddenBetween<ENTRY extends { line: number }>(
  entries: ENTRY[],
  { scan, head, tail }: Ends & { scan: TextScan },
): ENTRY[] {
  return entries.filter(({ line }) => line > head.lines && line <= scan.lines - tail.lines);
}

/** The lines that matter most, as many as there is room for, in the order of the output. */
export function* fitSalient<ROW extends { line: number; bytes: number }>(
  lines: readonly SalientLine[],
  { maxBytes, maxRows, toRow }: { maxBytes: number; maxRows: number; toRow: (line: SalientLine) => ROW },
): Steps<ROW[]> {
  const rows: ROW[] = [];
  let room = maxBytes;
  for (const entry of lines.toSorted(compareSalience)) {
    if (rows.length >= maxRows) break;
    yield;
    const row = toRow(entry);
    if (row.bytes > room) continue;
    room -= row.bytes;
    rows.push(row);
  }
  return rows.sort((a, b) => a.line - b.line);
}

function toRow(entry: SalientLine, { gapBytes }: { gapBytes: number }): Row {
  const text = salientRow({ ...entry, text: shorten(visibleText(entry.text.slice(0, 2 * SALIENT_ROW_BYTES))) });
  const chars = Math.min(entry.text.length, SALIENT_ROW_BYTES);
  return { line: entry.line, text, bytes: byteLength(text) + 1 + gapBytes, chars };
}

function shorten(text: string): string {
  const end = endOfFirstBytes(text, SALIENT_ROW_BYTES);
  return end < text.length ? `${text.slice(0, end)}…` : text;
}

function compose(scan: TextScan, { head, tail, rows }: Ends & { rows: Row[] }): string {
  const whole = gapBetween(head, { tail, of: scan });
  if (rows.length === 0) return [head.text, gapRow(whole), tail.text].join('\n');
  const parts = [head.text];
  let line = head.lines;
  const tailLine = scan.lines - tail.lines + 1;
  // A number is the preview's own only between two gaps: a line that joins an end is one of its lines.
  const lastGap = rows.findLastIndex(({ line: at }, index) => (rows[index + 1]?.line ?? tailLine) > at + 1);
  const lastNumbered = whole.startOf === undefined ? lastGap : rows.length - 1;
  // Of several gaps, nobody counted the characters of each.
  for (const [index, row] of rows.entries()) {
    const restOf = line === head.lines ? whole.restOf : undefined;
    pushGap(parts, { from: line + 1, lines: row.line - line - 1, restOf });
    const isNumbered = parts.length > index + 1 && index <= lastNumbered;
    parts.push(isNumbered ? row.text : row.text.slice(`${row.line}: `.length));
    line = row.line;
  }
  pushGap(parts, { from: line + 1, lines: Math.max(0, tailLine - line - 1), startOf: whole.startOf });
  parts.push(tail.text);
  return parts.join('\n');
}

function pushGap(parts: string[], gap: Gap): void {
  if (gap.lines > 0 || gap.restOf !== undefined || gap.startOf !== undefined) parts.push(gapRow(gap));
}
