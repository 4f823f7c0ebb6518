import { detach } from '../text/utf.ts';
import { shortened } from './answer-rows.ts';
import type { QueryAggregate } from './arguments.ts';
import { compareKeys, toComparable, toNumber } from './compare-values.ts';
import { MAX_ITEMS } from './condition.ts';
import { type FieldReader, itemsOf, ListedValues } from './fields.ts';
import { Median, MedianRoom } from './median.ts';
import { type ColumnOrder, detachedKey, type SortKey, sortKey } from './sorting.ts';

/** The limit of a text that a group holds, because there are thousands of groups. */
const LONGEST_TEXT = 200;

/** One aggregate of a query, and its statistics over all groups. */
export interface GroupAggregate extends QueryAggregate {
  /** The name of its column. */
  name: string;
  /** Without a field, records are counted. */
  read: FieldReader;
  used: number;
  /** Records that do not have the field, and records in which it is `null`. */
  lacking: number;
  nulls: number;
  /** Some values were in lists. */
  isOfLists: boolean;
  /** The number of lists of which only the first `MAX_ITEMS` items were read. */
  cutLists: number;
  /** A median is an estimate, within 1 %. */
  isEstimated: boolean;
  /** Values of a type that the aggregate does not support. */
  skipped: number;
  skippedExample?: unknown;
  /** The order in which the largest or smallest value was found. */
  order: ColumnOrder;
}

const MAX_DISTINCT = 100_000;
const MAX_DISTINCT_CHARS = 4_000_000;

/** The memory that all groups share for different values and for the numbers of medians. */
export class AggregateRoom {
  values: number = MAX_DISTINCT;
  chars: number = MAX_DISTINCT_CHARS;
  /** The memory is full, so that counts of different values are too low. */
  isFull = false;
  readonly medians: MedianRoom = new MedianRoom();
}

export interface Accumulator {
  /** The value is never `null` or missing. */
  add(value: unknown): void;
  result(): unknown;
}

/** Adds the value of a record to its group. Each item of a list is a value, except that `count` counts a list once. */
export function addRecord(
  accumulator: Accumulator,
  { record, aggregate }: { record: unknown; aggregate: GroupAggregate },
): void {
  const value = aggregate.read(record);
  if (value === undefined) aggregate.lacking++;
  if (value === null) aggregate.nulls++;
  const isOne = aggregate.op === 'count' && !(value instanceof ListedValues);
  const items = (isOne ? undefined : itemsOf(value)) ?? [value];
  aggregate.isOfLists ||= items[0] !== value || items.length !== 1;
  const count = Math.min(items.length, MAX_ITEMS);
  if (count < items.length) aggregate.cutLists++;
  for (let index = 0; index < count; index++) {
    const item = items[index];
    if (item !== null && item !== undefined) accumulator.add(item);
  }
}

/** Gathers the values of one group. */
export function accumulatorOf(aggregate: GroupAggregate, room: AggregateRoom): Accumulator {
  if (aggregate.op === 'count') return counter();
  if (aggregate.op === 'distinct') return distinctValues(room);
  if (aggregate.op === 'median') return median(aggregate, room.medians);
  return aggregate.op === 'min' || aggregate.op === 'max' ? extreme(aggregate) : sum(aggregate);
}

function counter(): Accumulator {
  let count = 0;
  return { add: () => void count++, result: () => count };
}

/** Adds up rounding errors separately (Neumaier), so that ten times 0.1 is 1 in any order. A sum of integers is exact. */
function sum(aggregate: GroupAggregate): Accumulator {
  let total = 0;
  let lost = 0;
  let count = 0;
  /** Exact while all values are integers. */
  let exact: bigint | undefined = 0n;

  function addNumber(number: number): void {
    const next = total + number;
    const [large, small] = Math.abs(total) >= Math.abs(number) ? [total, number] : [number, total];
    if (Number.isFinite(next)) lost += large - next + small;
    total = next;
  }

  return {
    add(value) {
      const number = toNumber(value);
      if (number === undefined) return skip(aggregate, value);
      aggregate.used++;
      count++;
      const near = Number(number);
      addNumber(near);
      if (typeof number === 'bigint') addNumber(Number(number - BigInt(near)));
      const isInteger = typeof number === 'bigint' || Number.isSafeInteger(number);
      exact = isInteger && exact !== undefined ? exact + BigInt(number) : undefined;
    },
    result() {
      const near = exact === undefined ? total + lost : Number(exact);
      if (count === 0) return null;
      if (aggregate.op === 'avg') return near / count;
      return exact === undefined || Number.isSafeInteger(near) ? near : exact;
    },
  };
}

function median(aggregate: GroupAggregate, room: MedianRoom): Accumulator {
  const numbers = new Median(room);
  return {
    add(value) {
      const number = toNumber(value);
      if (number === undefined) return skip(aggregate, value);
      aggregate.used++;
      numbers.add(Number(number));
    },
    result() {
      aggregate.isEstimated ||= !numbers.isExact;
      return numbers.result();
    },
  };
}

/**
 * The largest or smallest number if there are numbers. Otherwise the same for dates, and then for the first characters of texts.
 */
function extreme(aggregate: GroupAggregate): Accumulator {
  const sign = aggregate.op === 'min' ? 1 : -1;
  let best: { key: SortKey; value: unknown } | undefined;
  /** The number of values that have the type of the best value. */
  let count = 0;
  return {
    add(value) {
      const comparable = toComparable(typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value);
      const key = sortKey(value, comparable);
      const isUnordered = ['boolean', 'array', 'object'].includes(comparable.kind);
      if (isUnordered || (best && key.rank > best.key.rank)) return skip(aggregate, value);
      if (best && key.rank < best.key.rank) {
        // The new type sorts before the type of the values so far, so these do not count.
        skip(aggregate, best.value, count);
        aggregate.used -= count;
        count = 0;
      }
      aggregate.order.look(value, comparable.kind);
      aggregate.used++;
      count++;
      if (best?.key.rank === key.rank && sign * compareKeys(key.key, best.key.key) >= 0) return;
      best = { key: detachedKey(key), value: typeof value === 'string' ? shortened(value, LONGEST_TEXT) : value };
    },
    result: () => best?.value ?? null,
  };
}

function distinctValues(room: AggregateRoom): Accumulator {
  const values = new Set<string>();
  return {
    add(value) {
      const key = valueKey(value);
      if (values.has(key)) return;
      room.isFull ||= room.values === 0 || room.chars < key.length;
      if (room.isFull) return;
      room.values--;
      room.chars -= key.length;
      values.add(key);
    },
    result: () => values.size,
  };
}

function skip(aggregate: GroupAggregate, value: unknown, count = 1): void {
  if (aggregate.skipped === 0) aggregate.skippedExample = value;
  aggregate.skipped += count;
}

/** The same text for equal values only. Missing (`undefined`) and `null` differ. */
export function valueKey(value: unknown): string {
  if (typeof value === 'string') return detach(`"${value}`);
  return typeof value === 'object' && value !== null ? toJson(value) : String(value);
}

function toJson(value: unknown): string {
  try {
    // `JSON.stringify` writes the whole list at once, because a replacer called for each part of a long list would be a long
    // step.
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  }
}
