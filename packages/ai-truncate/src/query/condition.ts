import { isRecord } from '../protocol/guards.ts';
import type { Verdict } from './compare-values.ts';
import { type FieldReader, itemsOf } from './fields.ts';
import { type Operator, operators, type PatternMatcher } from './operators.ts';

export type QueryScalar = string | number | boolean | null;

export interface QueryCondition {
  /** A name, with dots into nested objects. */
  field: string;
  op: Operator;
  /** A list for `in`. For `exists`, `true` or `false`, by default `true`. */
  value?: QueryScalar | QueryScalar[] | ValuesElsewhere;
}

/** For `in`: at most 10,000 values of a field in another output. */
export interface ValuesElsewhere {
  path: string;
  at?: string[];
  field: string;
  where?: QueryCondition[];
}

/** The characters of a record that all patterns together are tested on, because even a linear engine must work in short steps. */
const MAX_MATCHED_CHARS = 4096;

export interface ConditionOptions {
  read: FieldReader;
  toMatcher: PatternMatcher;
  /** The conditions of the query, and how many of them have a pattern. */
  conditions: number;
  patterns: number;
}

export function isElsewhere(value: QueryCondition['value']): value is ValuesElsewhere {
  return isRecord(value);
}

/** The most items of one list that are tested one by one, because more would be a long step. */
export const MAX_ITEMS = 20_000;

/** One condition and its statistics, which explain why an answer is empty if no value could be compared. */
export class Condition {
  readonly condition: QueryCondition;
  readonly read: FieldReader;
  readonly #test: (value: unknown) => Verdict;
  /** Records that do not have the field, and records in which it is `null`. */
  lacking = 0;
  nulls = 0;
  /** The values were in lists, and each was tested. */
  isOfLists = false;
  /** Whole items of lists were searched for. */
  looksForItems = false;
  /** The number of lists of which only the first `maxItems` items were tested. */
  cutLists = 0;
  compared = 0;
  incomparable = 0;
  /** The first value that could not be compared. */
  example: unknown;
  /** The number of values of which only the first `matchedChars` characters were tested. */
  cut = 0;
  readonly matchedChars: number;
  /** Its share of the `MAX_ITEMS` items of a list, which all conditions test together. */
  readonly maxItems: number;
  /** A day, month or year was compared with times within it, which the model may consider equal. */
  meetsTimesOfDay = false;
  readonly #day: string | undefined;

  constructor(condition: QueryCondition, options: ConditionOptions) {
    this.condition = condition;
    this.read = options.read;
    this.matchedChars = Math.floor(MAX_MATCHED_CHARS / Math.max(1, options.patterns));
    this.maxItems = Math.floor(MAX_ITEMS / Math.max(1, options.conditions));
    this.#day = dayOf(condition);
    this.#test = operators[condition.op].test(condition.value, options.toMatcher);
  }

  /** The value of the field; `undefined` if the record does not have it. Missing and `null` values are counted. */
  look(record: unknown): unknown {
    const value = this.read(record);
    if (value === undefined) this.lacking++;
    if (value === null) this.nulls++;
    return value;
  }

  /** Whether the condition holds for a value of the field. */
  holdsFor(value: unknown): boolean {
    const { op, value: wanted } = this.condition;
    if (op === 'exists') return (value !== undefined) === wanted;
    if (value === undefined) return false;
    const isWhole = Array.isArray(value) && operators[op].takesLists;
    this.looksForItems ||= Array.isArray(value) && isWhole === true;
    const items = isWhole ? undefined : itemsOf(value);
    if (!items) return this.#counted(value, this.#verdictOn(value));
    this.isOfLists = true;
    if (items.length === 0) return op === 'ne';
    return this.#counted(value, this.#verdictOnItems(items));
  }

  /** For `ne`, no item may be equal. Any other operator must hold for at least one item. */
  #verdictOnItems(items: readonly unknown[]): Verdict {
    const end = this.condition.op === 'ne';
    let verdict: Verdict;
    for (let index = 0; index < items.length; index++) {
      if (index === this.maxItems) {
        this.cutLists++;
        break;
      }
      const one = this.#verdictOn(items[index]);
      if (one !== undefined && one !== end) return one;
      verdict ??= one;
    }
    return verdict;
  }

  #verdictOn(value: unknown): Verdict {
    const { op, value: wanted } = this.condition;
    if (value === null || value === undefined) return isNullWanted(op, wanted);
    const verdict = this.#test(op === 'matches' ? this.#start(value) : value);
    const leavesOut = verdict === (op === 'ne' || op === 'gt');
    if (leavesOut && this.#day !== undefined) this.meetsTimesOfDay ||= isTimeOf(this.#day, value);
    return verdict;
  }

  #counted(value: unknown, verdict: Verdict): boolean {
    if (value === null) return verdict === true;
    if (verdict !== undefined) {
      this.compared++;
      return verdict;
    }
    if (this.incomparable++ === 0) this.example = itemsOf(value)?.[0] ?? value;
    return this.condition.op === 'ne';
  }

  #start(value: unknown): unknown {
    if (typeof value !== 'string' || value.length <= this.matchedChars) return value;
    this.cut++;
    return value.slice(0, this.matchedChars);
  }
}

/** `null` is a value: neither less nor greater than another value, and not missing. */
function isNullWanted(op: Operator, wanted: unknown): boolean {
  if (op === 'ne') return wanted !== null;
  return (op === 'eq' || op === 'in') && [wanted].flat().includes(null);
}

/** The day, month or year in a condition whose result depends on whether it means its first moment. */
function dayOf({ op, value }: QueryCondition): string | undefined {
  const isConcerned = op === 'eq' || op === 'ne' || op === 'lte' || op === 'gt';
  return isConcerned && typeof value === 'string' && /^\d{4}(?:([-/])\d\d(?:\1\d\d)?)?$/.test(value)
    ? value
    : undefined;
}

function isTimeOf(day: string, value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(day) && /^[-/T ]/.test(value.slice(day.length));
}
