/** A quote that is never closed would collect the rest of the file, and a longer row of only quotes is a long step. */
const MAX_ROW_CHARS = 512 * 1024;

const QUOTE = 0;
const NEWLINE = 1;
const DELIMITER = 2;

/** Throws what the caller throws for rows that cannot be read. */
export type RowFailure = (problem: 'broken' | 'too large', message: string) => never;

/** A row without quotes: a part of a text, without its line break. The same object is used for all rows. */
export interface PlainRow {
  text: string;
  from: number;
  to: number;
  /** Its start in the whole text. */
  start: number;
}

/** Receives rows as text. Lists of cells would take ten times as long. */
export interface RowReceiver {
  plain(row: PlainRow): void;
  quoted(row: { cells: string[]; start: number; end: number }): void;
}

/**
 * Cuts delimited text that comes in pieces into rows of cells: quotes, doubled quotes, line breaks inside quotes, CRLF.
 * Blank lines are not rows. Tolerant if there is no ambiguity, so a quote inside a cell is a quote.
 */
export class RowSplitter {
  readonly #delimiter: string;
  readonly #fail: RowFailure;
  readonly #receiver: RowReceiver | undefined;
  readonly #plain: PlainRow = { text: '', from: 0, to: 0, start: 0 };
  /** The characters of `QUOTE`, `NEWLINE` and `DELIMITER`. */
  readonly #characters: readonly string[];
  #rest = '';
  #waiting: string[] = [];
  #waitingLength = 0;
  #text = '';
  /** The beginning of the text. */
  #base = 0;
  #isLast = false;
  /** The next position of each character, because a search from every cell would take quadratic time in a long row. */
  #next = [-1, -1, -1];
  #rows: string[][] = [];
  /** The characters of the complete rows. */
  get read(): number {
    return this.#base;
  }

  /** The number of rows passed on. */
  count = 0;

  constructor(delimiter: string, { fail, receiver }: { fail: RowFailure; receiver?: RowReceiver }) {
    this.#delimiter = delimiter;
    this.#fail = fail;
    this.#receiver = receiver;
    this.#characters = ['"', '\n', delimiter];
  }

  push(text: string): string[][] {
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    // A long row is read again only after it has doubled, because it would otherwise be read again for each piece.
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
    this.#next = [-1, -1, -1];
    this.#rows = [];
    const end = this.#splitRows();
    this.#rest = this.#text.slice(end);
    this.#base += end;
    this.#plain.text = '';
    if (this.#rest.length > MAX_ROW_CHARS)
      this.#fail(
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
      const newline = this.#find(NEWLINE, at);
      if (this.#find(QUOTE, at) < newline) {
        const next = this.#splitQuotedRow(at);
        if (next < 0) return at;
        at = next;
        continue;
      }
      if (newline === length && !this.#isLast) return at;
      this.#addPlain(at, newline);
      at = newline + 1;
    }
    return length;
  }

  /** The place after the row, or -1 if its end needs more text. */
  #splitQuotedRow(from: number): number {
    const row: string[] = [];
    for (let at = from; ; ) {
      let quoted = '';
      if (this.#text[at] === '"') {
        const close = this.#closingQuote(at);
        if (close < 0) return -1;
        quoted = this.#text.slice(at + 1, close).replaceAll('""', '"');
        at = close + 1;
      }
      const newline = this.#find(NEWLINE, at);
      const end = Math.min(this.#find(DELIMITER, at), newline);
      if (end === this.#text.length && !this.#isLast) return -1;
      row.push(quoted + this.#cellText(at, end));
      at = end + 1;
      if (end < newline) continue;
      this.#addQuoted(row, { from, to: end });
      return at;
    }
  }

  #closingQuote(open: number): number {
    let close = this.#text.indexOf('"', open + 1);
    while (close >= 0 && this.#text[close + 1] === '"') close = this.#text.indexOf('"', close + 2);
    if (this.#isLast && close < 0) this.#fail('broken', `A quote in row ${this.count + 1} is never closed.`);
    return close;
  }

  #addPlain(from: number, newline: number): void {
    const to = this.#cellEnd(from, newline);
    if (from === to) return;
    this.count++;
    if (!this.#receiver) {
      this.#rows.push(this.#text.slice(from, to).split(this.#delimiter));
      return;
    }
    const row = this.#plain;
    row.text = this.#text;
    row.from = from;
    row.to = to;
    row.start = this.#base + from;
    this.#receiver.plain(row);
  }

  #addQuoted(cells: string[], { from, to }: { from: number; to: number }): void {
    if (cells.length === 1 && cells[0] === '') return;
    this.count++;
    if (this.#receiver) this.#receiver.quoted({ cells, start: this.#base + from, end: this.#base + to });
    else this.#rows.push(cells);
  }

  #cellText(start: number, end: number): string {
    return this.#text.slice(start, this.#cellEnd(start, end));
  }

  /** The end of a cell without the carriage return before a line feed. */
  #cellEnd(start: number, end: number): number {
    const isReturn = end > start && this.#text.charCodeAt(end - 1) === 13 && this.#text[end] !== this.#delimiter;
    return isReturn ? end - 1 : end;
  }

  #find(character: number, from: number): number {
    const known = this.#next[character] as number;
    if (known >= from) return known;
    const found = this.#text.indexOf(this.#characters[character] as string, from);
    this.#next[character] = found < 0 ? this.#text.length : found;
    return this.#next[character] as number;
  }
}
