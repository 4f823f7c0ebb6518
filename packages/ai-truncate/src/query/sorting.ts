import { detach } from '../text/utf.ts';
import { type Comparable, compareKeys, RANKS, toComparable, type ValueKind } from './compare-values.ts';

/** What a value stands at in a sorted column. */
export interface SortKey {
  rank: number;
  key: Comparable['key'];
}

const MISSING_RANK = 6;
const LONGEST_KEY = 1000;

/**
 * For sorting: numbers, dates, text by code unit, `false` and `true`; then what has no order. Text that is a number stands
 * with the numbers. Text is compared by its first 1,000 characters, so that no giant is kept in memory.
 */
export function sortKey(value: unknown, { kind, key }: Comparable = toComparable(value)): SortKey {
  const rank = value === undefined ? MISSING_RANK : RANKS[kind];
  return { rank, key: typeof key === 'string' ? key.slice(0, LONGEST_KEY) : key };
}

/** A key that is kept: what it was cut from is not kept with it. */
export function detachedKey({ rank, key }: SortKey): SortKey {
  return { rank, key: typeof key === 'string' ? detach(key) : key };
}

type Direction = 'asc' | 'desc';

interface Entry<Row> {
  keys: SortKey[];
  index: number;
  row: Row;
}

const MIN_EXTRA = 64;

/** Keeps the first rows of a sorted sequence that comes unsorted: never more than about twice as many as are wanted. */
export class TopRows<Row> {
  readonly #count: number;
  readonly #directions: readonly Direction[];
  #entries: Entry<Row>[] = [];
  #last: Entry<Row> | undefined;
  #index = 0;

  constructor({ count, directions }: { count: number; directions: readonly Direction[] }) {
    this.#count = count;
    this.#directions = directions;
  }

  /** `toRow` is asked only for what may stay. */
  add(keys: SortKey[], toRow: () => Row): void {
    const entry = { keys, index: this.#index++ };
    if (this.#last && this.#compare(entry, this.#last) > 0) return;
    this.#entries.push({ ...entry, keys: keys.map(detachedKey), row: toRow() });
    if (this.#entries.length >= this.#count * 2 + MIN_EXTRA) this.#prune();
  }

  rows(): Row[] {
    this.#prune();
    return this.#entries.map(({ row }) => row);
  }

  #prune(): void {
    this.#entries = this.#entries.sort((left, right) => this.#compare(left, right)).slice(0, this.#count);
    this.#last = this.#entries[this.#count - 1];
  }

  /** `null` and missing values come last in both directions. Equal values stay in their original order. */
  #compare(left: Omit<Entry<Row>, 'row'>, right: Omit<Entry<Row>, 'row'>): number {
    for (const [at, direction] of this.#directions.entries()) {
      const [one, other] = [left.keys[at] as SortKey, right.keys[at] as SortKey];
      const order = one.rank - other.rank || compareKeys(one.key, other.key);
      const isTurned = direction === 'desc' && (one.rank === other.rank || Math.max(one.rank, other.rank) < RANKS.null);
      if (order !== 0) return isTurned ? -order : order;
    }
    return left.index - right.index;
  }
}

/** Values that are no dates, one in so many: a column of titles may have one that is called like a month. */
const DATES_PER_COLUMN = 10;

/** Looks at what is sorted for dates that stand where their letters put them, and not their time. */
export class ColumnOrder {
  readonly name: string;
  #texts = 0;
  #textDates = 0;
  #example: string | undefined;

  constructor(name: string) {
    this.name = name;
  }

  look(value: unknown, kind: ValueKind): void {
    if (kind === 'text') this.#texts++;
    if (kind === 'text date' && this.#textDates++ === 0) this.#example = detach(String(value));
  }

  /** One of these dates, when the column is one of dates that are not ISO. */
  get misplacedDate(): string | undefined {
    return this.#textDates * (DATES_PER_COLUMN - 1) > this.#texts ? this.#example : undefined;
  }
}
