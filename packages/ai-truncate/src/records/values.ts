// With an exponent only where it cannot be an identifier: 1.5e5, 1e+20 and 1e-05 are numbers, 1e5 is a commit or a seat.
const NUMBER = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]\d+)?|\.\d+)$/;
const LONGEST_NUMBER = 80;

/**
 * What a cell of CSV stands for. Numbers are numbers; what only looks like one is text, as it is an identifier: 007, +1,
 * 1e5, 1,234. An empty cell is `null`: its column is there, its value is not. All else is text, dates too.
 */
export function toCell(text: string): string | number | bigint | null {
  if (text === '') return null;
  const first = text.charCodeAt(0);
  // Most text is told from numbers by its first character; after ' ' comes a padded number.
  if (first > 0x39 || text.length > LONGEST_NUMBER) return text;
  const trimmed = first <= 0x20 || text.charCodeAt(text.length - 1) <= 0x20 ? text.trim() : text;
  if (!NUMBER.test(trimmed)) return text;
  if (trimmed.length < 16) return Number(trimmed);
  return /^-?\d+$/.test(trimmed) ? exactInteger(trimmed) : Number(trimmed);
}

const LONGEST_INTEGER = 80;

/** An integer as it is written; a `bigint` where a number would be another one. */
export function exactInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) || digits.length > LONGEST_INTEGER ? number : BigInt(digits);
}

/** Sets a member that data names. By assignment `__proto__` would replace the prototype, or be lost. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

const ISO_DATE =
  /^(\d{4})([-/])(\d\d)(?:\2(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?)?$/i;

/**
 * The moment an ISO date stands for, in milliseconds since 1970; `undefined` when the text is none. Without an offset it
 * is taken for UTC, without a time for midnight, without a day for the first. 2015/06/01 is read like 2015-06-01: nothing
 * else can be meant by it.
 */
export function isoInstant(text: string): number | undefined {
  // A glance first: this is asked of every text.
  if (text.length < 7 || text.length > 40 || !isSeparator(text.charCodeAt(4))) return undefined;
  const parts = ISO_DATE.exec(text);
  if (!parts) return undefined;
  const [, year, separator, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = parts;
  if (day === undefined && separator === '/') return undefined;
  const dayOfMonth = Number(day ?? 1);
  // Years below 100 would be taken for 19xx, and February 30 for March 2.
  if (Number(year) < 100 || dayOfMonth < 1 || dayOfMonth > daysIn(Number(month), Number(year))) return undefined;
  const midnight = Date.UTC(Number(year), Number(month) - 1, dayOfMonth);
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const time = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(`${second}.${fraction}`) * 1000;
  return midnight + time - offsetMs(offset);
}

const MONTH_DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Of no month that there is: none. */
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
/** A time, an offset, the name of a day: whatever comes behind a date. */
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
 * Whether a text is a date that is not written as ISO: compared by its letters it would stand wrong, April before
 * January, and read as a moment it could be another (06/01 is in June or in January). English months.
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

/** How a date is written: dates that are written alike can be the same. */
export function dateNotation(text: string): string {
  // Words first: May and July have a letter that would stand for a year.
  return text
    .replace(/[a-z]+/gi, 'a')
    .replace(/\d{4}/g, 'y')
    .replace(/\d+/g, '9');
}
