import { RowSplitter } from './delimited-rows.ts';
import { FieldProfile } from './field-profile.ts';
import { columnName, nameColumns } from './table-cells.ts';
import { HASH_START, hashUnit, setWhole, type ValueRange, ValueRoom } from './value-counts.ts';

const MAX_FIELDS = 200;
const MAX_ROW_CHARS = 256 * 1024;
/** No preview shows more rows of the end. */
const MAX_STARTS = 2048;

/** Counts every row of delimited text while it arrives, in bounded memory. */
export class TableProfile {
  readonly #delimiter: string;
  readonly #rows: RowSplitter;
  readonly #room = new ValueRoom();
  readonly #range: ValueRange = { text: '', from: 0, to: 0, hash: 0, isLiteral: false };
  #starts: number[] = [];
  #isBroken = false;
  readonly fields: { name: string; field: FieldProfile }[] = [];
  readonly #columns: FieldProfile[] = [];
  hasHeader = false;
  /** The cells of the first row. */
  columns = 0;
  /** The number of rows without the header. */
  count = 0;
  /** Rows with as many cells as the first row. */
  regular = 0;
  /** A row has line breaks inside quotes. */
  hasLongRows = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    const fail = (): never => {
      throw broken;
    };
    this.#rows = new RowSplitter(delimiter, {
      fail,
      receiver: {
        plain: ({ text, from, to, start }) => {
          if (to - from > MAX_ROW_CHARS) fail();
          this.#addStart(start);
          if (this.columns > 0 || this.#isRecord(text.slice(from, to).split(delimiter))) this.#addPlain(text, from, to);
        },
        quoted: ({ cells, start, end }) => {
          if (end - start > MAX_ROW_CHARS) fail();
          this.#addStart(start);
          this.hasLongRows ||= cells.some((cell) => cell.includes('\n'));
          if (this.columns > 0 || this.#isRecord(cells)) this.#addCells(cells);
        },
      },
    });
  }

  /** The text cannot be read as rows. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  push(text: string): void {
    this.#read(() => this.#rows.push(text));
  }

  /** Called once, after the last chunk. */
  finish(): void {
    this.#read(() => this.#rows.finish());
  }

  /** The starts of the last rows in the text, in characters. */
  get lastStarts(): readonly number[] {
    return this.#starts.slice(-MAX_STARTS);
  }

  #read(work: () => void): void {
    if (this.#isBroken) return;
    try {
      work();
    } catch (error) {
      if (error !== broken) throw error;
      this.#isBroken = true;
      this.fields.length = 0;
      this.#columns.length = 0;
    }
    this.#range.text = '';
    for (const { field } of this.fields) field.endChunk();
  }

  #addStart(start: number): void {
    this.#starts.push(start);
    if (this.#starts.length > 2 * MAX_STARTS) this.#starts = this.#starts.slice(-MAX_STARTS);
  }

  /** Reads the first row. Returns true if it is a record, which means that it does not contain names. */
  #isRecord(cells: string[]): boolean {
    const { names, hasHeader } = nameColumns(cells.slice(0, MAX_FIELDS));
    this.columns = cells.length;
    this.hasHeader = hasHeader;
    for (const name of names) this.#newField(name);
    return !hasHeader;
  }

  #newField(name: string): FieldProfile {
    const field = new FieldProfile(this.#room, { isTable: true });
    this.fields.push({ name, field });
    this.#columns.push(field);
    return field;
  }

  /** The field of a cell after the columns of the first row. */
  #moreField(column: number): FieldProfile | undefined {
    return column < MAX_FIELDS ? this.#newField(columnName(column)) : undefined;
  }

  #addPlain(text: string, from: number, to: number): void {
    const delimiter = this.#delimiter.charCodeAt(0);
    const range = this.#range;
    range.text = text;
    let column = 0;
    for (let start = from; ; column++) {
      const field = this.#columns[column] ?? this.#moreField(column);
      let at = start;
      if (field?.countsValues) {
        let hash = HASH_START;
        for (; at < to; at++) {
          const code = text.charCodeAt(at);
          if (code === delimiter) break;
          hash = hashUnit(hash, code);
        }
        range.hash = hash;
      } else for (; at < to && text.charCodeAt(at) !== delimiter; at++);
      range.from = start;
      range.to = at;
      if (at === start) field?.addNull();
      else field?.add(range);
      if (at === to) break;
      start = at + 1;
    }
    this.#endRow(column + 1);
  }

  #addCells(cells: readonly string[]): void {
    for (const [column, cell] of cells.entries()) {
      const field = this.#columns[column] ?? this.#moreField(column);
      if (cell === '') field?.addNull();
      else if (field) {
        setWhole(this.#range, cell);
        field.add(this.#range);
      }
    }
    this.#endRow(cells.length);
  }

  #endRow(cells: number): void {
    this.count++;
    if (cells === this.columns) this.regular++;
  }
}

const broken = new Error('The text has no rows.');
