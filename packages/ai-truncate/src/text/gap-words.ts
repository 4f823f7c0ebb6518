import { thousands } from './utf.ts';

/** What a gap between two shown parts leaves out. Line numbers count from 1. */
export interface Gap {
  /** Whole lines. */
  lines: number;
  /** The number of the first of them. */
  from: number;
  chars?: number | undefined;
  /** The line before the gap, when it is cut inside. */
  restOf?: number | undefined;
  /** The line behind the gap, when it is cut inside. */
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
