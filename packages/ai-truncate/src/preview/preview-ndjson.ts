import type { Steps } from '../pace.ts';
import { gapRow, salientRow } from '../text/frame.ts';
import type { SalientLine } from '../text/salient-lines.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { shrinkJsonLine } from './preview-json.ts';
import { fitSalient, type ShownText } from './preview-text.ts';
import type { CutLimits } from './truncate-text.ts';

/** Of the room, what each end may have; the rest is for the salient records between them. */
const END_SHARE = 0.35;
/** A larger record is shrunk, so that more than a few can be seen. */
const RECORD_SHARE = 0.1;
/** Of a record that is too long to be kept whole. */
const QUOTED_CHARS = 400;
/** A gap row as a JSON string, with its line feed. */
const GAP_BYTES = 100;

const RECORDS_PER_STEP = 16;

interface ShownRecord {
  /** Counts from 1. */
  line: number;
  text: string;
  bytes: number;
  /** Characters of the output that it stands for. */
  chars: number;
}

/**
 * First and last records and the salient ones between, one JSON value a line; `undefined` when the output is not NDJSON.
 * A gap is a JSON string, so every line of the preview parses.
 */
export function* previewNdjson(scan: TextScan, limits: CutLimits): Steps<ShownText | undefined> {
  if (limits.maxLines < 5 || !/^\s*[{[]/.test(scan.head)) return undefined;
  const records = recordsOf(scan);
  if (records.head.length === 0) return undefined;
  const room = { maxLines: Math.floor(limits.maxLines * END_SHARE), maxBytes: Math.floor(limits.maxBytes * END_SHARE) };
  const recordBytes = Math.floor(limits.maxBytes * RECORD_SHARE);
  const head = yield* showRecords(records.head, { ...room, recordBytes });
  const tail = (yield* showRecords(records.tail.reverse(), { ...room, recordBytes }))?.reverse();
  if (!head || !tail) return undefined;

  const lastOfHead = head.at(-1)?.line ?? 0;
  const end = tail.filter(({ line }) => line > lastOfHead);
  const firstOfEnd = end[0]?.line ?? records.count + 1;
  const used = [...head, ...end].reduce((sum, { bytes }) => sum + bytes, 2 * GAP_BYTES);
  const middle = yield* fitSalient(
    scan.salientLines.filter(({ line }) => line > lastOfHead && line < firstOfEnd),
    {
      maxBytes: limits.maxBytes - used,
      maxRows: Math.floor((limits.maxLines - head.length - end.length - 1) / 2),
      toRow: (entry) => {
        const record = showRecord(entry, recordBytes) ?? quoteLine(entry);
        return { ...record, bytes: record.bytes + GAP_BYTES };
      },
    },
  );
  const shown = [...head, ...middle, ...end];
  return {
    text: compose(shown, records.count),
    lines: shown.length,
    chars: shown.reduce((sum, { chars }) => sum + chars, 0),
    splitsLine: false,
  };
}

interface Room extends CutLimits {
  recordBytes: number;
}

interface NumberedLine {
  line: number;
  text: string;
}

/** The whole lines that both windows hold. */
function recordsOf(scan: TextScan): { head: NumberedLine[]; tail: NumberedLine[]; count: number } {
  const head = scan.head.split('\n').slice(0, -1);
  const tail = scan.tail.split('\n').slice(1);
  // What stands behind a closing newline is no record.
  const count = tail.at(-1) === '' ? scan.lines - 1 : scan.lines;
  if (tail.at(-1) === '') tail.pop();
  return {
    head: head.map((text, index) => ({ line: index + 1, text })),
    tail: tail.map((text, index) => ({ line: count - tail.length + 1 + index, text })),
    count,
  };
}

/** As many as fit; `undefined` when one is no JSON. */
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

/** A record too long to be kept whole: its beginning, as a JSON string. */
function quoteLine(entry: SalientLine): ShownRecord {
  const start = entry.text.slice(0, QUOTED_CHARS);
  const text = JSON.stringify(salientRow({ ...entry, text: `${visibleText(start)}…` }));
  return { line: entry.line, text, bytes: byteLength(text) + 1, chars: start.length };
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
