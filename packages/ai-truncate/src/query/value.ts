import { toCell } from '../records/cell.ts';
import { isoInstant } from '../records/date.ts';
import { detach } from '../text/utf.ts';
import { isTextDate } from './text-date.ts';

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
    if (isNumericText(value)) return 'numeric text';
    if (isoInstant(value) !== undefined) return 'date';
    return isTextDate(value) ? 'text date' : 'text';
  }
  if (typeof value === 'boolean') return 'boolean';
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? 'array' : 'object';
}

/** As in CSV: what may be an identifier, such as 007 and +1, is text. */
function isNumericText(text: string): boolean {
  return toNumber(text) !== undefined;
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

/** What a value stands at in a sorted column. */
export interface SortKey {
  rank: number;
  value: number | bigint | string;
}

const RANKS: Record<ValueKind, number> = {
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
const MISSING_RANK = 6;
const LONGEST_KEY = 1000;

/**
 * For sorting: numbers, dates, text by code unit, `false` and `true`; then what has no order. Text that is a number stands
 * with the numbers. Text is compared by its first 1,000 characters, so that no giant is kept in memory.
 */
export function sortKey(value: unknown, kind: ValueKind = kindOf(value)): SortKey {
  if (value === undefined) return { rank: MISSING_RANK, value: 0 };
  const rank = RANKS[kind];
  if (rank === 0) return { rank, value: toNumber(value) ?? 0 };
  if (kind === 'date') return { rank, value: isoInstant(value as string) ?? 0 };
  if (rank === RANKS.text) return { rank, value: (value as string).slice(0, LONGEST_KEY) };
  return { rank, value: kind === 'boolean' ? Number(value) : 0 };
}

/** A key that is kept: what it was cut from is not kept with it. */
export function detachedKey({ rank, value }: SortKey): SortKey {
  return { rank, value: typeof value === 'string' ? detach(value) : value };
}

/** `null` and what is missing stand last in both directions. */
export function compareKeys(left: SortKey, right: SortKey, direction: 'asc' | 'desc'): number {
  const order = left.rank === right.rank ? compareSame(left.value, right.value) : left.rank - right.rank;
  const isLast = left.rank !== right.rank && Math.max(left.rank, right.rank) >= RANKS.null;
  return direction === 'desc' && !isLast ? -order : order;
}
