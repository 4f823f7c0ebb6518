import { dateNotation, isoInstant, isTextDate, toCell } from '../records/values.ts';

/**
 * What a value is to a query. ISO dates and numbers written as text are what they say; `number` includes `bigint`. A text
 * date is one that has no order: Jun 12 1998, 06/01/2015.
 */
export type ValueKind = keyof typeof RANKS;

/** The rank of a value in a sorted column: numbers, dates, text, truth values, values without an order, and `null` last. */
export const RANKS = {
  number: 0,
  'numeric text': 0,
  date: 1,
  'text date': 2,
  text: 2,
  boolean: 3,
  array: 4,
  object: 4,
  null: 5,
};

/** What a value is, and what it is compared by with values of its kind: a number, a moment, a text. */
export interface Comparable {
  kind: ValueKind;
  key: number | bigint | string;
}

export function toComparable(value: unknown): Comparable {
  if (typeof value === 'number' || typeof value === 'bigint') return { kind: 'number', key: value };
  if (typeof value === 'string') return textToComparable(value);
  if (typeof value === 'boolean') return { kind: 'boolean', key: String(value) };
  if (value === null || value === undefined) return { kind: 'null', key: '' };
  return { kind: Array.isArray(value) ? 'array' : 'object', key: '' };
}

function textToComparable(text: string): Comparable {
  const instant = isoInstant(text);
  if (instant !== undefined) return { kind: 'date', key: instant };
  // As in CSV: an identifier, such as 007 or +1, is text.
  const cell = toCell(text);
  if (typeof cell === 'number' || typeof cell === 'bigint') return { kind: 'numeric text', key: cell };
  return { kind: isTextDate(text) ? 'text date' : 'text', key: text };
}

export function kindOf(value: unknown): ValueKind {
  return toComparable(value).kind;
}

/** Of a number, or of text that is one; a `bigint` where a number would be another one. */
export function toNumber(value: unknown): number | bigint | undefined {
  const cell = typeof value === 'string' ? toCell(value) : value;
  return typeof cell === 'number' || typeof cell === 'bigint' ? cell : undefined;
}

/** Less than, equal to or greater than 0; numbers with numbers, texts by code unit. */
export function compareKeys(left: Comparable['key'], right: Comparable['key']): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `undefined`: the two cannot be compared. */
export type Verdict = boolean | undefined;

/**
 * Whether a value is one of several. A number equals itself as text, in both directions, because models quote numbers; two texts
 * are equal when they are spelled alike, because 1.1 and 1.10 are two versions. `true` equals 'true', because CSV cannot write
 * it otherwise. Dates are equal when they are the same moment. Values that can never be
 * equal, such as a day and a word, are refused, because an answer without a record would look as if the day did not occur.
 */
export function isOneOf(list: readonly unknown[]): (value: unknown) => Verdict {
  const wanted = list.filter((each) => each !== null).map((each) => withType(toComparable(each)));
  return (value) => {
    if (list.includes(value)) return true;
    const actual = withType(toComparable(value));
    let verdict: Verdict = wanted.length === 0 ? false : undefined;
    for (const one of wanted) {
      const isEqual = areEqual(actual, one);
      if (isEqual) return true;
      verdict ??= isEqual;
    }
    return verdict;
  };
}

/** Only values of one type can be equal; text dates have one for each way to write them. */
type Typed = Comparable & { type: string };

function withType({ kind, key }: Comparable): Typed {
  if (kind === 'text date') return { kind, key, type: dateNotation(String(key)) };
  return { kind, key, type: kind === 'numeric text' ? 'number' : kind };
}

function areEqual(actual: Typed, wanted: Typed): Verdict {
  // Two texts, which are not the same, or they had been found in the list.
  if (actual.kind === 'numeric text' && wanted.kind === 'numeric text') return false;
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are compared by value.
  if (actual.type === wanted.type) return actual.key == wanted.key;
  if (actual.kind === 'boolean' || wanted.kind === 'boolean') {
    const [one, other] = [String(actual.key).toLowerCase(), String(wanted.key).toLowerCase()];
    return isTruth(one) && isTruth(other) ? one === other : undefined;
  }
  // Text of digits may be looked for in any text.
  return wanted.kind === 'numeric text' && actual.kind === 'text' ? false : undefined;
}

export function isTruth(word: string): boolean {
  return word === 'true' || word === 'false';
}

/**
 * Whether a value comes before or after another one, as wanted. Numbers are compared with numbers, dates with dates as moments,
 * and text with text by code unit; a year among dates is a date. Other pairs have no order, such as a day and `today`, or a
 * number and a word. Dates that are not ISO have none either, because letters would order them wrongly.
 */
export function compared(wanted: unknown, isWanted: (order: number) => boolean): (value: unknown) => Verdict {
  const own = withType(toComparable(wanted));
  const asYear = /^\d{4}$/.test(String(wanted)) && typeof wanted === 'string';
  const ownDate = asYear ? withType(toComparable(`${wanted}-01-01`)) : own;
  return (value) => {
    const actual = toComparable(value);
    if (actual.kind === 'text date') return undefined;
    const other = actual.kind === 'date' ? ownDate : own;
    return withType(actual).type === other.type ? isWanted(compareKeys(actual.key, other.key)) : undefined;
  };
}
