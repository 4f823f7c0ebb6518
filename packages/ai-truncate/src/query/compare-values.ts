import { dateNotation, isTextDate } from '../records/values.ts';
import { isoInstant, toCell } from '../text/table-cells.ts';

/**
 * The type of a value in a query. A text that is an ISO date or a number has the type of its content. `number` includes `bigint`.
 * A text date has no order: Jun 12 1998, 06/01/2015.
 */
export type ValueKind = keyof typeof RANKS;

/** The rank of a type in a sorted column: numbers, dates, text, booleans, values without an order, and `null` last. */
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

/** The type of a value, and the key by which it is compared with values of the same type: a number, a time, or a text. */
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
  // An identifier such as 007 or +1 is text, as in CSV.
  const cell = toCell(text);
  if (typeof cell === 'number' || typeof cell === 'bigint') return { kind: 'numeric text', key: cell };
  return { kind: isTextDate(text) ? 'text date' : 'text', key: text };
}

export function kindOf(value: unknown): ValueKind {
  return toComparable(value).kind;
}

/** The number in a number or a numeric text. A `bigint` if a `number` would change it. */
export function toNumber(value: unknown): number | bigint | undefined {
  const cell = typeof value === 'string' ? toCell(value) : value;
  return typeof cell === 'number' || typeof cell === 'bigint' ? cell : undefined;
}

/** Less than, equal to or greater than 0. Numbers are compared with numbers, and texts by code unit. */
export function compareKeys(left: Comparable['key'], right: Comparable['key']): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `undefined` means that the two values cannot be compared. */
export type Verdict = boolean | undefined;

/**
 * Whether a value equals one item of a list.
 * - A number equals the same number as text, in both directions, because models quote numbers.
 * - Two texts are equal only if they are spelled alike, because 1.1 and 1.10 are two versions.
 * - `true` equals 'true', because CSV cannot write it otherwise.
 * - Dates are equal if they are the same time.
 * - Values that can never be equal, such as a day and a word, are refused. An empty answer would suggest that the day did not
 *   occur.
 */
export function isOneOf(list: readonly unknown[]): (value: unknown) => Verdict {
  const same = new Set(list);
  const wanted = new WantedValues(list.filter((each) => each !== null));
  return (value) => same.has(value) || wanted.verdictOn(value);
}

/** Only values of the same type can be equal. Each notation of a text date is a type. */
type Typed = Comparable & { type: string };

function withType({ kind, key }: Comparable): Typed {
  if (kind === 'text date') return { kind, key, type: dateNotation(String(key)) };
  return { kind, key, type: kind === 'numeric text' ? 'number' : kind };
}

/** Values by type, so that a comparison with ten thousand values is as fast as with one. */
class WantedValues {
  readonly #keys = new Map<string, Set<Comparable['key']>>();
  /** Numeric texts, apart from the numbers, because two texts are equal only if they are spelled alike. */
  readonly #numericTexts = new Set<Comparable['key']>();
  readonly #words = new Set<string>();

  constructor(list: readonly unknown[]) {
    for (const each of list) {
      const { kind, key, type } = withType(toComparable(each));
      const keys = this.#keys.get(type) ?? new Set();
      this.#keys.set(type, keys);
      if (kind === 'numeric text') this.#numericTexts.add(oneForm(key));
      else keys.add(oneForm(key));
      const word = String(each).toLowerCase();
      if (isTruth(word)) this.#words.add(word);
    }
  }

  verdictOn(value: unknown): Verdict {
    if (this.#keys.size === 0) return false;
    const { kind, key, type } = withType(toComparable(value));
    const keys = this.#keys.get(type);
    const form = oneForm(key);
    if (keys?.has(form) || (kind === 'number' && this.#numericTexts.has(form))) return true;
    const word = String(key).toLowerCase();
    const isWord = this.#words.size > 0 && isTruth(word) && (kind === 'boolean' || this.#keys.has('boolean'));
    if (isWord) return this.#words.has(word);
    // A text of digits can be compared with any text.
    return keys || (kind === 'text' && this.#numericTexts.size > 0) ? false : undefined;
  }
}

/** A number beyond 2^53 and a `bigint` of the same value have the same key. */
function oneForm(key: Comparable['key']): Comparable['key'] {
  return typeof key === 'number' && Number.isInteger(key) && !Number.isSafeInteger(key) ? BigInt(key) : key;
}

export function isTruth(word: string): boolean {
  return word === 'true' || word === 'false';
}

/**
 * Whether a value comes before or after another value. Numbers are compared with numbers, dates with dates by their time, and
 * text with text by code unit. A year that is compared with dates is a date. Other pairs have no order, such as a day and
 * `today`, or a number and a word. Dates that are not ISO have no order either, because their letters would sort them wrongly.
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
