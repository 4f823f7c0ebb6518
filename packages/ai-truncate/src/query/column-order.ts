import { detach } from '../text/utf.ts';
import type { ValueKind } from './value.ts';

/** Values that are no dates, one in so many: a column of titles may have one that is called like a month. */
const DATES_PER_COLUMN = 10;
const LONGEST_EXAMPLE = 60;

/** What stands together when a column is sorted. */
export type OrderedType = 'numbers' | 'dates' | 'texts' | 'truth values' | 'lists or objects';

const TYPES: Record<Exclude<ValueKind, 'null'>, OrderedType> = {
  number: 'numbers',
  'numeric text': 'numbers',
  date: 'dates',
  'text date': 'texts',
  text: 'texts',
  boolean: 'truth values',
  array: 'lists or objects',
  object: 'lists or objects',
};

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
    if (kind === 'null') return;
    const type = TYPES[kind];
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
