import { dateNotation, isoInstant, isTextDate, toCell } from '../records/values.ts';

/**
 * What a value is to a query. ISO dates and numbers written as text are what they say; `number` includes `bigint`. A text
 * date is one that has no order: Jun 12 1998, 06/01/2015.
 */
export type ValueKind =
  | 'number'
  | 'numeric text'
  | 'date'
  | 'text date'
  | 'text'
  | 'boolean'
  | 'array'
  | 'object'
  | 'null';

export function kindOf(value: unknown): ValueKind {
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'string') {
    // As in CSV: an identifier, such as 007 or +1, is text.
    if (toNumber(value) !== undefined) return 'numeric text';
    if (isoInstant(value) !== undefined) return 'date';
    return isTextDate(value) ? 'text date' : 'text';
  }
  if (typeof value === 'boolean') return 'boolean';
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Of a number, or of text that is one; a `bigint` where a number would be another one. */
export function toNumber(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  const cell = typeof value === 'string' ? toCell(value) : undefined;
  return typeof cell === 'number' || typeof cell === 'bigint' ? cell : undefined;
}

/** Less than, equal to or greater than 0; numbers with numbers, texts by code unit. */
export function compareSame<Value extends string | number | bigint>(left: Value, right: Value): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `undefined`: the two cannot be compared. */
export type Verdict = boolean | undefined;

/** What a value is can be given where it is known. */
type EqualityTest = (value: unknown, kind?: ValueKind) => Verdict;

/**
 * Whether a value is the wanted one. A number equals itself as text, in both directions, as models quote numbers; `true`
 * equals 'true', as CSV has no other way to say it. Dates are equal when they are the same moment. What can never be equal,
 * such as a day and a word, cannot be compared: an answer without a record would look as if the day did not occur.
 */
export function equals(wanted: unknown): EqualityTest {
  if (wanted === null) return () => false;
  const isText = typeof wanted === 'string';
  const isComparable = isText ? comparableWith(wanted) : undefined;
  const instant = isText ? isoInstant(wanted) : undefined;
  const scalar = { number: toNumber(wanted), truth: truthOf(wanted), isTruth: typeof wanted === 'boolean' };
  return (value, kind) => {
    if (value === wanted) return true;
    if (typeof value === 'object') return undefined;
    if (!isComparable || typeof value !== 'string') return equalsScalar(value, scalar);
    // What a value is takes longer to tell than that it is a date, which lists have by the hundred thousand.
    const actual = instant === undefined ? undefined : isoInstant(value);
    if (actual !== undefined) return actual === instant;
    return isComparable(value, kind ?? kindOf(value)) ? false : undefined;
  };
}

/** Whether one of the two could be the other, by what they are. Text of digits may be looked for in any text. */
function comparableWith(wanted: string): (value: string, kind: ValueKind) => boolean {
  const wantedKind = kindOf(wanted);
  if (wantedKind === 'text date') {
    const notation = dateNotation(wanted);
    return (value, kind) => kind === 'text date' && dateNotation(value) === notation;
  }
  if (wantedKind === 'numeric text') return (_, kind) => kind === 'numeric text' || kind === 'text';
  return (_, kind) => kind === wantedKind;
}

function equalsScalar(
  value: unknown,
  { number, truth, isTruth }: { number: number | bigint | undefined; truth: boolean | undefined; isTruth: boolean },
): Verdict {
  if (typeof value === 'boolean' || isTruth) {
    const actual = truthOf(value);
    return actual === undefined || truth === undefined ? undefined : actual === truth;
  }
  const actual = number === undefined ? undefined : toNumber(value);
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are compared by value.
  return actual === undefined || number === undefined ? undefined : actual == number;
}

/** Whether a value is one of several. */
export function isOneOf(list: readonly unknown[]): (value: unknown) => Verdict {
  const tests = list.filter((wanted) => wanted !== null).map(equals);
  return (value) => {
    // Once, and not for each of two hundred.
    const kind = kindOf(value);
    let verdict: Verdict;
    for (const test of tests) {
      const isEqual = test(value, kind);
      if (isEqual) return true;
      verdict ??= isEqual;
    }
    return tests.length === 0 ? false : verdict;
  };
}

/** What may equal a value without being the same; nothing, when only the same can. */
export function candidates(wanted: unknown): ((item: unknown) => boolean) | undefined {
  if (wanted === null) return undefined;
  if (typeof wanted !== 'string') return (item) => item !== null && typeof item !== typeof wanted;
  const isDate = isoInstant(wanted) !== undefined;
  if (!isDate && toNumber(wanted) === undefined && truthOf(wanted) === undefined) return undefined;
  return (item) => (typeof item === 'string' ? isDate && looksLikeDate(item) : item !== null);
}

function looksLikeDate(item: string): boolean {
  return item.length >= 7 && item.length <= 40 && (item[4] === '-' || item[4] === '/');
}

function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' && value.length < 6 ? value.toLowerCase() : undefined;
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** Whether a value stands where it is wanted: before or after another one. */
export function compared(wanted: unknown, isWanted: (order: number) => boolean): (value: unknown) => Verdict {
  const orderOf = orderTo(wanted);
  return (value) => {
    const order = orderOf(value);
    return order === undefined ? undefined : isWanted(order);
  };
}

/**
 * Numbers with numbers, dates with dates as moments, text with text by code unit; a year is a date where dates stand.
 * Nothing else has an order: a day and `today`, a number and a word. Nor have dates that are not ISO, which letters would
 * put wrong.
 */
function orderTo(wanted: unknown): (value: unknown) => number | undefined {
  const number = toNumber(wanted);
  const text = typeof wanted === 'string' ? wanted : undefined;
  const instant = text === undefined ? undefined : isoInstant(/^\d{4}$/.test(text) ? `${text}-01-01` : text);
  const isPlainText = text !== undefined && kindOf(text) === 'text';
  return (value) => {
    if (typeof value === 'string') {
      if (isPlainText) return kindOf(value) === 'text' ? compareSame(value, text) : undefined;
      const numeric = number === undefined ? undefined : toNumber(value);
      if (number !== undefined && numeric !== undefined) return compareSame<number | bigint>(numeric, number);
      const actual = instant === undefined ? undefined : isoInstant(value);
      return actual === undefined || instant === undefined ? undefined : compareSame(actual, instant);
    }
    if (number === undefined || kindOf(value) !== 'number') return undefined;
    return compareSame(value as number | bigint, number);
  };
}
