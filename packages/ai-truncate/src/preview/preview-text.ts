import { compareSalience, type SalientLine } from '../text/salient-lines.ts';
import type { Steps } from '../text/steps.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength, endOfFirstBytes } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { gapBetween, halves, type ShownText, showHead, showTail } from './shown-text.ts';
import { type CutLimits, MIN_ENDS_LINES } from './truncate-text.ts';
import { type Gap, gapRow, salientRow } from './truncation-notice.ts';

/** Of the room, what the salient lines of the middle may have; what they leave goes to both ends. */
const SALIENT_SHARE = 0.3;
/** Fewer lines than this are for both ends alone. */
const MIN_LINES_FOR_SALIENT = 12;
const SALIENT_ROW_BYTES = 300;

/** Both ends of a text and, between them with their true line numbers, the lines that matter. */
export function* previewText(scan: TextScan, limits: CutLimits): Steps<ShownText> {
  if (limits.maxLines < MIN_ENDS_LINES)
    return yield* showHead({ text: scan.head }, { ...limits, splitsLine: 'half-empty' });
  const gaps = widestGaps(scan);
  const rowLines = limits.maxLines < MIN_LINES_FOR_SALIENT ? 0 : Math.floor(limits.maxLines * SALIENT_SHARE);
  const rowBytes = rowLines === 0 ? gaps.only : gaps.outer + Math.floor(limits.maxBytes * SALIENT_SHARE);
  const narrow = yield* showEnds(scan, { ...limits, rowLines: rowLines + 1, rowBytes });
  const chosen = chooseRows(hiddenBetween(scan.salientLines, { scan, ...narrow }), {
    maxBytes: rowBytes - gaps.outer,
    // Each row can bring a gap row with it.
    maxRows: Math.floor(rowLines / 2),
    gapBytes: gaps.inner,
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
  return { head: yield* showHead(head, limits), tail: yield* showTail(tail, limits) };
}

function hiddenBetween<ENTRY extends { line: number }>(
  entries: ENTRY[],
  { scan, head, tail }: Ends & { scan: TextScan },
): ENTRY[] {
  return entries.filter(({ line }) => line > head.lines && line <= scan.lines - tail.lines);
}

/** The ones that matter most; as many as fit. */
function chooseRows(
  lines: SalientLine[],
  { maxBytes, maxRows, gapBytes }: { maxBytes: number; maxRows: number; gapBytes: number },
): Row[] {
  const rows: Row[] = [];
  let room = maxBytes;
  for (const entry of lines.toSorted(compareSalience)) {
    if (rows.length === maxRows) break;
    const text = salientRow({ ...entry, text: shorten(visibleText(entry.text.slice(0, 2 * SALIENT_ROW_BYTES))) });
    const bytes = byteLength(text) + 1 + gapBytes;
    if (bytes > room) continue;
    room -= bytes;
    rows.push({ line: entry.line, text, bytes, chars: Math.min(entry.text.length, SALIENT_ROW_BYTES) });
  }
  return rows.sort((a, b) => a.line - b.line);
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
