import type { Steps } from '../pace.ts';
import type { FocusedLine } from '../text/focused-lines.ts';
import { gapRow, numberedRow } from '../text/frame.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { chooseMiddleRows, excerptOf, focusOfRows, type PlainLine } from './middle-rows.ts';
import { shrinkJsonLine } from './preview-json.ts';
import type { ShownText } from './preview-text.ts';
import type { MiddleRow } from './row-picker.ts';
import type { CutLimits } from './truncate-text.ts';

/** The share of the room for each end. The rest is for the salient records between them. */
const END_SHARE = 0.35;
const END_SHARE_ASKED = 0.15;
/** The largest share of a record that matches the question. */
const FOCUSED_SHARE = 0.25;
/** A larger record is shrunk, so that more than a few can be seen. */
const RECORD_SHARE = 0.1;
/** The shown beginning of a record that is too long to be stored completely. */
const QUOTED_CHARS = 400;
/** A gap row as a JSON string, with its line feed. */
const GAP_BYTES = 100;

const RECORDS_PER_STEP = 16;

interface ShownRecord {
  /** Counted from 1. */
  line: number;
  text: string;
  bytes: number;
  /** The number of characters of the output that it represents. */
  chars: number;
}

/**
 * The first and last records and the salient ones between them, one JSON value per line; `undefined` if the output is not
 * NDJSON. A gap is a JSON string, so every line of the preview parses.
 */
export function* previewNdjson(scan: TextScan, limits: CutLimits): Steps<ShownText | undefined> {
  if (limits.maxLines < 5 || !/^\s*[{[]/.test(scan.head)) return undefined;
  const records = recordsOf(scan);
  if (records.head.length === 0) return undefined;
  const recordBytes = Math.floor(limits.maxBytes * RECORD_SHARE);
  const endShare = scan.focused.length > 0 ? END_SHARE_ASKED : END_SHARE;
  const narrow = yield* showBothEnds(records, {
    maxLines: Math.floor(limits.maxLines * endShare),
    maxBytes: Math.floor(limits.maxBytes * endShare),
    recordBytes,
  });
  if (!narrow) return undefined;
  const toRow = (entry: PlainLine | FocusedLine, maxBytes: number): MiddleRow => {
    const record = ('at' in entry && entry.at > 0 ? undefined : showRecord(entry, maxBytes)) ?? quoteLine(entry);
    const terms = 'terms' in entry ? entry.terms : undefined;
    return { ...record, at: 0, end: 0, start: entry.text, bytes: record.bytes + GAP_BYTES, terms };
  };
  const middle = yield* chooseMiddleRows(scan, {
    after: narrow.lastOfHead,
    before: narrow.firstOfEnd,
    total: limits.maxBytes,
    maxBytes: limits.maxBytes - narrow.bytes - 2 * GAP_BYTES,
    maxRows: Math.floor((limits.maxLines - narrow.lines - 1) / 2),
    rowOf: {
      focused: (entry) => toRow(entry, Math.floor(limits.maxBytes * FOCUSED_SHARE)),
      plain: (entry) => toRow(entry, recordBytes),
    },
  });
  // Both ends get the rest of the room.
  const forMiddle = middle.reduce((sum, { bytes }) => sum + bytes, 2 * GAP_BYTES);
  const wide = yield* showBothEnds(records, {
    maxLines: Math.max(1, Math.floor((limits.maxLines - 2 * middle.length - 1) / 2)),
    maxBytes: Math.floor((limits.maxBytes - forMiddle) / 2),
    recordBytes,
  });
  const { head, end, lastOfHead, firstOfEnd } = wide && wide.bytes > narrow.bytes ? wide : narrow;
  const between = middle.filter(({ line }) => line > lastOfHead && line < firstOfEnd);
  const shown = [...head, ...between, ...end];
  return {
    text: compose(shown, records.count),
    lines: shown.length,
    chars: shown.reduce((sum, { chars }) => sum + chars, 0),
    splitsLine: false,
    focus: focusOfRows(between),
  };
}

interface BothEnds {
  head: ShownRecord[];
  end: ShownRecord[];
  lastOfHead: number;
  firstOfEnd: number;
  lines: number;
  bytes: number;
}

/** The first and the last records, as many of each as fit; `undefined` if one is not JSON. */
function* showBothEnds(records: ReturnType<typeof recordsOf>, room: Room): Steps<BothEnds | undefined> {
  const head = yield* showRecords(records.head, room);
  const tail = (yield* showRecords(records.tail.toReversed(), room))?.reverse();
  if (!head || !tail) return undefined;
  const lastOfHead = head.at(-1)?.line ?? 0;
  const end = tail.filter(({ line }) => line > lastOfHead);
  const bytes = [...head, ...end].reduce((sum, record) => sum + record.bytes, 0);
  const firstOfEnd = end[0]?.line ?? records.count + 1;
  return { head, end, lastOfHead, firstOfEnd, lines: head.length + end.length, bytes };
}

interface Room extends CutLimits {
  recordBytes: number;
}

interface NumberedLine {
  line: number;
  text: string;
}

/** The complete lines in both windows. */
function recordsOf(scan: TextScan): { head: NumberedLine[]; tail: NumberedLine[]; count: number } {
  const head = scan.head.split('\n').slice(0, -1);
  const tail = scan.tail.split('\n').slice(1);
  // The text after a closing newline is not a record.
  const count = tail.at(-1) === '' ? scan.lines - 1 : scan.lines;
  if (tail.at(-1) === '') tail.pop();
  return {
    head: head.map((text, index) => ({ line: index + 1, text })),
    tail: tail.map((text, index) => ({ line: count - tail.length + 1 + index, text })),
    count,
  };
}

/** As many records as fit; `undefined` if a line is not JSON. */
function* showRecords(lines: NumberedLine[], room: Room): Steps<ShownRecord[] | undefined> {
  const shown: ShownRecord[] = [];
  let bytes = 0;
  for (const [index, entry] of lines.entries()) {
    if (index % RECORDS_PER_STEP === 0) yield;
    const record = showRecord(entry, room.recordBytes);
    if (!record) return undefined;
    if (bytes + record.bytes > room.maxBytes || shown.length === room.maxLines) break;
    bytes += record.bytes;
    shown.push(record);
  }
  return shown;
}

function showRecord({ line, text }: NumberedLine, maxBytes: number): ShownRecord | undefined {
  const shrunk = shrinkJsonLine(text, maxBytes);
  return shrunk === undefined
    ? undefined
    : { line, text: shrunk, bytes: byteLength(shrunk) + 1, chars: text.length + 1 };
}

/** A part of a record that is too long to be stored completely, as a JSON string: its beginning, or the text around its terms. */
function quoteLine(entry: PlainLine | FocusedLine): ShownRecord {
  const isFocused = 'terms' in entry;
  const excerpt = isFocused ? excerptOf(entry) : { start: 0, text: `${entry.text.slice(0, QUOTED_CHARS)}…` };
  const from = isFocused ? entry.at + excerpt.start : 0;
  const column = from > 0 ? from + 1 : undefined;
  const row = numberedRow({ count: 1, lastLine: entry.line, ...entry, text: visibleText(excerpt.text), column });
  const text = JSON.stringify(row);
  return { line: entry.line, text, bytes: byteLength(text) + 1, chars: excerpt.text.length };
}

function compose(shown: ShownRecord[], count: number): string {
  const rows: string[] = [];
  let line = 0;
  for (const record of [...shown, { line: count + 1, text: undefined }]) {
    const lines = record.line - line - 1;
    if (lines > 0) rows.push(JSON.stringify(gapRow({ lines, from: line + 1 })));
    if (record.text !== undefined) rows.push(record.text);
    line = record.line;
  }
  return rows.join('\n');
}
