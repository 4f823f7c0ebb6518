import { isoInstant } from '../records/values.ts';
import { detach } from '../text/utf.ts';
import { compareSame, kindOf, toNumber, type ValueKind } from './compare-values.ts';

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
function compareKeys(left: SortKey, right: SortKey, direction: 'asc' | 'desc'): number {
  const order = left.rank === right.rank ? compareSame(left.value, right.value) : left.rank - right.rank;
  const isLast = left.rank !== right.rank && Math.max(left.rank, right.rank) >= RANKS.null;
  return direction === 'desc' && !isLast ? -order : order;
}

interface Entry<Row> {
  keys: SortKey[];
  index: number;
  row: Row;
}

const MIN_EXTRA = 64;

/** Keeps the first rows of a sorted sequence that comes unsorted: never more than about twice as many as are wanted. */
export class TopRows<Row> {
  readonly #wanted: { count: number; directions: readonly ('asc' | 'desc')[] };
  #entries: Entry<Row>[] = [];
  #last: Entry<Row> | undefined;
  #index = 0;

  constructor(wanted: { count: number; directions: readonly ('asc' | 'desc')[] }) {
    this.#wanted = wanted;
  }

  /** `toRow` is asked only for what may stay. */
  add(keys: SortKey[], toRow: () => Row): void {
    const entry = { keys, index: this.#index++ };
    if (this.#last && this.#compare(entry, this.#last) > 0) return;
    this.#entries.push({ ...entry, keys: keys.map(detachedKey), row: toRow() });
    if (this.#entries.length >= this.#wanted.count * 2 + MIN_EXTRA) this.#prune();
  }

  rows(): Row[] {
    this.#prune();
    return this.#entries.map(({ row }) => row);
  }

  #prune(): void {
    this.#entries.sort((left, right) => this.#compare(left, right));
    const { count } = this.#wanted;
    this.#entries.length = Math.min(this.#entries.length, count);
    this.#last = this.#entries[count - 1];
  }

  /** Equal ones keep the order in which they came. */
  #compare(left: Omit<Entry<Row>, 'row'>, right: Omit<Entry<Row>, 'row'>): number {
    for (const [at, direction] of this.#wanted.directions.entries()) {
      const order = compareKeys(left.keys[at] as SortKey, right.keys[at] as SortKey, direction);
      if (order !== 0) return order;
    }
    return left.index - right.index;
  }
}

/** Values that are no dates, one in so many: a column of titles may have one that is called like a month. */
const DATES_PER_COLUMN = 10;
const LONGEST_EXAMPLE = 60;

/** What stands together when a column is sorted, by rank. */
const TYPES = ['numbers', 'dates', 'texts', 'truth values', 'lists or objects'] as const;
export type OrderedType = (typeof TYPES)[number];

/** Looks at what is sorted, for what its order does not mean: dates put by their letters, and types that stand apart. */
export class ColumnOrder {
  readonly name: string;
  readonly #counts = new Map<OrderedType, { count: number; example: unknown }>();
  #textDates = 0;
  #dateExample: string | undefined;

  constructor(name: string) {
    this.name = name;
  }

  look(value: unknown, kind: ValueKind): void {
    const type = TYPES[RANKS[kind]];
    if (type === undefined) return;
    const known = this.#counts.get(type);
    if (known) known.count++;
    else this.#counts.set(type, { count: 1, example: shortText(value) });
    if (kind !== 'text date') return;
    this.#textDates++;
    this.#dateExample ??= detach(value as string);
  }

  /** A date that stands where its letters put it, when the column is one of dates that are not ISO. */
  get misplacedDate(): string | undefined {
    const texts = this.#counts.get('texts')?.count ?? 0;
    return this.#textDates * DATES_PER_COLUMN > texts ? this.#dateExample : undefined;
  }

  /** The types in the column, when there is more than one. */
  get mixture(): { type: OrderedType; count: number; example: unknown }[] {
    return this.#counts.size < 2 ? [] : [...this.#counts].map(([type, seen]) => ({ type, ...seen }));
  }
}

/** Not a whole text, nor what it was cut from. */
function shortText(value: unknown): unknown {
  return typeof value === 'string' ? detach(value.slice(0, LONGEST_EXAMPLE + 1)) : value;
}
