import type { Verdict } from './compare-values.ts';
import type { FieldReader } from './fields.ts';
import { type Operator, operators, type PatternMatcher } from './operators.ts';

export type QueryScalar = string | number | boolean | null;

export interface QueryCondition {
  /** A name, with dots into nested objects. */
  field: string;
  op: Operator;
  /** A list for `in`; `true` or `false` for `exists`, by default `true`. */
  value?: QueryScalar | QueryScalar[];
}

/** All patterns together are tried on so many characters of a record: a linear engine needs short steps too. */
const MAX_MATCHED_CHARS = 4096;

/** One condition, and how it fared: an answer that is empty for lack of anything comparable must not look like one. */
export class Condition {
  readonly condition: QueryCondition;
  readonly #read: FieldReader;
  readonly #test: (value: unknown) => Verdict;
  compared = 0;
  incomparable = 0;
  /** The first value that could not be compared. */
  example: unknown;
  /** The number of values whose first `matchedChars` characters alone were matched. */
  cut = 0;
  readonly matchedChars: number;
  /** A day was compared with moments of that day, which a reader may have meant to be the same. */
  meetsTimesOfDay = false;
  readonly #day: string | undefined;

  constructor(condition: QueryCondition, options: { read: FieldReader; toMatcher: PatternMatcher; patterns: number }) {
    this.condition = condition;
    this.#read = options.read;
    this.matchedChars = Math.floor(MAX_MATCHED_CHARS / Math.max(1, options.patterns));
    this.#day = dayOf(condition);
    this.#test = operators[condition.op].test(condition.value, options.toMatcher);
  }

  /** Whether the field of a record is as wanted; `undefined` is one that the record does not have. */
  holds(record: unknown): boolean {
    const value = this.#read(record);
    const { op, value: wanted } = this.condition;
    if (op === 'exists') return (value !== undefined) === wanted;
    if (value === undefined) return false;
    if (value === null) return isNullWanted(op, wanted);
    const verdict = this.#test(op === 'matches' ? this.#start(value) : value);
    if (verdict === undefined) {
      if (this.incomparable++ === 0) this.example = value;
      return op === 'ne';
    }
    this.compared++;
    const leavesOut = verdict === (op === 'ne' || op === 'gt');
    if (leavesOut && this.#day !== undefined) this.meetsTimesOfDay ||= isTimeOf(this.#day, value);
    return verdict;
  }

  #start(value: unknown): unknown {
    if (typeof value !== 'string' || value.length <= this.matchedChars) return value;
    this.cut++;
    return value.slice(0, this.matchedChars);
  }
}

/** `null` is a value of its own: less or greater than nothing, and not missing. */
function isNullWanted(op: Operator, wanted: unknown): boolean {
  if (op === 'ne') return wanted !== null;
  return (op === 'eq' || op === 'in') && [wanted].flat().includes(null);
}

/** The day that moments are compared with by an operator for which it matters that it is its first one. */
function dayOf({ op, value }: QueryCondition): string | undefined {
  const isConcerned = op === 'eq' || op === 'ne' || op === 'lte' || op === 'gt';
  return isConcerned && typeof value === 'string' && /^\d{4}([-/])\d\d\1\d\d$/.test(value) ? value : undefined;
}

function isTimeOf(day: string, value: unknown): boolean {
  return typeof value === 'string' && value.length > day.length && value.startsWith(day);
}
