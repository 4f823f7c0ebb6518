import { detach } from '../text/utf.ts';
import { type Comparable, compareKeys, RANKS, toComparable, type ValueKind } from './compare-values.ts';

/** The position of a value in a sorted column. */
export interface SortKey {
  rank: number;
  key: Comparable['key'];
}

const MISSING_RANK = 6;
const LONGEST_KEY = 1000;

/**
 * Sorts numbers, dates, text by code unit, `false` and `true`, and then values without an order. A numeric text is sorted as a
 * number. Only the first 1,000 characters of a text are compared, so that no giant text stays in memory.
 */
export function sortKey(value: unknown, { kind, key }: Comparable = toComparable(value)): SortKey {
  const rank = value === undefined ? MISSING_RANK : RANKS[kind];
  return { rank, key: typeof key === 'string' ? key.slice(0, LONGEST_KEY) : key };
}

/** A copy of a key that does not hold the text it was cut from. */
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

/** Stores the first rows of an unsorted sequence, at most about twice as many as are requested. */
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

  /** `toRow` is called only for a row that may be among the first. */
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

/** A column has dates if at most one value in this many is another text, because one title in a column may look like a date. */
const DATES_PER_COLUMN = 10;

/** Detects that a sorted column has dates that are sorted by their letters instead of their time. */
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

  /** One of these dates, if the column is one of dates that are not ISO. */
  get misplacedDate(): string | undefined {
    return this.#textDates * (DATES_PER_COLUMN - 1) > this.#texts ? this.#example : undefined;
  }
}
