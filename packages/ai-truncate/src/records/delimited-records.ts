import { pace } from '../pace.ts';
import type { Records } from './batches.ts';
import { toCell } from './cell.ts';
import { inPieces } from './chunks.ts';
import { setOwn } from './own.ts';
import { RecordError } from './record-error.ts';
import { noTableText, raggedText, strayQuoteText, tooManyColumnsText } from './record-words.ts';
import { RowSplitter } from './rows.ts';
import { columnName, findDelimiter, nameColumns } from './table.ts';

const HEAD_CHARS = 64 * 1024;
const MAX_COLUMNS = 5000;

export interface DelimitedRecordsOptions {
  /** @default the one of comma, tab, semicolon and bar with which the text is a table */
  delimiter?: string | undefined;
  abortSignal?: AbortSignal | undefined;
}

/**
 * The rows of CSV or TSV bytes as records, some hundred at a time. Names come from the header; a table without one gets
 * `column_1` and so on. Numbers become numbers, an empty cell `null`, a cell that a short row does not have is missing, and
 * those that a long row has too many get such names too.
 */
export function delimitedRecords(bytes: AsyncIterable<Uint8Array>, options: DelimitedRecordsOptions = {}): Records {
  const table = new TableReader(options.delimiter);
  async function* read(): AsyncGenerator<unknown[]> {
    const decoder = new TextDecoder();
    for await (const piece of pace(inPieces(bytes), options)) {
      const records = table.push(decoder.decode(piece, { stream: true }));
      if (records.length > 0) yield records;
    }
    const records = table.finish(decoder.decode());
    if (records.length > 0) yield records;
  }
  return { [Symbol.asyncIterator]: read, notes: () => table.notes() };
}

type Row = Record<string, unknown>;

class TableReader {
  readonly #wanted: string | undefined;
  #head = '';
  /** Of old programs: a carriage return alone. */
  #hasLoneReturns = false;
  #splitter: RowSplitter | undefined;
  #names: string[] | undefined;
  #shortRows = 0;
  #longRows = 0;

  constructor(delimiter: string | undefined) {
    this.#wanted = delimiter;
  }

  push(text: string): Row[] {
    if (this.#splitter) return this.#toRecords(this.#splitter.push(this.#withLineFeeds(text)));
    this.#head += text;
    return this.#head.length < HEAD_CHARS ? [] : this.#start();
  }

  finish(text: string): Row[] {
    const records = this.push(text);
    if (!this.#splitter) for (const record of this.#start()) records.push(record);
    const last = this.#toRecords(this.#splitter?.finish() ?? []);
    return records.concat(last);
  }

  notes(): string[] {
    const notes: string[] = [];
    if (this.#shortRows + this.#longRows > 0) notes.push(raggedText({ short: this.#shortRows, long: this.#longRows }));
    const stray = this.#splitter?.cellsWithStrayText ?? 0;
    if (stray > 0) notes.push(strayQuoteText(stray));
    return notes;
  }

  #start(): Row[] {
    this.#hasLoneReturns = /\r./s.test(this.#head) && !this.#head.includes('\n');
    const head = this.#withLineFeeds(this.#head);
    this.#head = '';
    if (head === '') throw new RecordError('not found', 'The artifact is empty.');
    const delimiter = this.#wanted ?? findDelimiter(head);
    if (delimiter === undefined) throw new RecordError('no table', noTableText);
    this.#splitter = new RowSplitter(delimiter);
    return this.#toRecords(this.#splitter.push(head));
  }

  #withLineFeeds(text: string): string {
    return this.#hasLoneReturns ? text.replaceAll('\r', '\n') : text;
  }

  #toRecords(rows: string[][]): Row[] {
    const [first] = rows;
    if (!this.#names && first) {
      if (first.length > MAX_COLUMNS) throw new RecordError('too large', tooManyColumnsText(first.length));
      const { names, hasHeader } = nameColumns(first);
      this.#names = names;
      if (hasHeader) rows.shift();
    }
    return rows.map((row) => this.#toRecord(row));
  }

  #toRecord(row: string[]): Row {
    const names = this.#names ?? [];
    if (row.length < names.length) this.#shortRows++;
    if (row.length > names.length) {
      this.#longRows++;
      if (row.length > MAX_COLUMNS) throw new RecordError('too large', tooManyColumnsText(row.length));
    }
    const record: Row = {};
    for (let index = 0; index < row.length; index++) {
      setOwn(record, names[index] ?? columnName(index), toCell(row[index] as string));
    }
    return record;
  }
}
