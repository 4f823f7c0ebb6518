import { RecordError } from './record-words.ts';

/** A quote that is never closed would collect the rest of the file, and a longer row of nothing but quotes is a long step. */
const MAX_ROW_CHARS = 512 * 1024;

/**
 * Cuts delimited text that comes in pieces into rows of cells: quotes, doubled quotes, line breaks inside quotes, CRLF.
 * Blank lines are no rows. Tolerant where nothing can be mistaken: a quote inside a cell is a quote.
 */
export class RowSplitter {
  readonly #delimiter: string;
  #rest = '';
  #waiting: string[] = [];
  #waitingLength = 0;
  #text = '';
  #isLast = false;
  #nextQuote = -1;
  #nextNewline = -1;
  #nextDelimiter = -1;
  #rows: string[][] = [];
  /** Rows handed on. */
  count = 0;
  /** Cells with text behind their closing quote: it belongs to the cell, or a quote is missing somewhere. */
  cellsWithStrayText = 0;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  push(text: string): string[][] {
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    // A long row is looked at again when it has doubled: with each piece, it would be read once for each of them.
    return this.#waitingLength < this.#rest.length ? [] : this.#split(false);
  }

  finish(): string[][] {
    return this.#split(true);
  }

  #split(isLast: boolean): string[][] {
    this.#text = this.#rest + this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#isLast = isLast;
    this.#nextQuote = this.#nextNewline = this.#nextDelimiter = -1;
    this.#rows = [];
    const end = this.#splitRows();
    this.#rest = this.#text.slice(end);
    if (this.#rest.length > MAX_ROW_CHARS)
      throw new RecordError(
        'too large',
        `Row ${this.count + 1} is longer than ${MAX_ROW_CHARS} characters. Perhaps a quote is not closed there.`,
      );
    return this.#rows;
  }

  /** The place where the first row starts that does not end. */
  #splitRows(): number {
    const { length } = this.#text;
    let at = 0;
    while (at < length) {
      const newline = this.#newlineFrom(at);
      if (this.#quoteFrom(at) < newline) {
        const next = this.#splitQuotedRow(at);
        if (next < 0) return at;
        at = next;
        continue;
      }
      if (newline === length && !this.#isLast) return at;
      this.#add(this.#text.slice(at, this.#lineEnd(at, newline)).split(this.#delimiter));
      at = newline + 1;
    }
    return length;
  }

  /** The place behind the row, or -1 when more text is needed to tell where it ends. */
  #splitQuotedRow(from: number): number {
    const row: string[] = [];
    const stray = this.cellsWithStrayText;
    let at = from;
    while (true) {
      let quoted = '';
      if (this.#text[at] === '"') {
        const close = this.#closingQuote(at);
        if (close < 0) {
          this.cellsWithStrayText = stray;
          return -1;
        }
        quoted = this.#text.slice(at + 1, close).replaceAll('""', '"');
        at = close + 1;
      }
      const newline = this.#newlineFrom(at);
      const end = Math.min(this.#delimiterFrom(at), newline);
      if (end === this.#text.length && !this.#isLast) {
        this.cellsWithStrayText = stray;
        return -1;
      }
      const plain = this.#text.slice(at, end === newline ? this.#lineEnd(at, end) : end);
      if (plain !== '' && this.#text[at - 1] === '"' && at > from && quoted !== '') this.cellsWithStrayText++;
      row.push(quoted + plain);
      at = end + 1;
      if (end === newline) break;
    }
    this.#add(row);
    return at;
  }

  #closingQuote(open: number): number {
    let close = this.#text.indexOf('"', open + 1);
    while (close >= 0 && this.#text[close + 1] === '"') close = this.#text.indexOf('"', close + 2);
    if (this.#isLast && close < 0) throw new RecordError('broken', `A quote in row ${this.count + 1} is never closed.`);
    return close;
  }

  #add(row: string[]): void {
    if (row.length === 1 && row[0] === '') return;
    this.count++;
    this.#rows.push(row);
  }

  #lineEnd(start: number, newline: number): number {
    return newline > start && this.#text.charCodeAt(newline - 1) === 13 ? newline - 1 : newline;
  }

  // Each is remembered until it is passed: searched for from every cell, a long row would take quadratic time.

  #quoteFrom(at: number): number {
    if (this.#nextQuote < at) this.#nextQuote = this.#find('"', at);
    return this.#nextQuote;
  }

  #newlineFrom(at: number): number {
    if (this.#nextNewline < at) this.#nextNewline = this.#find('\n', at);
    return this.#nextNewline;
  }

  #delimiterFrom(at: number): number {
    if (this.#nextDelimiter < at) this.#nextDelimiter = this.#find(this.#delimiter, at);
    return this.#nextDelimiter;
  }

  #find(character: string, from: number): number {
    const found = this.#text.indexOf(character, from);
    return found < 0 ? this.#text.length : found;
  }
}
