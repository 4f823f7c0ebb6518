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
