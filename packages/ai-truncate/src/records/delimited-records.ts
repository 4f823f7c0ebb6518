import { pace } from '../pace.ts';
import { RowSplitter } from './delimited-rows.ts';
import type { Records } from './record-text.ts';
import { noTableText, RecordError, raggedText, tooManyColumnsText } from './record-words.ts';
import { isoInstant, setOwn, toCell } from './values.ts';

const HEAD_CHARS = 64 * 1024;
const MAX_COLUMNS = 5000;
const DELIMITERS = [',', '\t', ';', '|'];
const MAX_SAMPLED_ROWS = 50;
/** Of the sampled rows, how many must have as many cells as the first: prose and logs have commas too. */
const REGULAR_SHARE = 0.8;
const REGULAR_SHARE_OF_FEW = 0.5;
const FEW_ROWS = 10;
const LONG_CELL = 40;
/** Attributes and styles have commas and semicolons in a regular number too. */
const MARKUP = /^\s*<(?:!--|(?:!doctype|\?xml|html|head|body|div|table|svg|rss|feed)\b)/i;
const CLOCK = /\d\d:\d\d:\d\d/;

export interface DelimitedRecordsOptions {
  /** @default the one of comma, tab, semicolon and bar with which the text is a table */
  delimiter?: string | undefined;
  abortSignal?: AbortSignal | undefined;
}

/**
 * The rows of CSV or TSV text as records, some hundred at a time. Names come from the header; a table without one gets
 * `column_1` and so on. Numbers become numbers, an empty cell `null`, a cell that a short row does not have is missing, and
 * those that a long row has too many get such names too.
 */
export function delimitedRecords(texts: AsyncIterable<string>, options: DelimitedRecordsOptions = {}): Records {
  const table = new Table();
  async function* read(): AsyncGenerator<unknown[]> {
    let head: string | undefined = '';
    let rows: RowSplitter | undefined;
    for await (const text of pace(texts, options)) {
      if (head !== undefined) head += text;
      if (head !== undefined && head.length < HEAD_CHARS) continue;
      rows ??= splitterFor(head ?? '', options.delimiter);
      const records = table.toRecords(rows.push(head ?? text));
      head = undefined;
      if (records.length > 0) yield records;
    }
    rows ??= splitterFor(head ?? '', options.delimiter);
    const records = [...table.toRecords(rows.push(head ?? '')), ...table.toRecords(rows.finish())];
    if (records.length > 0) yield records;
  }
  return { [Symbol.asyncIterator]: read, notes: () => table.notes() };
}

function splitterFor(head: string, wanted: string | undefined): RowSplitter {
  if (head === '') throw new RecordError('not found', 'The artifact is empty.');
  const delimiter = wanted ?? findDelimiter(head);
  if (delimiter === undefined) throw new RecordError('no table', noTableText);
  return new RowSplitter(delimiter);
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

/** What separates the cells of a text, judged by its beginning; `undefined` when it is no table. */
function findDelimiter(head: string): string | undefined {
  if (MARKUP.test(head)) return undefined;
  let best: { delimiter: string; share: number; columns: number } | undefined;
  for (const delimiter of DELIMITERS) {
    const rows = sampleRows(head, delimiter);
    const columns = rows[0]?.length ?? 0;
    if (columns < 2) continue;
    const share = rows.filter((row) => row.length === columns).length / rows.length;
    if (share < (rows.length < FEW_ROWS ? REGULAR_SHARE_OF_FEW : REGULAR_SHARE) || isLog(rows[0] ?? [])) continue;
    if (!best || share > best.share || (share === best.share && columns > best.columns))
      best = { delimiter, share, columns };
  }
  return best?.delimiter;
}

/** A log whose lines happen to have as many commas each: a time within a sentence, or before one. */
function isLog(row: readonly string[]): boolean {
  const isSentence = (cell: string): boolean => cell.length > LONG_CELL;
  return row.some((cell) => CLOCK.test(cell) && (isSentence(cell) || (row.length === 2 && row.some(isSentence))));
}

function sampleRows(head: string, delimiter: string): string[][] {
  const splitter = new RowSplitter(delimiter);
  const rows = splitter.push(head);
  // A single row without a line feed is a table too, one of nothing but names.
  return (rows.length > 0 ? rows : new RowSplitter(delimiter).push(`${head}\n`)).slice(0, MAX_SAMPLED_ROWS);
}

interface TableColumns {
  names: string[];
  /** The first row is names; else it is a record, and the names are made up. */
  hasHeader: boolean;
}

/**
 * The names of the columns. The first row is names unless it holds a number or a date, years aside (a column each); a name
 * that is missing or stands twice gets its number.
 */
function nameColumns(firstRow: readonly string[]): TableColumns {
  const hasHeader = firstRow.every((cell) => !isDatum(cell.trim()));
  const names = new Set<string>();
  // Which number a name gets next: with a thousand columns of one name nobody counts through all of them again.
  const nextCopies = new Map<string, number>();
  for (const [index, cell] of firstRow.entries()) {
    const wanted = (hasHeader && cell.trim()) || columnName(index);
    let name = wanted;
    let copy = nextCopies.get(wanted) ?? 2;
    while (names.has(name)) name = `${wanted}_${copy++}`;
    nextCopies.set(wanted, copy);
    names.add(name);
  }
  return { names: [...names], hasHeader };
}

function columnName(index: number): string {
  return `column_${index + 1}`;
}

function isDatum(cell: string): boolean {
  if (/^(?:1[5-9]|2[01])\d\d$/.test(cell)) return false;
  return isoInstant(cell) !== undefined || (cell !== '' && typeof toCell(cell) !== 'string');
}
