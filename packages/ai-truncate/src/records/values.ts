/** Sets a member with a name from the data. Assigning `__proto__` would replace the prototype or be ignored. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
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
/** 06/01/2015, 1.6.2015, 6-1-2015; with a year of two digits only 06/01/15 */
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
