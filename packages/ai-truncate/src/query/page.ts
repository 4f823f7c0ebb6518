/** One record may take so much of an answer; the next ones are of use too. */
const ROW_SHARE = 0.5;

/** How long one row of an answer may be. */
export function rowChars(maxChars: number): number {
  return Math.floor(maxChars * ROW_SHARE);
}

/** The rows of one answer: from an offset on, as many as are wanted and as there is room for, at least one. */
export class Page {
  readonly #offset: number;
  readonly #limit: number;
  #index = 0;
  #room: number;
  #isFull = false;
  readonly rows: Record<string, unknown>[] = [];

  constructor(options: { offset: number; limit: number; maxChars: number }) {
    this.#offset = options.offset;
    this.#limit = options.limit;
    this.#room = options.maxChars - '[]'.length;
  }

  /** `toRow` is asked only for a row that is on this page. It is shortened already: twice would tell wrong numbers. */
  add(toRow: () => Record<string, unknown>): void {
    if (this.#index++ < this.#offset || this.#isFull) return;
    const row = toRow();
    this.#room -= JSON.stringify(row).length + ','.length;
    if (this.#room >= 0) this.rows.push(row);
    this.#isFull = this.#room < 0 || this.rows.length === this.#limit;
  }

  /** Where the next page starts, of so many rows in all. */
  nextOf(total: number): { offset: number } | undefined {
    const offset = this.#offset + this.rows.length;
    return total > offset ? { offset } : undefined;
  }
}
