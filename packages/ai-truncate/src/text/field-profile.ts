import { DateRange } from './date-range.ts';
import { numberOfCell, numberOfLiteral } from './number-text.ts';
import { ValueCounts, type ValueRange, type ValueRoom } from './value-counts.ts';

/** The most different values of a field that are counted separately. */
const MAX_VALUES = 1000;
/** A longer value is prose and is not counted. */
const MAX_VALUE_CHARS = 256;
/** The most frequent values of a field that a preview may show. */
const MAX_FREQUENT = 20;

/** The counts of one field over all records. */
export interface FieldSummary {
  present: number;
  nulls: number;
  numbers: number;
  least: number;
  most: number;
  sum: number;
  texts: number;
  /** The first and last date, if all texts are dates. */
  dates: { first: string; last: string } | undefined;
  lists: number;
  listItems: number;
  /** Objects whose fields are not counted. */
  objects: number;
  /** The number of different values, and the most frequent of them; `undefined` if there are too many. */
  values: { different: number; frequent: FrequentValue[] } | undefined;
  /** If there are too many different values, there are more than this number. */
  moreThan: number;
  /** Its values are cells of a table. */
  isTable: boolean;
}

export interface FrequentValue {
  text: string;
  count: number;
  isNumber: boolean;
}

/** Counts the values of one field while records arrive, in bounded memory. */
export class FieldProfile {
  readonly #room: ValueRoom;
  /** JSON distinguishes numbers from texts. In a table, a value that looks like a number is a number. */
  readonly #isTable: boolean;
  #values: ValueCounts | undefined = new ValueCounts();
  #moreThan = 0;
  #present = 0;
  #nulls = 0;
  #numbers = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  /** A sum, and its rounding error. */
  #sum = 0;
  #lost = 0;
  #texts = 0;
  #areDates = true;
  readonly #dates = new DateRange();
  #lists = 0;
  #listItems = 0;
  #objects = 0;
  #summary: FieldSummary | undefined;

  constructor(room: ValueRoom, { isTable = false }: { isTable?: boolean } = {}) {
    this.#room = room;
    this.#isTable = isTable;
  }

  addNull(): void {
    this.#present++;
    this.#nulls++;
  }

  addList(items: number): void {
    this.#present++;
    this.#lists++;
    this.#listItems += items;
  }

  addObject(): void {
    this.#present++;
    this.#objects++;
  }

  add(range: ValueRange): void {
    this.#present++;
    const values = this.#values;
    // The numbers of values that repeat are added up at the end.
    if (values?.count(range)) return;
    if (values && this.#mayAdd(values, range)) values.add(range);
    else {
      this.#dropValues();
      this.#measure(range, 1);
    }
  }

  /** Whether the values are counted one by one. Otherwise, no hash is needed. */
  get countsValues(): boolean {
    return this.#values !== undefined;
  }

  #mayAdd(values: ValueCounts, { from, to }: ValueRange): boolean {
    if (values.texts.length === MAX_VALUES || values.isCrowded) return false;
    return to - from <= MAX_VALUE_CHARS && this.#room.take(to - from);
  }

  /** From now on, only ranges and sums are computed. */
  #dropValues(): void {
    if (!this.#values) return;
    this.#measureValues();
    this.#moreThan = this.#values.texts.length;
    this.#room.free(this.#values);
    this.#values = undefined;
  }

  #measureValues(): void {
    const { texts = [], counts = [], literals = [] } = this.#values ?? {};
    for (const [index, text] of texts.entries()) {
      const range = { text, from: 0, to: text.length, hash: 0, isLiteral: literals[index] === true };
      this.#measure(range, counts[index] as number);
    }
  }

  #numberOf(range: ValueRange): number | undefined {
    if (this.#isTable) return numberOfCell(range);
    return range.isLiteral ? numberOfLiteral(range) : undefined;
  }

  #measure(range: ValueRange, count: number): void {
    const number = this.#numberOf(range);
    if (number !== undefined) this.#addNumber(number, count);
    else if (!range.isLiteral) this.#addText(range, count);
  }

  #addNumber(value: number, count: number): void {
    this.#numbers += count;
    if (value < this.#least) this.#least = value;
    if (value > this.#most) this.#most = value;
    // A plain sum would lose small numbers next to large ones.
    const added = value * count;
    const next = this.#sum + added;
    this.#lost += Math.abs(this.#sum) >= Math.abs(added) ? this.#sum - next + added : added - next + this.#sum;
    this.#sum = next;
  }

  #addText(range: ValueRange, count: number): void {
    this.#texts += count;
    if (!this.#areDates) return;
    this.#areDates = range.to - range.from <= MAX_VALUE_CHARS && this.#dates.add(range);
  }

  /** Releases the memory of the chunk. */
  endChunk(): void {
    this.#dates.endChunk();
  }

  /** Called after the last record. */
  finish(): FieldSummary {
    this.#summary ??= this.#summarize();
    return this.#summary;
  }

  #summarize(): FieldSummary {
    this.#measureValues();
    const { texts = [], counts = [], literals = [] } = this.#values ?? {};
    const frequent = texts.map((text, index): FrequentValue => {
      const range = { text, from: 0, to: text.length, hash: 0, isLiteral: literals[index] === true };
      return { text, count: counts[index] as number, isNumber: this.#numberOf(range) !== undefined };
    });
    frequent.sort((one, other) => other.count - one.count || (one.text < other.text ? -1 : 1));
    return {
      present: this.#present,
      nulls: this.#nulls,
      numbers: this.#numbers,
      least: this.#least,
      most: this.#most,
      sum: this.#sum + this.#lost,
      texts: this.#texts,
      dates: this.#areDates ? this.#dates.texts : undefined,
      lists: this.#lists,
      listItems: this.#listItems,
      objects: this.#objects,
      values:
        this.#values && texts.length > 0
          ? { different: texts.length, frequent: frequent.slice(0, MAX_FREQUENT) }
          : undefined,
      moreThan: this.#moreThan,
      isTable: this.#isTable,
    };
  }
}
