import { RowSplitter } from '../text/delimited-rows.ts';
import { MAX_NEIGHBOUR_CHARS } from '../text/focused-lines.ts';
import { valueText } from '../text/profile-words.ts';
import { PATTERN_TEXT_CHARS } from '../text/rare-lines.ts';
import { SALIENT_LENGTH } from '../text/salient-lines.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength, countLines, firstChars, thousands } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { fitFields } from './fit-profile.ts';
import type { RecordForm, RecordLine, RecordText } from './preview-records.ts';
import type { ScannedTable } from './record-scan.ts';
import type { CutLimits } from './truncate-text.ts';

/** The header is worth more room than other rows. */
const HEADER_FACTOR = 2;
/** The most characters of a cell in a row that is too long. A smaller part of a cell would not be useful. */
const CELL_CHARS = [400, 200, 100, 50, 25, 12] as const;

/** Rows of a table. Gaps and the profile are rows of one quoted cell, so the preview is a table too. */
export function tableForm(scan: TextScan, table: ScannedTable): RecordForm {
  const writer = new RowWriter(table.delimiter);
  const head = rowsOfHead(scan.head, table.delimiter);
  const tail = rowsOfTail(scan, table.lastStarts);
  const last = tail.at(-1);
  return {
    head,
    tail,
    // Blank lines at the end are not rows.
    lines: last ? last.line + countLines(last.text) - 1 : scan.lines,
    show(record, maxBytes) {
      const isHeader = record.line === 1 && table.hasHeader;
      const text = isHeader ? record.text.replace(/^\ufeff/, '') : record.text;
      const cells = writer.cellsOf(text);
      if (!cells || isPart(record, { cells, table })) return undefined;
      return writer.fit({ text, cells }, isHeader ? maxBytes * HEADER_FACTOR : maxBytes);
    },
    isShort: true,
    write: quote,
    profile: (limits) => writeProfile(table, limits),
  };
}

/** The lengths of the beginnings of lines that the scan stores. A line of this length may be longer. */
const STORED_CHARS = [PATTERN_TEXT_CHARS, MAX_NEIGHBOUR_CHARS, SALIENT_LENGTH];

/** Whether a line between both ends is only a part of a row, because it is long or because the row has several lines. */
function isPart({ text, lines }: RecordText, { cells, table }: { cells: string[]; table: ScannedTable }): boolean {
  if (lines !== undefined) return false;
  if (STORED_CHARS.includes(text.length)) return true;
  return table.hasLongRows && (cells.length !== table.columns || text.split('"').length % 2 === 0);
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const broken = new Error('The text is not one row.');

function splitterOf(delimiter: string): RowSplitter {
  const fail = (): never => {
    throw broken;
  };
  return new RowSplitter(delimiter, { fail });
}

class RowWriter {
  readonly #delimiter: string;
  readonly #special: readonly string[];

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    this.#special = [delimiter, '"', '\n', '\r'];
  }

  /** The cells of one row; `undefined` if a quote in it is not closed. */
  cellsOf(text: string): string[] | undefined {
    try {
      const rows = splitterOf(this.#delimiter).push(`${text}\n`);
      return rows.length === 1 ? rows[0] : undefined;
    } catch (error) {
      if (error === broken) return undefined;
      throw error;
    }
  }

  /** The row unchanged if it fits, or with shorter cells. The number of cells stays the same when hidden characters are made visible. */
  fit({ text, cells }: { text: string; cells: readonly string[] }, maxBytes: number): string | undefined {
    for (const maxChars of [undefined, ...CELL_CHARS]) {
      const row =
        maxChars === undefined ? text : cells.map((cell) => this.#write(cell, maxChars)).join(this.#delimiter);
      if (row.length >= maxBytes) continue;
      const visible = visibleText(row);
      if (byteLength(visible) < maxBytes && this.cellsOf(visible)?.length === cells.length) return visible;
    }
    return undefined;
  }

  #write(cell: string, maxChars: number): string {
    const text = cell.length > maxChars ? `${firstChars(cell, maxChars)}…` : cell;
    return this.#special.some((part) => text.includes(part)) ? quote(text) : text;
  }
}

/** The complete rows at the beginning of an output. */
function rowsOfHead(head: string, delimiter: string): RecordLine[] {
  const starts: number[] = [];
  const note = ({ start }: { start: number }) => starts.push(start);
  const fail = (): never => {
    throw broken;
  };
  const rows = new RowSplitter(delimiter, { fail, receiver: { plain: note, quoted: note } });
  rows.push(head);
  return toLines(head, { starts: [...starts, rows.read], line: countLines(head.slice(0, starts[0] ?? 0)) });
}

/** The rows that begin in the last part of an output. */
function rowsOfTail({ tail, chars, lines }: TextScan, lastStarts: readonly number[]): RecordLine[] {
  const offset = chars - tail.length;
  const starts = lastStarts.filter((start) => start >= offset).map((start) => start - offset);
  const line = lines - countLines(tail.slice(starts[0] ?? 0)) + 1;
  return toLines(tail, { starts: [...starts, tail.length], line });
}

function toLines(text: string, { starts, line }: { starts: readonly number[]; line: number }): RecordLine[] {
  let next = line;
  return starts.slice(0, -1).map((start, index) => {
    const row = text.slice(start, starts[index + 1]);
    const lines = countLines(row) - (row.endsWith('\n') ? 1 : 0);
    const record = { line: next, lines, text: withoutLineEnds(row) };
    next += lines;
    return record;
  });
}

function withoutLineEnds(row: string): string {
  let end = row.length;
  while (row[end - 1] === '\n' || row[end - 1] === '\r') end--;
  return row.slice(0, end);
}

/** The profile in one cell, with a line for each column. An output cannot imitate the first line, because it says `not shown`. */
function writeProfile(table: ScannedTable, { maxBytes, maxLines }: CutLimits): string | undefined {
  const open = `"... [profile of all ${thousands(table.count)} rows, including rows that are not shown:\n`;
  const more = (columns: number) => (columns > 0 ? `${thousands(columns)} more columns` : '');
  const close = (columns: number) => `${more(columns)}] ..."`;
  const fields = table.fields.slice(0, Math.max(0, maxLines - 2));
  const members = fitFields(fields, {
    records: table.count,
    maxBytes: maxBytes - byteLength(open) - byteLength(close(table.columns)),
    write: (name, words) =>
      visibleText(`${nameText(name)}: ${words}`)
        .replaceAll('\n', '␊')
        .replaceAll('"', '""'),
  });
  if (members.length === 0) return undefined;
  return `${open}${members.join('\n')}\n${close(table.fields.length - members.length)}`;
}

function nameText(name: string): string {
  return name.includes(':') ? `'${name}'` : valueText(name);
}
