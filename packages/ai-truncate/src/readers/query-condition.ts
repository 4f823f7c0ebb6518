import type { Operator, QueryCondition } from './query-arguments.ts';
import { compareSame, kindOf, toNumber } from './query-value.ts';
import { isoInstant } from './record-date.ts';

/** `undefined`: the two cannot be compared. */
type Verdict = boolean | undefined;

/** Makes the test of one pattern, e.g. with RE2. Throws with a reason when the pattern is none. */
export type PatternMatcher = (pattern: string) => (text: string) => boolean;

/** All patterns together are tried on so many characters of a record: a linear engine needs short steps too. */
const MAX_MATCHED_CHARS = 4096;

/** Items of lists that all conditions together look at in one record; one that is compared with effort counts as many. */
const MAX_ITEMS = 1_000_000;
const COMPARISON_ITEMS = 60;

export interface ConditionOptions {
  /** How many conditions of the query look into lists. */
  lists: number;
  toMatcher: PatternMatcher | undefined;
  /** How many conditions of the query are patterns. */
  patterns: number;
}

/** One condition, and how it fared: an answer that is empty for lack of anything comparable must not look like one. */
export class Condition {
  readonly condition: QueryCondition;
  readonly #test: (value: unknown) => Verdict;
  compared = 0;
  incomparable = 0;
  /** The first value that could not be compared. */
  example: unknown;
  /** Values that a pattern was tried on only in part: so many characters. */
  cut = 0;
  readonly matchedChars: number;
  /** Lists of which not all items were compared with more effort than as what they are. */
  cutLists = 0;
  readonly #maxItems: number;
  /** A day was compared with moments of that day, which a reader may have meant to be the same. */
  meetsTimesOfDay = false;
  readonly #day: string | undefined;

  constructor(condition: QueryCondition, { toMatcher, patterns, lists }: ConditionOptions) {
    this.#maxItems = Math.floor(MAX_ITEMS / Math.max(1, lists));
    this.#day = dayOf(condition);
    this.matchedChars = Math.floor(MAX_MATCHED_CHARS / Math.max(1, patterns));
    this.condition = condition;
    this.#test = this.#testOf(condition, toMatcher);
  }

  /** Whether a value is as wanted; `undefined` is a field that the record does not have. */
  holds(value: unknown): boolean {
    const { op, value: wanted } = this.condition;
    if (op === 'exists') return (value !== undefined) === wanted;
    if (value === undefined) return false;
    if (value === null) return isNullWanted(op, wanted);
    const verdict = this.#test(value);
    if (verdict === undefined) {
      if (this.incomparable++ === 0) this.example = value;
      return op === 'ne';
    }
    this.compared++;
    if (this.#day !== undefined && !this.meetsTimesOfDay) this.#lookForTime(this.#day, { value, verdict });
    return verdict;
  }

  #testOf({ op, value: wanted }: QueryCondition, toMatcher: PatternMatcher | undefined): (value: unknown) => Verdict {
    switch (op) {
      case 'eq':
        return equals(wanted);
      case 'ne': {
        const isEqual = equals(wanted);
        return (value) => not(isEqual(value));
      }
      case 'in':
        return isOneOf(wanted as unknown[]);
      case 'lt':
        return compared(wanted, (order) => order < 0);
      case 'lte':
        return compared(wanted, (order) => order <= 0);
      case 'gt':
        return compared(wanted, (order) => order > 0);
      case 'gte':
        return compared(wanted, (order) => order >= 0);
      case 'contains':
        return this.#contains(wanted);
      case 'startsWith':
        return (value) => textOf(value)?.startsWith(String(wanted));
      case 'matches': {
        const matches = toMatcher?.(String(wanted));
        return (value) => this.#matchStart(textOf(value), matches);
      }
      case 'exists':
        return () => true;
    }
  }

  #contains(wanted: unknown): (value: unknown) => Verdict {
    const isEqual = equals(wanted);
    const isCandidate = candidates(wanted);
    return (value) => {
      if (!Array.isArray(value)) return wanted === null ? undefined : textOf(value)?.includes(String(wanted));
      // As what it is, anything is found at once.
      if (value.includes(wanted)) return true;
      if (!isCandidate) return false;
      let room = this.#maxItems;
      for (const item of value) {
        const isCompared = isCandidate(item);
        room -= isCompared ? COMPARISON_ITEMS : 1;
        if (room < 0) {
          this.cutLists++;
          return false;
        }
        if (isCompared && isEqual(item)) return true;
      }
      return false;
    };
  }

  #lookForTime(day: string, { value, verdict }: { value: unknown; verdict: boolean }): void {
    const { op } = this.condition;
    const leavesOut = op === 'eq' || op === 'lte' ? !verdict : verdict;
    if (leavesOut && typeof value === 'string' && value.length > day.length && value.startsWith(day))
      this.meetsTimesOfDay = isoInstant(value) !== undefined;
  }

  #matchStart(text: string | undefined, matches: ((text: string) => boolean) | undefined): Verdict {
    if (text === undefined || !matches) return undefined;
    if (text.length <= this.matchedChars) return matches(text);
    this.cut++;
    return matches(text.slice(0, this.matchedChars));
  }
}

/** `null` is a value of its own: less or greater than nothing, and not missing. */
function isNullWanted(op: Operator, wanted: unknown): boolean {
  if (op === 'eq') return wanted === null;
  if (op === 'ne') return wanted !== null;
  return op === 'in' && (wanted as unknown[]).includes(null);
}

/** The day that moments are compared with by an operator for which it matters that it is its first one. */
function dayOf({ op, value }: QueryCondition): string | undefined {
  const isConcerned = op === 'eq' || op === 'ne' || op === 'lte' || op === 'gt';
  return isConcerned && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;
}

/** What may equal a value without being the same; nothing, when only the same can. */
function candidates(wanted: unknown): ((item: unknown) => boolean) | undefined {
  if (wanted === null) return undefined;
  if (typeof wanted !== 'string') return (item) => item !== null && typeof item !== typeof wanted;
  const isDate = isoInstant(wanted) !== undefined;
  if (!isDate && toNumber(wanted) === undefined && truthOf(wanted) === undefined) return undefined;
  return (item) =>
    typeof item === 'string' ? isDate && item.length >= 7 && item.length <= 40 && item[4] === '-' : item !== null;
}

function not(verdict: Verdict): Verdict {
  return verdict === undefined ? undefined : !verdict;
}

/**
 * A number equals itself as text, in both directions, as models quote numbers; `true` equals 'true', as CSV has no other
 * way to say it. Dates are equal when they are the same moment.
 */
function equals(wanted: unknown): (value: unknown) => Verdict {
  if (wanted === null) return () => false;
  const number = toNumber(wanted);
  const instant = typeof wanted === 'string' ? isoInstant(wanted) : undefined;
  const truth = truthOf(wanted);
  return (value) => {
    if (value === wanted) return true;
    if (typeof value === 'string' && typeof wanted === 'string')
      return instant !== undefined && isoInstant(value) === instant;
    if (typeof value === 'object') return undefined;
    if (typeof value === 'boolean' || typeof wanted === 'boolean') {
      const actual = truthOf(value);
      return actual === undefined || truth === undefined ? undefined : actual === truth;
    }
    const actual = number === undefined ? undefined : toNumber(value);
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are compared by value.
    return actual === undefined || number === undefined ? undefined : actual == number;
  };
}

function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' && value.length < 6 ? value.toLowerCase() : undefined;
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

function isOneOf(list: readonly unknown[]): (value: unknown) => Verdict {
  const tests = list.filter((wanted) => wanted !== null).map(equals);
  return (value) => {
    let verdict: Verdict;
    for (const test of tests) {
      const isEqual = test(value);
      if (isEqual) return true;
      verdict ??= isEqual;
    }
    return tests.length === 0 ? false : verdict;
  };
}

function compared(wanted: unknown, isWanted: (order: number) => boolean): (value: unknown) => Verdict {
  const orderOf = orderTo(wanted);
  return (value) => {
    const order = orderOf(value);
    return order === undefined ? undefined : isWanted(order);
  };
}

/** Numbers with numbers, dates with dates as moments, text with text by code unit; a year is a date where dates stand. */
function orderTo(wanted: unknown): (value: unknown) => number | undefined {
  const number = toNumber(wanted);
  const text = typeof wanted === 'string' ? wanted : undefined;
  const instant = text === undefined ? undefined : isoInstant(/^\d{4}$/.test(text) ? `${text}-01-01` : text);
  const isPlainText = text !== undefined && number === undefined && instant === undefined;
  return (value) => {
    if (typeof value === 'string') {
      if (isPlainText) return compareSame(value, text);
      const numeric = number === undefined ? undefined : toNumber(value);
      if (number !== undefined && numeric !== undefined) return compareSame<number | bigint>(numeric, number);
      const actual = instant === undefined ? undefined : isoInstant(value);
      return actual === undefined || instant === undefined ? undefined : compareSame(actual, instant);
    }
    if (number === undefined || kindOf(value) !== 'number') return undefined;
    return compareSame(value as number | bigint, number);
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : kindOf(value) === 'number' ? String(value) : undefined;
}
