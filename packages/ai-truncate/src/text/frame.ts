import { byteLength, endOfFirstBytes, firstChars, thousands, wellFormedText } from './utf.ts';

/** The tag that frames a preview in the text for the model. */
export const PREVIEW_TAG = 'tool-output-preview';

const FRAME_TAG = /* @__PURE__ */ new RegExp(`<(?=[\\s/]*${PREVIEW_TAG})`, 'gi');

/** Turns the tag that frames a preview into plain text. Repeating this changes nothing. */
export function withoutFrameTags(text: string): string {
  return text.replace(FRAME_TAG, '&lt;');
}

/**
 * The text that the model sees for one output: notice, framed preview, hint. `text` is the notice, with the hint on the next
 * line.
 */
export function modelText({ text, preview }: { text: string; preview: string }): string {
  const [notice = '', ...hint] = text.split('\n');
  return [notice, `<${PREVIEW_TAG}>`, preview, `</${PREVIEW_TAG}>`, ...hint].join('\n');
}

/**
 * The model text of an envelope that a client may have changed. It is within the budget again, and no text leaves the frame. An
 * envelope of this library does not change, so that the same history results in the same bytes.
 */
export function boundedModelText(output: { text: string; preview: string }, budget: TextBudget): string {
  const { maxBytes, maxChars = maxBytes } = budget;
  // A character has at least one byte, so no more characters can be needed.
  const text = safe(output.text.slice(0, maxBytes));
  const preview = safe(output.preview.slice(0, maxBytes));
  const whole = modelText({ text, preview });
  if (byteLength(whole) <= maxBytes && whole.length <= maxChars) return whole;
  const words = firstPart(text, { maxBytes: Math.floor(maxBytes / 2), maxChars: Math.floor(maxChars / 2) });
  // The notice states the size of the old preview, so a row states the difference.
  const row = (shown: string) => `\n${gapRow({ lines: 0, from: 0, chars: output.preview.length - shown.length })}`;
  const around = modelText({ text: words, preview: row('') });
  const shown = firstPart(preview, { maxBytes: maxBytes - byteLength(around), maxChars: maxChars - around.length });
  return modelText({ text: words, preview: shown.length < output.preview.length ? shown + row(shown) : shown });
}

/** The most text that a model may see. */
export interface TextBudget {
  maxBytes: number;
  /** UTF-16 units. @default no limit */
  maxChars?: number;
}

function firstPart(text: string, { maxBytes, maxChars = maxBytes }: TextBudget): string {
  return firstChars(text, Math.min(endOfFirstBytes(text, Math.max(0, maxBytes)), maxChars));
}

function safe(text: string): string {
  return withoutFrameTags(wellFormedText(text));
}

/** Longer than any notice or hint of this library, including the path. */
const MAX_NOTICE_CHARS = 1024;
const MAX_HINT_CHARS = 512;

const START = `\n<${PREVIEW_TAG}>\n`;
const END = `\n</${PREVIEW_TAG}>`;

/**
 * The preview in a text that has the form of `modelText`: a line, the frame, and at most one more line; `undefined` for any other
 * text. Anybody can write such a text, so its words are not checked. The form only proves the size of the text around the
 * preview. Only the ends are inspected, for a text of any length.
 */
export function framedPreviewOf(text: string): string | undefined {
  const notice = lineAtStart(text);
  if (notice === undefined) return undefined;
  const start = notice.length + START.length;
  if (text.slice(notice.length, start) !== START) return undefined;
  const tailFrom = Math.max(start - 1, text.length - MAX_HINT_CHARS - END.length - 1);
  const offset = text.slice(tailFrom).lastIndexOf(END);
  const end = tailFrom + offset;
  if (offset === -1) return undefined;
  const behind = text.slice(end + END.length);
  // One line after the frame, or no line.
  if (behind !== '' && (behind[0] !== '\n' || behind.includes('\n', 1))) return undefined;
  const preview = text.slice(Math.min(start, end), end);
  return withoutFrameTags(preview) === preview ? preview : undefined;
}

function lineAtStart(text: string): string | undefined {
  const end = text.slice(0, MAX_NOTICE_CHARS + 1).indexOf('\n');
  return end === -1 ? undefined : text.slice(0, end);
}

/** The gap between two shown parts. Line numbers count from 1. */
export interface Gap {
  /** The number of missing whole lines. */
  lines: number;
  /** The number of the first missing line. */
  from: number;
  chars?: number | undefined;
  /** The line before the gap, if it is cut. */
  restOf?: number | undefined;
  /** The line after the gap, if it is cut. */
  startOf?: number | undefined;
  /** The last text of a value that begins in the gap, or in the line after it. */
  begins?: TextStart | undefined;
  /** Numbered rows that follow: lines of the gap, or parts of its only line. */
  rows?: { shown: number; last: number; about?: string | undefined } | undefined;
  /** Patterns of the lines in the gap, such as `2,391 like "INFO worker # ok"`. */
  like?: readonly string[] | undefined;
}

/** The start of a text inside a value. */
export interface TextStart {
  line: number;
  /** Its key in quotes, or its place in an array, without characters that hide or reorder text. */
  name: string;
}

/** The row that replaces a missing part. Counts have separators. Line numbers have no separators, so that they can be copied. */
export function gapRow({ lines, from, chars, restOf, startOf, begins, rows, like = [] }: Gap): string {
  const amounts = [];
  if (lines > 0) amounts.push(count(lines, 'line'));
  if (chars !== undefined) amounts.push(count(chars, 'character'));
  const places = [];
  const isInsideOneLine = restOf !== undefined && restOf === startOf;
  if (restOf !== undefined && !isInsideOneLine) places.push(`the rest of line ${restOf}`);
  const last = rows?.last ?? from + lines - 1;
  if (last >= from) places.push(last === from ? `line ${from}` : `lines ${from}-${last}`);
  if (startOf !== undefined && !isInsideOneLine) places.push(`the start of line ${startOf}`);
  if (begins) places.push(beginning(begins));
  const amount = amounts.length > 0 ? `${amounts.join(', ')} ` : '';
  const about = rows?.about === undefined ? '' : `, ${rows.about}`;
  const except = rows ? `, except the ${count(rows.shown, 'row')} below${about}` : '';
  const alike = like.length > 0 ? `; ${like.join(', ')}` : '';
  return `... [${amount}not shown${places.length > 0 ? `: ${places.join(', ')}` : ''}${except}${alike}] ...`;
}

/** The row before a shown line in which a text of a value begins. */
export function textRow(start: TextStart): string {
  return `... [${beginning(start)}] ...`;
}

function beginning({ line, name }: TextStart): string {
  return `${name}${BEGINS} ${line}`;
}

/** The row after numbered rows. After it, the output is shown again. */
export function endOfRows({ startOf, last }: { startOf: number | undefined; last: number | undefined }): string {
  const part = startOf === undefined ? '' : `the start of line ${startOf}`;
  const lines = last === undefined ? '' : `the other lines up to line ${last}`;
  return `... [not shown: ${[lines, part].filter(Boolean).join(', ') || 'the characters around these rows'}] ...`;
}

/** A line from the middle with its true number, and the column from which it is shown. */
export function numberedRow(row: {
  line: number;
  text: string;
  count: number;
  lastLine: number;
  column?: number | undefined;
  /** The lines that a file of a diff adds and removes. */
  changes?: { added: number; removed: number } | undefined;
}): string {
  const repeats = row.count === 1 ? '' : ` [${thousands(row.count)}${REPEATS} ${row.lastLine}]`;
  const changes = row.changes
    ? ` [${ADDS} ${count(row.changes.added, 'line')}, removes ${thousands(row.changes.removed)}]`
    : '';
  const place = row.column === undefined ? `${row.line}` : `${row.line}:${row.column}`;
  return `${place}: ${row.text}${repeats}${changes}`;
}

function count(value: number, noun: string): string {
  return `${thousands(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** The words of a `textRow`. */
const BEGINS = ' begins in line';
/** Matches any blank, because all blanks look like a space. */
export const BLANK = '[^\\S\\n]';
/** The words for the repeats of a `numberedRow`. */
export const REPEATS = ' times, last in line';
/** Matches the repeats of a `numberedRow`, as an alternative of a regular expression. */
export const REPEATS_MARK: string = `\\[(?=\\d[\\d,]*${REPEATS.replaceAll(' ', BLANK)})`;
/** The first word of the text about the changes of a file in a `numberedRow`. */
const ADDS = 'adds';
/** Matches the words of `omission`, except for a member. */
export const OMISSION_MARK: string = '…(?= \\[?\\d[\\d,.]* (?:more )?(?:item|member|record|character))'.replaceAll(
  ' ',
  BLANK,
);

const BEGINS_MARK = `${BEGINS.replaceAll(' ', BLANK)}${BLANK}\\d`;
const GAP_START = `"?\\.\\.\\.${BLANK}\\[`;

/** Matches text that could imitate `gapRow` (also in NDJSON), `textRow`, the repeats of a `numberedRow`, or `omission`. */
const MARK = /* @__PURE__ */ new RegExp(
  [
    // Looks back at the blanks before the mark, so that a run of blanks is read only once.
    `${GAP_START}(?<=^${BLANK}*${GAP_START})(?=[^\\n]*(?:not${BLANK}shown|${BEGINS_MARK}))`,
    `(?<!\\\\)${REPEATS_MARK}`,
    `(?<!\\\\)\\[(?=${ADDS}${BLANK}\\d)`,
    `(?<!\\\\)${OMISSION_MARK}`,
    '(?<!\\\\)"…+"(?=\\s*:\\s*"\\d)',
  ].join('|'),
  'gm',
);
/** A cheap check, because most texts contain none of these parts. */
const MARK_PARTS = ['...', 'times,', '[adds', '…'];

/** Adds a backslash to text that could imitate one of these marks. */
export function withoutForgedMarks(text: string): string {
  return MARK_PARTS.some((part) => text.includes(part)) ? text.replace(MARK, '\\$&') : text;
}
