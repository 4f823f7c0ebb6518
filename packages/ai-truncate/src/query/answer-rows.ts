import { setOwn } from '../records/values.ts';
import { codePointStart, detach } from '../text/utf.ts';

/** The largest share of an answer that one row may take, because the next rows are of use too. */
export const ROW_SHARE = 0.5;

/** The rows of one answer: from an offset on, as many as are wanted and as there is room for, at least one. */
export class Page {
  readonly #range: { offset: number; limit: number };
  #index = 0;
  #room: number;
  #isFull = false;
  readonly rows: Record<string, unknown>[] = [];

  constructor(range: { offset: number; limit: number; maxChars: number }) {
    this.#range = range;
    this.#room = range.maxChars - '[]'.length;
  }

  /** `toRow` is asked only for a row that is on this page. It is shortened already: twice would tell wrong numbers. */
  add(toRow: () => Record<string, unknown>): void {
    if (this.#index++ < this.#range.offset || this.#isFull) return;
    const row = toRow();
    this.#room -= JSON.stringify(row).length + ','.length;
    if (this.#room >= 0) this.rows.push(row);
    this.#isFull = this.#room < 0 || this.rows.length === this.#range.limit;
  }

  /** Where the next page starts, of so many rows in all. */
  nextOf(total: number): { offset: number } | undefined {
    const offset = this.#range.offset + this.rows.length;
    return total > offset ? { offset } : undefined;
  }
}

const MAX_TEXT = 300;
const MAX_LEVELS = 6;
/** A key, quotes, a colon and a comma at the least. */
const MEMBER_CHARS = 6;
const MORE = '…';

/**
 * A copy of a record's part that an answer has room for: long texts are shortened and say how long they are, long lists
 * and large objects say how much more there is. An integer beyond 2^53 becomes text, as JSON would change it.
 */
export function shownRow(row: Record<string, unknown>, { maxChars }: { maxChars: number }): Record<string, unknown> {
  // Escapes make more of some texts than was reckoned with.
  for (let room = maxChars; room > maxChars / 64; room /= 2) {
    const shown = new Shortener(room).object(row, 0);
    if (JSON.stringify(shown).length <= maxChars) return shown;
  }
  return { [MORE]: `${Object.keys(row).length} fields, too long to be shown` };
}

/** What JSON cannot carry is text: an integer beyond 2^53, a sum that is no number any more. */
export function asJson(value: unknown): unknown {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value;
}

class Shortener {
  #room: number;

  constructor(maxChars: number) {
    // For what closes the containers and tells of the rest.
    this.#room = maxChars - 100;
  }

  object(object: Record<string, unknown>, levels: number): Record<string, unknown> {
    const shown: Record<string, unknown> = {};
    let count = 0;
    for (const key in object) {
      const name = shortened(key);
      const keyChars = JSON.stringify(name).length + MEMBER_CHARS;
      if (this.#room < keyChars + MEMBER_CHARS) {
        setOwn(shown, MORE, `${Object.keys(object).length - count} more fields`);
        this.#room -= 2 * MEMBER_CHARS + 20;
        break;
      }
      this.#room -= keyChars;
      setOwn(shown, name, this.#value(object[key], levels + 1));
      count++;
    }
    return shown;
  }

  #array(array: readonly unknown[], levels: number): unknown[] {
    const shown: unknown[] = [];
    for (const item of array) {
      if (this.#room < 2 * MEMBER_CHARS) {
        shown.push(`${MORE} ${array.length - shown.length} more`);
        this.#room -= 30;
        break;
      }
      this.#room--;
      shown.push(this.#value(item, levels + 1));
    }
    return shown;
  }

  #value(given: unknown, levels: number): unknown {
    const value = asJson(given);
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) {
      this.#room -= String(value).length;
      return value;
    }
    this.#room -= 2;
    if (levels > MAX_LEVELS) return this.#text(Array.isArray(value) ? `[… ${value.length} items]` : '{…}');
    return Array.isArray(value) ? this.#array(value, levels) : this.object(value as Record<string, unknown>, levels);
  }

  #text(text: string): string {
    const limit = Math.max(20, Math.min(MAX_TEXT, this.#room));
    const shown = shortened(text, limit);
    this.#room -= JSON.stringify(shown).length;
    return shown;
  }
}

/** A text, or the beginning of a longer one, which says how long that is. */
export function shortened(text: string, limit: number = MAX_TEXT): string {
  if (text.length <= limit) return detach(text);
  return `${detach(text.slice(0, codePointStart(text, limit)))}… (${text.length} characters)`;
}
