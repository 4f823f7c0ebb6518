import type { LongText } from '../json/json-node.ts';
import type { Steps } from '../pace.ts';
import { endOfRows, type Gap, gapRow, type TextStart, textRow } from '../text/frame.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength, codePointStart } from '../text/utf.ts';
import { visibleTextInSteps, withVisibleSequencesInSteps } from '../text/visible-text.ts';
import { MAX_PATTERNS_BYTES, patternsOfHidden } from './hidden-lines.ts';
import type { TextKind } from './kind-scan.ts';
import { chooseMiddleRows, focusOfRows, middleShare } from './middle-rows.ts';
import { wordsAboutRows } from './notice-and-hint-words.ts';
import { choosePageRows } from './page-rows.ts';
import { type CutLine, isCutOff, type MiddleRow } from './row-picker.ts';
import { noTexts, planTextStarts, type TextStarts } from './text-starts.ts';
import { type Cut, type CutLimits, cutEnd, endsLimits, gapBetween, MIN_ENDS_LINES } from './truncate-text.ts';

/** One end of an output as the model sees it, and the size of its raw text. */
export interface ShownText {
  text: string;
  /** Shown lines of the output, including the line that is cut. */
  lines: number;
  /** Characters of the raw output. */
  chars: number;
  /** A line was cut. */
  splitsLine: boolean;
  /** The terms of the question that chose lines. */
  focus?: readonly string[];
}

/** The longest part of one end that could be shown. */
export interface EndWindow {
  text: string;
  /** The next character of the output towards its middle, if it is known. */
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
 * Beginning and end for a preview that shows both. Neither reaches the middle, so nothing is shown twice, and there is always a
 * gap.
 */
function halves(scan: TextScan): { head: EndWindow; tail: EndWindow } {
  const half = Math.max(0, Math.floor(scan.chars / 2) - 1);
  let headEnd = codePointStart(scan.head, Math.min(scan.head.length, half));
  let tailStart = scan.tail.length - Math.min(scan.tail.length, half);
  if (codePointStart(scan.tail, tailStart) < tailStart) tailStart++;
  // A line feed at the edge would show an empty part of the next line.
  if (scan.head[headEnd - 1] === '\n') headEnd--;
  if (scan.tail[tailStart] === '\n') tailStart++;
  return {
    head: { text: scan.head.slice(0, headEnd), next: scan.head[headEnd] },
    tail: { text: scan.tail.slice(tailStart), next: scan.tail[tailStart - 1] },
  };
}

/** The search for a cut ends after this many steps, when it is exact to a hundredth. */
const MAX_CUTS = 12;
/** A preview that fills this share of its room is not repeated. */
const ENOUGH = 0.9;

/**
 * Cuts the raw text, so that lines and characters are counted in the output. Making it visible can change its size: one byte can
 * become a dozen, and color codes disappear. In this case, the cut is repeated with less or more text.
 */
function* fitVisible(
  cutAt: (limits: CutLimits) => Cut,
  { window, limits }: { window: string; limits: CutLimits },
): Steps<{ cut: Cut; text: string }> {
  const { maxBytes, maxChars = Number.POSITIVE_INFINITY } = limits;
  const render = yield* rendererOf(window);
  // One number for both limits, in which a character takes the same share of `maxBytes` as of `maxChars`.
  const weigh = (bytes: number, chars: number) => Math.max(bytes, Math.floor((chars * maxBytes) / maxChars));
  const limitsOf = (weight: number): CutLimits => {
    const chars = maxChars === Number.POSITIVE_INFINITY ? maxChars : Math.floor((maxChars * weight) / maxBytes);
    // With more room, a line would no longer be giant, and the preview would become smaller.
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
      // If nothing was removed, the unused room comes from whole lines.
      const isFull = visible >= maxBytes * ENOUGH || (tooMuch === Number.POSITIVE_INFINITY && visible >= weight);
      if (isFull || cut.hit === 'lines') break;
      raw = Math.min(raw * 2, Math.floor((enough + tooMuch) / 2));
    } else {
      // The cut can be smaller than its limit. A smaller limit changes it only below the size of the cut.
      tooMuch = Math.min(raw, weight);
      raw = Math.floor(enough > 0 ? (enough + tooMuch) / 2 : tooMuch * Math.min(0.9, maxBytes / visible));
    }
  }
  return best;
}

/** If a window contains only colors and cursor moves, these are shown, because a preview is never empty. */
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

/** Lines of a value are lines of its JSON, so filling the room is more useful than complete lines. */
export function splitsFor(
  { head, tail }: TextScan,
  ofText: 'giant' | 'half-empty',
): NonNullable<CutLimits['splitsLine']> {
  const isBrokenJson =
    /^\s*[{[]\s*\n/.test(head.slice(0, BRACKET_CHARS)) && /\n\s*[}\]]\s*$/.test(tail.slice(-BRACKET_CHARS));
  return isBrokenJson ? 'not-full' : ofText;
}

/** A bracket on a separate line, with its white space. */
const BRACKET_CHARS = 64;

/** With fewer lines, only both ends are shown. */
const MIN_LINES_FOR_ROWS = 12;
/** With less room, the rows around the middle would take it from both ends. */
const MIN_BYTES_FOR_ROWS = 768;

/**
 * Both ends of a text, with the important lines between them and their true line numbers. In the view of a value, rows also mark
 * where its long texts begin. For a page, the rows show its readable text.
 */
export function* previewText(
  scan: TextScan,
  { texts, kind, ...room }: CutLimits & { texts?: readonly LongText[] | undefined; kind?: TextKind | undefined },
): Steps<ShownText> {
  if (room.maxLines < MIN_ENDS_LINES)
    return yield* showEnd({ text: scan.head }, { ...room, splitsLine: 'half-empty', end: 'head' });
  const mayHaveRows = room.maxLines >= MIN_LINES_FOR_ROWS && room.maxBytes >= MIN_BYTES_FOR_ROWS;
  const starts = texts && mayHaveRows ? planTextStarts(texts, room) : noTexts;
  const limits = { ...room, maxBytes: room.maxBytes - starts.bytes, maxLines: room.maxLines - starts.lines };
  const rooms = roomsOf(scan, { ...limits, kind });
  const share = middleShare(scan, kind);
  const linesPerRow = starts.bytesPerGap > 0 ? 2 : 1;
  const maxRows = mayHaveRows ? Math.floor((limits.maxLines * share) / linesPerRow) : 0;
  const forRows = maxRows === 0 ? 0 : Math.max(0, Math.floor(limits.maxBytes * share));
  const narrow = yield* showEnds(scan, {
    ...limits,
    rowLines: maxRows * linesPerRow + 2,
    rowBytes: rooms.around + forRows,
  });
  const place = {
    after: narrow.head.lines,
    before: scan.lines - narrow.tail.lines + 1,
    cuts: cutLines(scan, narrow),
    total: limits.maxBytes,
    maxBytes: forRows,
    maxRows,
    bytesPerGap: starts.bytesPerGap,
  };
  const chosen =
    kind?.kind === 'page'
      ? yield* choosePageRows(scan, { ...place, page: kind.page })
      : yield* chooseMiddleRows(scan, { ...place, outline: kind?.outline });
  const used = chosen.reduce((sum, row) => sum + row.bytes, chosen.length === 0 ? rooms.only : rooms.around);
  const ends = yield* showEnds(scan, { ...limits, rowLines: chosen.length * linesPerRow + 2, rowBytes: used });
  const cuts = cutLines(scan, ends);
  const rows = chosen.filter((row) => isBetween(row.line, { scan, ...ends }) || isCutOff(row, cuts));
  const hidden = scan.lines - ends.head.lines - ends.tail.lines - linesOf(rows, { scan, ...ends });
  const like = rooms.tellsPatterns ? yield* patternsOfHidden(scan, { hidden, ...ends, rows }) : [];
  return {
    text: compose(scan, { ...ends, rows, like, starts, kind }),
    lines: Math.min(scan.lines, ends.head.lines + ends.tail.lines + linesOf(rows, { scan, ...ends })),
    chars: ends.head.chars + ends.tail.chars + rows.reduce((sum, row) => sum + row.chars, 0),
    splitsLine: ends.head.splitsLine || ends.tail.splitsLine,
    focus: focusOfRows(rows),
  };
}

/** With less room, lines of the output are more useful. */
const MIN_BYTES_FOR_PATTERNS = 4096;

/**
 * Bytes of the rows around the middle with their line feeds, if every number in them has the most digits that this output allows.
 */
function roomsOf(
  scan: TextScan,
  { maxBytes, kind }: CutLimits & { kind: TextKind | undefined },
): { only: number; around: number; tellsPatterns: boolean } {
  // The patterns of a page are its tags.
  const tellsPatterns =
    kind?.kind !== 'page' && scan.patterns.frequent.length > 0 && maxBytes >= MIN_BYTES_FOR_PATTERNS;
  const most = scan.lines + 1;
  const gap: Gap = { lines: most, from: most, chars: scan.chars, restOf: most, startOf: most + 1 };
  const bytes = (row: string) => byteLength(row) + 1;
  const only = bytes(gapRow(gap)) + 1 + (tellsPatterns ? MAX_PATTERNS_BYTES : 0);
  const rows = { shown: most, last: most, about: kind && wordsAboutRows(kind) };
  const end = endOfRows({ startOf: most, last: most });
  return { only, around: only + bytes(gapRow({ ...gap, rows })) - bytes(gapRow(gap)) + bytes(end), tellsPatterns };
}

interface Ends {
  head: ShownText;
  tail: ShownText;
}

function* showEnds(scan: TextScan, room: CutLimits & { rowLines: number; rowBytes: number }): Steps<Ends> {
  const limits: CutLimits = {
    maxLines: Math.max(1, Math.floor((room.maxLines - room.rowLines) / 2)),
    maxBytes: Math.max(0, Math.floor((room.maxBytes - room.rowBytes) / 2)),
    splitsLine: 'half-empty',
  };
  const { head, tail } = halves(scan);
  return {
    head: yield* showEnd(head, { ...limits, end: 'head' }),
    tail: yield* showEnd(tail, { ...limits, end: 'tail' }),
  };
}

function isBetween(line: number, { scan, head, tail }: Ends & { scan: TextScan }): boolean {
  return line > head.lines && line <= scan.lines - tail.lines;
}

/** The lines that both ends cut. They are the same line if it is giant. */
function cutLines(scan: TextScan, { head, tail }: Ends): CutLine[] {
  const firstOfTail = scan.lines - tail.lines + 1;
  const start = scan.head.lastIndexOf('\n', head.chars - 1) + 1;
  const to = firstOfTail === head.lines ? scan.chars - tail.chars - start : Number.POSITIVE_INFINITY;
  const ofHead = head.splitsLine ? [{ line: head.lines, from: head.chars - start, to }] : [];
  // The length of the line in which the end begins is unknown.
  const isOther = tail.splitsLine && firstOfTail > head.lines;
  return isOther ? [...ofHead, { line: firstOfTail, from: 0, to: Number.POSITIVE_INFINITY }] : ofHead;
}

/** The lines between both ends that have rows. Two parts of a giant line are one line. */
function linesOf(rows: readonly MiddleRow[], ends: Ends & { scan: TextScan }): number {
  return new Set(rows.flatMap(({ line }) => (isBetween(line, ends) ? [line] : []))).size;
}

function compose(scan: TextScan, { head, tail, rows, like, starts, kind }: Ends & Middle): string {
  const last = scan.lines - tail.lines;
  const whole = gapBetween(head, { tail, of: scan });
  const headText = starts.withRows(head.text, { from: 1, to: head.lines });
  const tailText = starts.withRows(tail.text, { from: last + 1, to: scan.lines });
  if (rows.length === 0) {
    const begins = starts.lastOf({ from: head.lines + 1, to: last });
    return [headText, gapRow({ ...whole, like, begins }), tailText].join('\n');
  }
  const lines = Math.max(0, whole.lines - linesOf(rows, { scan, head, tail }));
  const about = kind && wordsAboutRows(kind);
  const parts = [
    headText,
    gapRow({ ...whole, lines, startOf: undefined, rows: { shown: rows.length, last, about }, like }),
  ];
  let line = head.lines;
  for (const row of rows) {
    pushStart(parts, starts.lastOf({ from: line + 1, to: row.line }));
    parts.push(row.text);
    line = row.line;
  }
  pushStart(parts, starts.lastOf({ from: line + 1, to: last }));
  parts.push(endOfRows({ startOf: whole.startOf, last: whole.lines > 0 ? last : undefined }), tailText);
  return parts.join('\n');
}

interface Middle {
  rows: readonly MiddleRow[];
  like: readonly string[];
  starts: TextStarts;
  kind: TextKind | undefined;
}

function pushStart(parts: string[], start: TextStart | undefined): void {
  if (start) parts.push(textRow(start));
}
