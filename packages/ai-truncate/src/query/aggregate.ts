import { detach } from '../text/utf.ts';
import { shownValue } from './answer-rows.ts';
import type { QueryAggregate } from './arguments.ts';
import { compareSame, kindOf, toNumber } from './compare-values.ts';
import { type ColumnOrder, detachedKey, type SortKey, sortKey } from './sorting.ts';

/** Of a text that a group keeps. */
const LONGEST_TEXT = 200;

/** How an aggregate fared over all groups. */
export interface AggregateFacts {
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

export function accumulatorOf(
  { op }: QueryAggregate,
  { facts, room }: { facts: AggregateFacts; room: DistinctRoom },
): Accumulator {
  if (op === 'count') return counter();
  if (op === 'distinct') return distinctValues(room);
  return op === 'min' || op === 'max' ? new Extreme(op, facts) : new Sum(op, facts);
}

function counter(): Accumulator {
  let count = 0;
  return { add: () => void count++, result: () => count };
}

/**
 * With what each addition loses kept apart (Neumaier): ten times 0.1 is 1, in any order. A sum of integers is exact, also
 * beyond 2^53.
 */
class Sum implements Accumulator {
  readonly #op: 'sum' | 'avg';
  readonly #facts: AggregateFacts;
  #sum = 0;
  #lost = 0;
  #count = 0;
  /** As soon as a number could be another one, and as long as there are only integers. */
  #exact: bigint | undefined;
  #isExact = true;

  constructor(op: 'sum' | 'avg', facts: AggregateFacts) {
    this.#op = op;
    this.#facts = facts;
  }

  add(value: unknown): void {
    const exact = toNumber(value);
    if (exact === undefined) {
      skip(this.#facts, value);
      return;
    }
    this.#facts.used++;
    this.#count++;
    if (this.#isExact && this.#op === 'sum') this.#addExactly(exact);
    const number = Number(exact);
    const sum = this.#sum + number;
    const [large, small] = Math.abs(this.#sum) >= Math.abs(number) ? [this.#sum, number] : [number, this.#sum];
    if (Number.isFinite(sum)) this.#lost += large - sum + small;
    this.#sum = sum;
  }

  result(): number | bigint | null {
    if (this.#count === 0) return null;
    if (this.#isExact && this.#exact !== undefined) {
      const number = Number(this.#exact);
      return Number.isSafeInteger(number) ? number : this.#exact;
    }
    const sum = this.#sum + this.#lost;
    return this.#op === 'sum' ? sum : sum / this.#count;
  }

  #addExactly(value: number | bigint): void {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) this.#isExact = false;
    else if (this.#exact !== undefined) this.#exact += BigInt(value);
    else if (typeof value === 'bigint' || !Number.isSafeInteger(this.#sum + value))
      this.#exact = BigInt(this.#sum) + BigInt(value);
  }
}

/** Of numbers, when there are any; else of dates, else of text, which is compared and kept by its beginning. */
class Extreme implements Accumulator {
  readonly #sign: 1 | -1;
  readonly #facts: AggregateFacts;
  #best: { key: SortKey; value: unknown } | undefined;
  /** Values of the type of the best. */
  #count = 0;

  constructor(op: 'min' | 'max', facts: AggregateFacts) {
    this.#sign = op === 'min' ? 1 : -1;
    this.#facts = facts;
  }

  add(value: unknown): void {
    const kind = kindOf(value);
    if (kind === 'boolean' || kind === 'array' || kind === 'object') {
      skip(this.#facts, value);
      return;
    }
    const key = sortKey(typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value, kind);
    const best = this.#best;
    if (best && key.rank > best.key.rank) {
      skip(this.#facts, value);
      return;
    }
    if (best && key.rank < best.key.rank) this.#leaveOut(best.value);
    this.#facts.order.look(value, kind);
    this.#facts.used++;
    this.#count++;
    if (best?.key.rank === key.rank && this.#sign * compareSame(key.value, best.key.value) >= 0) return;
    this.#best = { key: detachedKey(key), value: typeof value === 'string' ? shownText(value) : value };
  }

  result(): unknown {
    return this.#best?.value ?? null;
  }

  /** What was counted until a value of a type came that goes before it. */
  #leaveOut(example: unknown): void {
    if (this.#facts.skipped === 0) this.#facts.skippedExample = example;
    this.#facts.skipped += this.#count;
    this.#facts.used -= this.#count;
    this.#count = 0;
  }
}

function distinctValues(room: DistinctRoom): Accumulator {
  const values = new Set<string>();
  function add(value: unknown): void {
    const key = valueKey(value);
    if (values.has(key)) return;
    if (room.values === 0 || room.chars < key.length) {
      room.isFull = true;
      return;
    }
    room.values--;
    room.chars -= key.length;
    values.add(key);
  }
  return { add, result: () => values.size };
}

/** Thousands of groups keep one each. */
function shownText(text: string): string {
  return detach(String(shownValue(text, { maxChars: LONGEST_TEXT })));
}

function skip(facts: AggregateFacts, value: unknown): void {
  if (facts.skipped++ === 0) facts.skippedExample = value;
}

/** A text that two values share only when they are equal; missing (`undefined`) and `null` differ. */
export function valueKey(value: unknown): string {
  if (typeof value === 'string') return detach(`t${value}`);
  if (typeof value === 'number' || typeof value === 'bigint') return `n${value}`;
  if (value === undefined) return 'm';
  return `j${toJson(value)}`;
}

function toJson(value: unknown): string {
  try {
    // Natively: asked about each part of a long list, it would be a long step.
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  }
}
