import { RecordError } from '../json/json-pieces.ts';
import { findDelimiter } from '../json/record-format.ts';
import { pace } from '../pace.ts';
import { RowSplitter } from '../text/delimited-rows.ts';
import { columnName, nameColumns, toCell } from '../text/table-cells.ts';
import type { Records } from './record-text.ts';
import { noTableText, raggedText, tooManyColumnsText } from './record-words.ts';
import { setOwn } from './values.ts';

const HEAD_CHARS = 64 * 1024;
const MAX_COLUMNS = 5000;

export interface DelimitedRecordsOptions {
  /** @default a comma, tab, semicolon or bar, whichever makes the text a table */
  delimiter?: string | undefined;
  abortSignal?: AbortSignal | undefined;
}

/**
 * The rows of CSV or TSV text as records, in batches of a few hundred. Names come from the header. Without a header, they are
 * `column_1` and so on. Numbers become numbers, and an empty cell becomes `null`. A cell that a short row does not have is
 * missing, and the extra cells of a long row get such names too.
 */
export function delimitedRecords(texts: AsyncIterable<string>, options: DelimitedRecordsOptions = {}): Records {
  let table = new Table();
  function splitterFor(head: string): RowSplitter {
    if (head === '') throw new RecordError('not found', 'The artifact is empty.');
    const delimiter = options.delimiter ?? findDelimiter(head);
    if (delimiter === undefined) throw new RecordError('no table', noTableText);
    if (delimiter === '|' && RULE.test(head.split('\n', 2)[1] ?? '')) table = new PaddedTable();
    const fail = (problem: 'broken' | 'too large', message: string): never => {
      throw new RecordError(problem, message);
    };
    return new RowSplitter(delimiter, { fail });
  }
  async function* read(): AsyncGenerator<unknown[]> {
    let head: string | undefined = '';
    let rows: RowSplitter | undefined;
    for await (const text of pace(texts, options)) {
      if (head !== undefined) head += text;
      if (head !== undefined && head.length < HEAD_CHARS) continue;
      rows ??= splitterFor(head ?? '');
      const records = table.toRecords(rows.push(head ?? text));
      head = undefined;
      if (records.length > 0) yield records;
    }
    rows ??= splitterFor(head ?? '');
    const records = [...table.toRecords(rows.push(head ?? '')), ...table.toRecords(rows.finish())];
    if (records.length > 0) yield records;
  }
  return { [Symbol.asyncIterator]: read, notes: () => table.notes() };
}

type Row = Record<string, unknown>;

/** The column names of a table, and the number of rows that have more or fewer cells. */
class Table {
  #names: string[] | undefined;
  #shortRows = 0;
  #longRows = 0;

  notes(): string[] {
    return this.#shortRows + this.#longRows > 0 ? [raggedText({ short: this.#shortRows, long: this.#longRows })] : [];
  }

  toRecords(rows: string[][]): Row[] {
    const [first] = rows;
    if (!this.#names && first) {
      if (first.length > MAX_COLUMNS) throw new RecordError('too large', tooManyColumnsText(first.length));
      const { names, hasHeader } = nameColumns(first);
      this.#names = names;
      if (hasHeader) rows.shift();
    }
    const names = this.#names ?? [];
    return rows.map((row) => this.#toRecord(row, names));
  }

  #toRecord(row: string[], names: readonly string[]): Row {
    if (row.length < names.length) this.#shortRows++;
    if (row.length > names.length) this.#longRows++;
    if (row.length > MAX_COLUMNS) throw new RecordError('too large', tooManyColumnsText(row.length));
    const record: Row = {};
    for (let index = 0; index < row.length; index++) {
      setOwn(record, names[index] ?? columnName(index), toCell(row[index] as string));
    }
    return record;
  }
}

/** The line under the header, as in Markdown (`| --- |`) and psql (`-----+-----`). */
const RULE = /^[\s|:+]*-{3,}[\s|:+-]*$/;
/** The last line of psql. */
const ROW_COUNT = /^\(\d+ rows?\)$/;

/** A table for people, as in Markdown or psql: its cells are padded, and a bar may begin and end each line. */
class PaddedTable extends Table {
  #hasOuterBars: boolean | undefined;

  override toRecords(rows: string[][]): Row[] {
    const padded = rows.filter(
      (row) => !RULE.test(row.join('|')) && !(row.length === 1 && ROW_COUNT.test(row[0] ?? '')),
    );
    return super.toRecords(padded.map((row) => this.#cellsOf(row)));
  }

  #cellsOf(row: readonly string[]): string[] {
    const cells = row.map((cell) => cell.trim());
    this.#hasOuterBars ??= cells.length > 2 && cells[0] === '' && cells.at(-1) === '';
    return this.#hasOuterBars ? cells.slice(1, -1) : cells;
  }
}
