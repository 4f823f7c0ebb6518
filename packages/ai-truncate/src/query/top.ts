import { compareKeys, detachedKey, type SortKey } from './value.ts';

interface Entry<Row> {
  keys: SortKey[];
  index: number;
  row: Row;
}

const MIN_EXTRA = 64;

/** Keeps the first rows of a sorted sequence that comes unsorted: never more than about twice as many as are wanted. */
export class TopRows<Row> {
  readonly #count: number;
  readonly #directions: readonly ('asc' | 'desc')[];
  #entries: Entry<Row>[] = [];
  #last: Entry<Row> | undefined;
  #index = 0;

  constructor(options: { count: number; directions: readonly ('asc' | 'desc')[] }) {
    this.#count = options.count;
    this.#directions = options.directions;
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
    this.#entries.sort((left, right) => this.#compare(left, right));
    this.#entries.length = Math.min(this.#entries.length, this.#count);
    this.#last = this.#entries.length === this.#count ? this.#entries.at(-1) : undefined;
  }

  /** Equal ones keep the order in which they came. */
  #compare(left: Omit<Entry<Row>, 'row'>, right: Omit<Entry<Row>, 'row'>): number {
    for (const [at, direction] of this.#directions.entries()) {
      const order = compareKeys(left.keys[at] as SortKey, right.keys[at] as SortKey, direction);
      if (order !== 0) return order;
    }
    return left.index - right.index;
  }
}
