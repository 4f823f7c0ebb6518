import { isoInstant } from '../records/values.ts';
import { candidates, compared, equals, isOneOf, kindOf, type Verdict } from './compare-values.ts';
import type { FieldReader } from './fields.ts';

export const operators = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'contains',
  'startsWith',
  'exists',
  'matches',
] as const;
export type Operator = (typeof operators)[number];

export type QueryScalar = string | number | boolean | null;

export interface QueryCondition {
  /** A name, with dots into nested objects. */
  field: string;
  op: Operator;
  /** A list for `in`; `true` or `false` for `exists`, by default `true`. */
  value?: QueryScalar | QueryScalar[];
}

/** Makes the test of one pattern, e.g. with RE2. Throws with a reason when the pattern is none. */
export type PatternMatcher = (pattern: string) => (text: string) => boolean;

/** All patterns together are tried on so many characters of a record: a linear engine needs short steps too. */
const MAX_MATCHED_CHARS = 4096;

/** Items of lists that all conditions together look at in one record; one that is compared with effort counts as many. */
const MAX_ITEMS = 1_000_000;
const COMPARISON_ITEMS = 60;

export interface ConditionOptions {
  read: FieldReader;
  toMatcher: PatternMatcher;
  /** How many conditions of the query look into lists, and how many are patterns. */
  lists: number;
  patterns: number;
}

/** One condition, and how it fared: an answer that is empty for lack of anything comparable must not look like one. */
export class Condition {
  readonly condition: QueryCondition;
  readonly #read: FieldReader;
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

  constructor(condition: QueryCondition, { read, toMatcher, patterns, lists }: ConditionOptions) {
    this.#read = read;
    this.#maxItems = Math.floor(MAX_ITEMS / Math.max(1, lists));
    this.#day = dayOf(condition);
    this.matchedChars = Math.floor(MAX_MATCHED_CHARS / Math.max(1, patterns));
    this.condition = condition;
    this.#test = this.#testOf(condition, toMatcher);
  }

  /** Whether the field of a record is as wanted; `undefined` is one that the record does not have. */
  holds(record: unknown): boolean {
    const value = this.#read(record);
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

  #testOf({ op, value: wanted }: QueryCondition, toMatcher: PatternMatcher): (value: unknown) => Verdict {
    switch (op) {
      case 'eq':
        return equals(wanted);
      case 'ne': {
        // To leave out what is empty is a question to every column.
        if (wanted === '') return (value) => value !== '';
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
        const matches = toMatcher(String(wanted));
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
    if (!leavesOut || typeof value !== 'string' || value.length <= day.length) return;
    this.meetsTimesOfDay =
      isoInstant(value) !== undefined && isoInstant(value.slice(0, day.length)) === isoInstant(day);
  }

  #matchStart(text: string | undefined, matches: (text: string) => boolean): Verdict {
    if (text === undefined) return undefined;
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
  return isConcerned && typeof value === 'string' && /^\d{4}([-/])\d\d\1\d\d$/.test(value) ? value : undefined;
}

function not(verdict: Verdict): Verdict {
  return verdict === undefined ? undefined : !verdict;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : kindOf(value) === 'number' ? String(value) : undefined;
}
