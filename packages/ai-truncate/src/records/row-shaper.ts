import { isRecord } from '../protocol/guards.ts';
import { isoInstant, toCell } from '../text/table-cells.ts';
import { setOwn } from './values.ts';

const MAX_ROWS_AT_ONCE = 500;

/** The record that contains the list from which a record was taken. */
export const outerRecords: WeakMap<object, unknown> = new WeakMap();

export interface RowShape {
  /** Names for the cells of rows that are lists. */
  names?: readonly string[] | undefined;
  /** The names in each record that lead to further lists, whose items are the records. */
  rest?: readonly string[] | undefined;
}

/**
 * Makes records from parsed values. Rows that are lists get names, from a separate list or from a first row of names. Lists
 * inside records are replaced by their items.
 */
export class RowShaper {
  #names: readonly string[] | undefined;
  readonly #rest: readonly string[];
  #isDecided: boolean;
  /** The first row until the second is known, which shows whether the first one contains names. */
  #held: unknown[] = [];
  /** A name that leads to further lists was found. */
  #hasMetRest = false;
  #rows: unknown[] = [];
  hasHeaderRow = false;
  count = 0;

  constructor({ names, rest = [] }: RowShape) {
    this.#names = names;
    this.#isDecided = names !== undefined;
    this.#rest = rest;
  }

  /** Whether all records were read and none has the named lists. */
  get lacksRest(): boolean {
    return this.#rest.length > 0 && this.count > 0 && !this.#hasMetRest;
  }

  *push(batch: unknown[]): Generator<unknown[]> {
    this.count += batch.length;
    let rows = this.#held.length > 0 ? [...this.#held, ...batch] : batch;
    this.#held = [];
    if (!this.#isDecided) {
      if (rows.length === 1 && Array.isArray(rows[0])) {
        this.#held = rows;
        return;
      }
      this.#names = headerOf(rows);
      this.#isDecided = true;
      this.hasHeaderRow = this.#names !== undefined;
      if (this.hasHeaderRow) rows = rows.slice(1);
    }
    yield* this.#shape(rows);
  }

  *finish(): Generator<unknown[]> {
    yield* this.#shape(this.#held);
  }

  *#shape(rows: unknown[]): Generator<unknown[]> {
    const names = this.#names;
    const records = names ? rows.map((row) => (Array.isArray(row) ? toRow(row, names) : row)) : rows;
    if (this.#rest.length === 0) {
      if (records.length > 0) yield records;
      return;
    }
    for (const record of records) {
      yield* this.#collect(record, { level: 0, record });
      if (this.#rows.length >= MAX_ROWS_AT_ONCE) yield this.#taken();
    }
    if (this.#rows.length > 0) yield this.#taken();
  }

  #taken(): unknown[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  *#collect(value: unknown, { level, record }: { level: number; record: unknown }): Generator<unknown[]> {
    if (value === undefined || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) {
        const inner = isRecord(item) || Array.isArray(item) ? item : { value: item };
        outerRecords.set(inner, record);
        if (level === this.#rest.length) this.#rows.push(inner);
        else yield* this.#collect(inner, { level, record: inner });
        if (this.#rows.length >= MAX_ROWS_AT_ONCE) yield this.#taken();
      }
      this.#hasMetRest ||= level === this.#rest.length;
      return;
    }
    if (level < this.#rest.length) {
      const key = this.#rest[level] as string;
      const inner = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
      yield* this.#collect(inner, { level: level + 1, record });
      return;
    }
    this.#hasMetRest = true;
    const inner = isRecord(value) ? value : { value };
    if (inner !== record) outerRecords.set(inner, record);
    this.#rows.push(inner);
  }
}

function toRow(cells: readonly unknown[], names: readonly string[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < cells.length; index++) setOwn(row, names[index] ?? `column_${index + 1}`, cells[index]);
  return row;
}

/** The first of several rows if it contains names: different texts, while the second row has a number, a date or a boolean. */
function headerOf([first, second]: readonly unknown[]): string[] | undefined {
  if (!Array.isArray(first) || !Array.isArray(second) || first.length < 2 || first.length !== second.length)
    return undefined;
  const areNames = first.every((cell) => typeof cell === 'string' && cell !== '' && !isDatum(cell));
  if (!areNames || new Set(first).size !== first.length || !second.some(isDatum)) return undefined;
  return first as string[];
}

/** A value that is not a name. */
function isDatum(cell: unknown): boolean {
  return (
    typeof cell !== 'string' || isoInstant(cell) !== undefined || (cell !== '' && typeof toCell(cell) !== 'string')
  );
}
