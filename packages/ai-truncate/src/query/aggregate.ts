import { detach } from '../text/utf.ts';
import { shortened } from './answer-rows.ts';
import type { QueryAggregate } from './arguments.ts';
import { compareKeys, toComparable, toNumber } from './compare-values.ts';
import type { FieldReader } from './fields.ts';
import { type ColumnOrder, detachedKey, type SortKey, sortKey } from './sorting.ts';

/** The limit of a text that a group holds, because there are thousands of groups. */
const LONGEST_TEXT = 200;

/** One aggregate of a query, and how it fares over all groups. */
export interface GroupAggregate extends QueryAggregate {
  /** Of its column. */
  name: string;
  /** Without a field, records are counted. */
  read: FieldReader;
  used: number;
  /** Values that are not of a type it works on. */
  skipped: number;
  skippedExample?: unknown;
  /** What stands behind another when the largest is looked for. */
  order: ColumnOrder;
}

/** What all sets of different values together may take of memory. */
export interface DistinctRoom {
  values: number;
  chars: number;
  isFull: boolean;
}

export interface Accumulator {
  /** Never `null` or missing. */
  add(value: unknown): void;
  result(): unknown;
}

/** Gathers the values of one group. */
export function accumulatorOf(aggregate: GroupAggregate, room: DistinctRoom): Accumulator {
  if (aggregate.op === 'count') return counter();
  if (aggregate.op === 'distinct') return distinctValues(room);
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
  /** As long as all values are integers. */
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

/** Of numbers, when there are any; else of dates, else of text, which is compared and kept by its beginning. */
function extreme(aggregate: GroupAggregate): Accumulator {
  const sign = aggregate.op === 'min' ? 1 : -1;
  let best: { key: SortKey; value: unknown } | undefined;
  /** Values of the type of the best. */
  let count = 0;
  return {
    add(value) {
      const comparable = toComparable(typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value);
      const key = sortKey(value, comparable);
      const isUnordered = ['boolean', 'array', 'object'].includes(comparable.kind);
      if (isUnordered || (best && key.rank > best.key.rank)) return skip(aggregate, value);
      if (best && key.rank < best.key.rank) {
        // The type of the values counted so far sorts after this one.
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

function distinctValues(room: DistinctRoom): Accumulator {
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

/** A text that two values share only when they are equal; missing (`undefined`) and `null` differ. */
export function valueKey(value: unknown): string {
  if (typeof value === 'string') return detach(`"${value}`);
  return typeof value === 'object' && value !== null ? toJson(value) : String(value);
}

function toJson(value: unknown): string {
  try {
    // Natively: asked about each part of a long list, it would be a long step.
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  }
}
