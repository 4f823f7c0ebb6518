// Numbers with an exponent that cannot be identifiers: 1.5e5, 1e+20 and 1e-05 are numbers, but 1e5 is a commit or a seat.
const NUMBER = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]\d+)?|\.\d+)$/;
const LONGEST_NUMBER = 80;

/**
 * The value of a CSV cell. A text that only looks like a number is an identifier: 007, +1, 1e5, 1,234. An empty cell is `null`,
 * because its column exists but its value does not. Anything else is text, including dates.
 */
export function toCell(text: string): string | number | bigint | null {
  if (text === '') return null;
  const first = text.charCodeAt(0);
  // The first character distinguishes most text from numbers. A padded number can follow ' '.
  if (first > 0x39 || text.length > LONGEST_NUMBER) return text;
  const trimmed = first <= 0x20 || text.charCodeAt(text.length - 1) <= 0x20 ? text.trim() : text;
  if (!NUMBER.test(trimmed)) return text;
  if (trimmed.length < 16) return Number(trimmed);
  return /^-?\d+$/.test(trimmed) ? exactInteger(trimmed) : Number(trimmed);
}

const LONGEST_INTEGER = 80;

/** An integer as written; a `bigint` if a `number` would change it. */
export function exactInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) || digits.length > LONGEST_INTEGER ? number : BigInt(digits);
}

/** Sets a member with a name from the data. Assigning `__proto__` would replace the prototype or be ignored. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

const ISO_DATE =
  /^(\d{4})([-/])(\d\d)(?:\2(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?)?$/i;

/**
 * The time of an ISO date, in milliseconds since 1970; `undefined` if the text is not an ISO date. The default offset is UTC, the
 * default time midnight, and the default day the first. 2015/06/01 is read as 2015-06-01, because it has no other meaning.
 */
export function isoInstant(text: string): number | undefined {
  // A cheap test first, because this is called for every text.
  if (text.length < 7 || text.length > 40 || !isSeparator(text.charCodeAt(4))) return undefined;
  const parts = ISO_DATE.exec(text);
  if (!parts) return undefined;
  const [, year, separator, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = parts;
  if (day === undefined && separator === '/') return undefined;
  const dayOfMonth = Number(day ?? 1);
  // `Date.UTC` would read years below 100 as 19xx, and February 30 as March 2.
  if (Number(year) < 100 || dayOfMonth < 1 || dayOfMonth > daysIn(Number(month), Number(year))) return undefined;
  const midnight = Date.UTC(Number(year), Number(month) - 1, dayOfMonth);
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const time = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(`${second}.${fraction}`) * 1000;
  return midnight + time - offsetMs(offset);
}

/** The known parts of a date and time. */
export interface DateParts {
  year: number;
  month?: number;
  day?: number;
  hour?: number;
}

const PARTIAL_DATE = /^(\d{4})(?:[-/](\d\d)(?:[-/](\d\d)(?:[T ](\d\d):.{0,30})?)?)?$/i;
/** The limits for seconds or milliseconds since 1970, starting in 1973. */
const FIRST_SECOND = 1e8;
const FIRST_MILLISECOND = 1e11;
const LAST_MILLISECOND = 1e14;

/**
 * The year, month, day and hour of an ISO date, as written and in its own time zone. A number of nine digits or more is seconds
 * or milliseconds since 1970, in UTC. A part of 00 is unknown, as in 1943-00-00.
 */
export function isoParts(value: unknown): DateParts | undefined {
  if (typeof value === 'number') return partsOfNumber(value);
  const parts = typeof value === 'string' && value.length <= LONGEST ? PARTIAL_DATE.exec(value) : undefined;
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0] = parts.slice(1, 4).map(Number);
  if (month > 12 || day > 31) return undefined;
  const hour = parts[4] === undefined ? undefined : Number(parts[4]);
  return {
    year,
    ...(month > 0 && { month }),
    ...(month > 0 && day > 0 && { day }),
    ...(hour !== undefined && { hour }),
  };
}

function partsOfNumber(value: number): DateParts | undefined {
  if (Number.isInteger(value) && value >= 1000 && value < 10_000) return { year: value };
  if (value < FIRST_SECOND || value >= LAST_MILLISECOND) return undefined;
  const date = new Date(value < FIRST_MILLISECOND ? value * 1000 : value);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  return { year, month, day: date.getUTCDate(), hour: date.getUTCHours() };
}

const MONTH_DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** 0 for an invalid month. */
function daysIn(month: number, year: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return (MONTH_DAYS[month] ?? 0) + (month === 2 && isLeap ? 1 : 0);
}

function isSeparator(code: number): boolean {
  return code === 0x2d || code === 0x2f;
}

function offsetMs(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', ''));
  return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const SHORTEST = 6;
const LONGEST = 40;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const DAY = '\\d{1,2}(?:st|nd|rd|th)?\\.?';
const YEAR = "(?:\\d{4}|'?\\d\\d)";
const GAP = '[ ,./-]{1,2}';
/** The rest of a date: a time, an offset, the name of a day. */
const REST = '(?:[ T,:].*)?';

/** Jun 12 1998, June 1998, 12-Jun-98, Fri, 12 Jun 1998 10:00:00 GMT, Fri Jun 12 10:00:00 1998, 12/Jun/1998:10:00:00 */
const WITH_MONTH_NAME = new RegExp(
  `^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\\.?${GAP})?(?:` +
    `${MONTH}${GAP}${DAY}${GAP}(?:${YEAR}|\\d\\d:\\d\\d.*\\d{4})|${MONTH}${GAP}\\d{4}|${DAY}${GAP}${MONTH}${GAP}${YEAR}` +
    `)${REST}$`,
  'i',
);
/** 06/01/2015, 1.6.2015, 6-1-2015; of two digits only 06/01/15 */
const DAYS_FIRST = new RegExp(`^(\\d{1,2})(?:([./-])(\\d{1,2})\\2\\d{4}|/(\\d{1,2})/\\d\\d)${REST}$`);
/** 2015/6/1, 2015.06.01 */
const YEAR_FIRST = new RegExp(`^\\d{4}([./-])(\\d{1,2})\\1(\\d{1,2})${REST}$`);

/**
 * Whether a text is a date that is not ISO, with English months. Its letters would sort it wrongly, because April comes before
 * January. Its time can be ambiguous, because 06/01 is in June or in January.
 */
export function isTextDate(text: string): boolean {
  if (text.length < SHORTEST || text.length > LONGEST) return false;
  const first = text.charCodeAt(0);
  if (first < 0x30 || first > 0x39) return WITH_MONTH_NAME.test(text);
  const days = DAYS_FIRST.exec(text) ?? YEAR_FIRST.exec(text);
  if (!days) return WITH_MONTH_NAME.test(text);
  const [one, other] = days.slice(1).filter((part) => part !== undefined && /\d/.test(part)) as [string, string];
  return isDayAndMonth(Number(one), Number(other));
}

function isDayAndMonth(one: number, other: number): boolean {
  return Math.min(one, other) >= 1 && Math.min(one, other) <= 12 && Math.max(one, other) <= 31;
}

/** The notation of a date. Only dates in the same notation can be equal. */
export function dateNotation(text: string): string {
  // Replaces words first, because May and July contain a letter that represents a year.
  return text
    .replace(/[a-z]+/gi, 'a')
    .replace(/\d{4}/g, 'y')
    .replace(/\d+/g, '9');
}
