import type { Steps } from '../pace.ts';
import type { FocusedLine } from '../text/focused-lines.ts';
import { gapRow, numberedRow, REPEATS } from '../text/frame.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength, countLines, thousands } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { PROFILE_SHARE } from './fit-profile.ts';
import { chooseMiddleRows, excerptOf, focusOfRows, type PlainLine } from './middle-rows.ts';
import type { ShownText } from './preview-text.ts';
import type { MiddleRow } from './row-picker.ts';
import type { CutLimits } from './truncate-text.ts';

/** The share of the room for each end. The rest is for the important records between them. */
const END_SHARE = 0.35;
const END_SHARE_PROFILED = 0.15;
const END_SHARE_ASKED = 0.15;
/** The largest share of a record that matches the question. */
const FOCUSED_SHARE = 0.25;
/** A larger record is shortened, so that several records fit. */
const RECORD_SHARE = 0.1;
/** In short records, marks with line numbers take more room than line numbers in text. They must not replace records. */
const SHORT_FACTOR = 1.3;
/** The shown beginning of a record that is too long to be stored completely. */
const QUOTED_CHARS = 400;
const RECORDS_PER_STEP = 16;
/** A record between both ends, with a gap and a note before it. */
const LINES_PER_ROW = 3;
/** A line of each end and of the middle, with the gaps around it. */
const MIN_LINES = 5;

/** A record in an output. */
export interface RecordLine {
  /** Its first line, counted from 1. */
  line: number;
  /** The lines up to the next record. */
  lines: number;
  text: string;
}

/** The shape of the records of an output, and how they are written. Every record begins a line. */
export interface RecordForm {
  head: RecordLine[];
  tail: RecordLine[];
  /** The lines of the output, without an empty last line. */
  lines: number;
  /** A record in at most `maxBytes`, with a line feed; `undefined` if the text is not a record. */
  show(record: RecordText, maxBytes: number): string | undefined;
  /** A text of this library as a record that cannot be confused with records of the output. */
  write(words: string): string;
  /** The records are so short that a gap before each record of the middle would take most of the room. */
  isShort: boolean;
  /** The profile of all records. */
  profile(limits: CutLimits): string | undefined;
}

export type RecordText = Pick<RecordLine, 'line' | 'text'> & { lines?: number };

interface ShownRecord extends Omit<RecordLine, 'text'> {
  text: string;
  bytes: number;
  /** The number of characters of the output that it represents. */
  chars: number;
}

/**
 * The first and last records, the important ones between them, and a profile of all records. A gap is a record of this library, so
 * the preview can be read like the output. `undefined` if the output has no such records.
 */
export function* previewRecords(scan: TextScan, options: RecordOptions): Steps<ShownText | undefined> {
  const { form, ...limits } = options;
  if (!form || limits.maxLines < MIN_LINES || form.head.length === 0) return undefined;
  const recordBytes = Math.floor(limits.maxBytes * RECORD_SHARE);
  const profile = form.profile({
    maxBytes: Math.floor(limits.maxBytes * PROFILE_SHARE),
    maxLines: Math.floor((limits.maxLines - MIN_LINES) * PROFILE_SHARE),
  });
  const profileBytes = profile === undefined ? 0 : byteLength(profile) + 1;
  const profileLines = profile === undefined ? 0 : countLines(profile);
  const unaskedShare = profile === undefined ? END_SHARE : END_SHARE_PROFILED;
  const endShare = scan.focused.length > 0 ? END_SHARE_ASKED : unaskedShare;
  const narrow = yield* showBothEnds(form, {
    maxLines: Math.floor((limits.maxLines - profileLines) * endShare),
    maxBytes: Math.floor(limits.maxBytes * endShare),
    recordBytes,
  });
  if (!narrow) return undefined;
  const gapBytes = maxGapBytes(form);
  const markBytes = form.isShort ? marksBytes(form) : gapBytes;
  const repeats = new Map<number, Repeats>();
  const toRow = (entry: PlainLine | FocusedLine, maxBytes: number): MiddleRow => {
    const isPart = 'at' in entry && entry.at > 0;
    const record =
      (isPart ? undefined : showRecord(form, { line: entry.line, text: entry.text, maxBytes })) ??
      quoteLine(form, entry);
    const terms = 'terms' in entry ? entry.terms : undefined;
    const { count = 1, lastLine = entry.line } = entry as PlainLine;
    if (count > 1) repeats.set(entry.line, { count, lastLine });
    const repeatBytes = count > 1 ? byteLength(markOf([{ line: entry.line }], repeats)) : 0;
    return { ...record, at: 0, end: 0, start: entry.text, bytes: record.bytes + markBytes + repeatBytes, terms };
  };
  const middle = yield* chooseMiddleRows(scan, {
    after: narrow.lastOfHead,
    before: narrow.firstOfEnd,
    total: form.isShort ? Math.floor(limits.maxBytes * SHORT_FACTOR) : limits.maxBytes,
    maxBytes: limits.maxBytes - profileBytes - narrow.bytes - 2 * gapBytes,
    maxRows: Math.floor((limits.maxLines - profileLines - narrow.lines - 1) / LINES_PER_ROW),
    rowOf: {
      focused: (entry) => toRow(entry, Math.floor(limits.maxBytes * FOCUSED_SHARE)),
      plain: (entry) => toRow(entry, recordBytes),
      showsNeighbors: form.isShort,
    },
  });
  // Both ends get the rest of the room.
  const forMiddle = middle.reduce((sum, { bytes }) => sum + bytes, 2 * gapBytes + profileBytes);
  const wide = yield* showBothEnds(form, {
    maxLines: Math.max(1, Math.floor((limits.maxLines - profileLines - LINES_PER_ROW * middle.length - 1) / 2)),
    maxBytes: Math.floor((limits.maxBytes - forMiddle) / 2),
    recordBytes,
  });
  const { head, end, lastOfHead, firstOfEnd } = wide && wide.bytes > narrow.bytes ? wide : narrow;
  const between = middle.filter(({ line }) => line > lastOfHead && line < firstOfEnd);
  const shown = [...head, ...between.map((row) => ({ ...row, lines: 1 })), ...end];
  return {
    text: compose(form, { head, profile, middle: shown.slice(head.length, shown.length - end.length), end, repeats }),
    lines: shown.reduce((sum, { text }) => sum + countLines(text), 0),
    chars: shown.reduce((sum, { chars }) => sum + chars, 0),
    splitsLine: false,
    focus: focusOfRows(between),
  };
}

export interface RecordOptions extends CutLimits {
  form: RecordForm | undefined;
}

interface BothEnds {
  head: ShownRecord[];
  end: ShownRecord[];
  lastOfHead: number;
  firstOfEnd: number;
  lines: number;
  bytes: number;
}

/** The first and the last records, as many of each as fit; `undefined` if one is not a record. */
function* showBothEnds(form: RecordForm, room: Room): Steps<BothEnds | undefined> {
  const head = yield* showRecords(form, { records: form.head, ...room });
  const tail = (yield* showRecords(form, { records: form.tail.toReversed(), ...room }))?.reverse();
  if (!head || !tail) return undefined;
  const last = head.at(-1);
  const lastOfHead = last ? last.line + last.lines - 1 : 0;
  const end = tail.filter(({ line }) => line > lastOfHead);
  const all = [...head, ...end];
  const bytes = all.reduce((sum, record) => sum + record.bytes, 0);
  const lines = all.reduce((sum, record) => sum + countLines(record.text), 0);
  return { head, end, lastOfHead, firstOfEnd: end[0]?.line ?? form.lines + 1, lines, bytes };
}

interface Room extends CutLimits {
  recordBytes: number;
}

/** The records that fit; `undefined` if a text is not a record. */
function* showRecords(
  form: RecordForm,
  { records, maxBytes, maxLines, recordBytes }: Room & { records: readonly RecordLine[] },
): Steps<ShownRecord[] | undefined> {
  const shown: ShownRecord[] = [];
  let bytes = 0;
  let lines = 0;
  for (const [index, entry] of records.entries()) {
    if (index % RECORDS_PER_STEP === 0) yield;
    const record = showRecord(form, { ...entry, maxBytes: recordBytes });
    if (!record) return undefined;
    bytes += record.bytes;
    lines += countLines(record.text);
    if (bytes > maxBytes || lines > maxLines) break;
    shown.push(record);
  }
  return shown;
}

function showRecord(
  form: RecordForm,
  { maxBytes, ...record }: RecordText & { maxBytes: number },
): ShownRecord | undefined {
  const text = form.show(record, maxBytes);
  if (text === undefined) return undefined;
  return {
    line: record.line,
    lines: record.lines ?? 1,
    text,
    bytes: byteLength(text) + 1,
    chars: record.text.length + 1,
  };
}

/** A part of a record that is too long to store: its beginning, or the text around the terms of the question. */
function quoteLine(form: RecordForm, entry: PlainLine | FocusedLine): ShownRecord {
  const isFocused = 'terms' in entry;
  const excerpt = isFocused ? excerptOf(entry) : { start: 0, text: `${entry.text.slice(0, QUOTED_CHARS)}…` };
  const from = isFocused ? entry.at + excerpt.start : 0;
  const column = from > 0 ? from + 1 : undefined;
  const words = visibleText(excerpt.text);
  const text = form.write(numberedRow({ line: entry.line, text: words, count: 1, lastLine: entry.line, column }));
  return { line: entry.line, lines: 1, text, bytes: byteLength(text) + 1, chars: excerpt.text.length };
}

/** A gap with the most digits that this output allows, with its line feed. */
function maxGapBytes(form: RecordForm): number {
  const most = form.lines + 1;
  return byteLength(form.write(gapRow({ lines: most, from: most }))) + 1;
}

/** The number of records that share a mark with line numbers. The reader has to count them. */
const RECORDS_PER_MARK = 8;

/** The bytes of a mark for each of its records. The first of them is in the reserve for gaps. */
function marksBytes(form: RecordForm): number {
  const most = { line: form.lines + 1 };
  const marks = form.write(markOf([most, most], new Map()));
  return byteLength(`${most.line}, `) + Math.ceil(byteLength(marks) / RECORDS_PER_MARK);
}

/** A record that represents other records which differ from it only in numbers. */
interface Repeats {
  count: number;
  lastLine: number;
}

function markOf(records: readonly { line: number }[], repeats: ReadonlyMap<number, Repeats>): string {
  const lines = records.map(({ line }) => {
    const { count = 1, lastLine } = repeats.get(line) ?? {};
    return count === 1 ? `${line}` : `${line} (${thousands(count)}${REPEATS} ${lastLine})`;
  });
  return `... [${records.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}; others not shown] ...`;
}

interface Parts {
  head: readonly ShownRecord[];
  profile: string | undefined;
  middle: readonly ShownRecord[];
  end: readonly ShownRecord[];
  repeats: ReadonlyMap<number, Repeats>;
}

function compose(form: RecordForm, { head, profile, middle, end, repeats }: Parts): string {
  const rows = head.map(({ text }) => text);
  if (profile !== undefined) rows.push(profile);
  let next = lineAfter(head.at(-1)) ?? 1;
  const pushGap = (line: number) => {
    if (line > next) rows.push(form.write(gapRow({ lines: line - next, from: next })));
  };
  const step = form.isShort ? RECORDS_PER_MARK : 1;
  for (let at = 0; at < middle.length; at += step) {
    const group = middle.slice(at, at + step);
    const line = group[0]?.line ?? next;
    if (!form.isShort) pushGap(line);
    if (form.isShort || repeats.has(line)) rows.push(form.write(markOf(group, repeats)));
    for (const { text } of group) rows.push(text);
    next = lineAfter(group.at(-1)) ?? next;
  }
  pushGap(end[0]?.line ?? form.lines + 1);
  for (const { text } of end) rows.push(text);
  return rows.join('\n');
}

function lineAfter(record: ShownRecord | undefined): number | undefined {
  return record && record.line + record.lines;
}
