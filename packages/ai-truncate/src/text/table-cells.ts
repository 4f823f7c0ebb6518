// Numbers with an exponent that cannot be identifiers: 1.5e5, 1e+20 and 1e-05 are numbers, but 1e5 is a commit or a seat.
const NUMBER = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]\d+)?|\.\d+)$/;
const LONGEST_NUMBER = 80;

/**
 * The value of a CSV cell. Texts such as 007, +1, 1e5 and 1,234 are identifiers and not numbers. An empty cell is `null`,
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

interface TableColumns {
  names: string[];
  /** The first row contains the names. Otherwise it is a record, and names are generated. */
  hasHeader: boolean;
}

/**
 * The names of the columns. The first row contains names unless it has a number or a date. Years are accepted as names, one for
 * each column. A missing name becomes `column_` and a number, and a duplicate name gets a number.
 */
export function nameColumns(firstRow: readonly string[]): TableColumns {
  const hasHeader = firstRow.every((cell) => !isDatum(cell.trim()));
  const names = new Set<string>();
  // The next number for a duplicate name. Without it, a thousand columns with one name would take a million steps.
  const nextCopies = new Map<string, number>();
  for (const [index, cell] of firstRow.entries()) {
    const wanted = (hasHeader && cell.trim()) || columnName(index);
    let name = wanted;
    let copy = nextCopies.get(wanted) ?? 2;
    while (names.has(name)) name = `${wanted}_${copy++}`;
    nextCopies.set(wanted, copy);
    names.add(name);
  }
  return { names: [...names], hasHeader };
}

/** The generated name of a column, by its index. */
export function columnName(index: number): string {
  return `column_${index + 1}`;
}

function isDatum(cell: string): boolean {
  if (/^(?:1[5-9]|2[01])\d\d$/.test(cell)) return false;
  return isoInstant(cell) !== undefined || (cell !== '' && typeof toCell(cell) !== 'string');
}
