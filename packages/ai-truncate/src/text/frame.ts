import { byteLength, endOfFirstBytes, thousands, wellFormedText } from './utf.ts';

/** The tag that frames a preview in the text a model reads. */
export const PREVIEW_TAG = 'tool-output-preview';

const FRAME_TAG = /* @__PURE__ */ new RegExp(`<(?=[\\s/]*${PREVIEW_TAG})`, 'gi');

/** Makes the tag that frames a preview plain text. Done twice it changes nothing more. */
export function withoutFrameTags(text: string): string {
  return text.replace(FRAME_TAG, '&lt;');
}

/** What the model reads for one output: notice, framed preview, hint. `text` is the notice, and the hint on the next line. */
export function modelText({ text, preview }: { text: string; preview: string }): string {
  const [notice = '', ...hint] = text.split('\n');
  return [notice, `<${PREVIEW_TAG}>`, preview, `</${PREVIEW_TAG}>`, ...hint].join('\n');
}

/**
 * What a model reads of an envelope that may have come back from a client, who may have put anything into it: within the budget
 * again, and nothing leaves the frame. Of an envelope of ours nothing changes, so that the same history gives the same bytes.
 */
export function boundedModelText(output: { text: string; preview: string }, maxBytes: number): string {
  // A character weighs at least a byte: no more than that is ever looked at.
  const text = safe(output.text.slice(0, maxBytes));
  const preview = safe(output.preview.slice(0, maxBytes));
  const whole = modelText({ text, preview });
  if (byteLength(whole) <= maxBytes) return whole;
  const words = text.slice(0, endOfFirstBytes(text, Math.floor(maxBytes / 2)));
  // The notice tells how much was shown before: the row says that it is less now.
  const row = (shown: string) => `\n${gapRow({ lines: 0, from: 0, chars: output.preview.length - shown.length })}`;
  const room = maxBytes - byteLength(modelText({ text: words, preview: row('') }));
  const shown = preview.slice(0, endOfFirstBytes(preview, Math.max(0, room)));
  return modelText({ text: words, preview: shown.length < output.preview.length ? shown + row(shown) : shown });
}

function safe(text: string): string {
  return withoutFrameTags(wellFormedText(text));
}

/** Longer than any notice or hint that is written here, the path included. */
const MAX_NOTICE_CHARS = 1024;
const MAX_HINT_CHARS = 512;

const START = `\n<${PREVIEW_TAG}>\n`;
const END = `\n</${PREVIEW_TAG}>`;

/**
 * The preview in a text that has the form of `modelText`: a line, the frame, at most one more line; `undefined` for any other text.
 * Anybody can write such a text, so the words are not looked at, and the form proves nothing but the size of what is around the
 * preview. Looks at both ends only, however long the text is.
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
  // One line behind the frame, or none.
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
  /** Whole lines. */
  lines: number;
  /** The number of the first of them. */
  from: number;
  chars?: number | undefined;
  /** The line before the gap, when it is cut inside. */
  restOf?: number | undefined;
  /** The line after the gap, when it is cut inside. */
  startOf?: number | undefined;
}

/** The row that stands for what is not shown. Counts have separators; line numbers have none, so that they can be copied. */
export function gapRow({ lines, from, chars, restOf, startOf }: Gap): string {
  const amounts = [];
  if (lines > 0) amounts.push(count(lines, 'line'));
  if (chars !== undefined) amounts.push(count(chars, 'character'));
  const places = [];
  const isInsideOneLine = restOf !== undefined && restOf === startOf;
  if (restOf !== undefined && !isInsideOneLine) places.push(`the rest of line ${restOf}`);
  if (lines > 0) places.push(lines === 1 ? `line ${from}` : `lines ${from}-${from + lines - 1}`);
  if (startOf !== undefined && !isInsideOneLine) places.push(`the start of line ${startOf}`);
  const amount = amounts.length > 0 ? `${amounts.join(', ')} ` : '';
  return `... [${amount}not shown${places.length > 0 ? `: ${places.join(', ')}` : ''}] ...`;
}

/** A line out of the middle, with its true number. */
export function salientRow(row: { line: number; text: string; count: number; lastLine: number }): string {
  const repeats = row.count === 1 ? '' : ` [${thousands(row.count)}${REPEATS} ${row.lastLine}]`;
  return `${row.line}: ${row.text}${repeats}`;
}

function count(value: number, noun: string): string {
  return `${thousands(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Any blank looks like a space. */
export const BLANK = '[^\\S\\n]';
/** Words of the repeats of a `salientRow`. */
export const REPEATS = ' times, last in line';
/** The repeats of a `salientRow`, as an alternative of a regular expression. */
export const REPEATS_MARK: string = `\\[(?=\\d[\\d,]*${REPEATS.replaceAll(' ', BLANK)})`;
/** The same for the words of `omission` but those of a member. */
export const OMISSION_MARK: string = '…(?= \\[?\\d[\\d,.]* (?:more )?(?:item|member|character))'.replaceAll(' ', BLANK);

const GAP_START = `"?\\.\\.\\.${BLANK}\\[`;

/** What could pass for `gapRow`, in NDJSON too, for the repeats of a `salientRow`, or for `omission`. */
const MARK = /* @__PURE__ */ new RegExp(
  [
    // The blanks before it are looked at from its end, so that a run of blanks is read once and not from each of its characters.
    `${GAP_START}(?<=^${BLANK}*${GAP_START})(?=[^\\n]*not${BLANK}shown)`,
    `(?<!\\\\)${REPEATS_MARK}`,
    `(?<!\\\\)${OMISSION_MARK}`,
    '(?<!\\\\)"…+"(?=\\s*:\\s*"\\d)',
  ].join('|'),
  'gm',
);
/** Most texts have none of them. */
const MARK_PARTS = ['...', 'times,', '…'];

/** Text that could pass for one of these marks, with a backslash before it. */
export function withoutForgedMarks(text: string): string {
  return MARK_PARTS.some((part) => text.includes(part)) ? text.replace(MARK, '\\$&') : text;
}
