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

/** The four digits of a text date that stand for its year. */
export function yearOf(text: string): string | undefined {
  return /\d{4}/.exec(text)?.[0];
}
