import { setOwn } from '../records/values.ts';
import { codePointStart, detach } from '../text/utf.ts';

/** The largest share of an answer that one row may take, so that the next rows have room too. */
export const ROW_SHARE = 0.5;

/** The rows of one answer, starting at an offset: as many as are requested and fit, but at least one. */
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

  /**
   * `toRow` is called only for a row of this page. It returns a shortened row, because shortening twice would state wrong
   * lengths.
   */
  add(toRow: () => Record<string, unknown>): void {
    if (this.#index++ < this.#range.offset || this.#isFull) return;
    const row = toRow();
    this.#room -= JSON.stringify(row).length + ','.length;
    if (this.#room >= 0) this.rows.push(row);
    this.#isFull = this.#room < 0 || this.rows.length === this.#range.limit;
  }

  /** The start of the next page, if there are more rows than this page shows. */
  nextOf(total: number): { offset: number } | undefined {
    const offset = this.#range.offset + this.rows.length;
    return total > offset ? { offset } : undefined;
  }
}

const MAX_TEXT = 300;
const MAX_LEVELS = 6;
/** At least a key, quotes, a colon and a comma. */
const MEMBER_CHARS = 6;
const MORE = '…';

/**
 * The part of a record that fits into an answer. Long texts are shortened and state their length. Long lists and large objects
 * state how much more they contain. An integer beyond 2^53 becomes text, because JSON would change it.
 */
export function shownRow(row: Record<string, unknown>, { maxChars }: { maxChars: number }): Record<string, unknown> {
  // Escapes can make a text longer than estimated.
  for (let room = maxChars; room > maxChars / 64; room /= 2) {
    const shown = new Shortener(room).object(row, 0);
    if (JSON.stringify(shown).length <= maxChars) return shown;
  }
  return { [MORE]: `${Object.keys(row).length} fields, too long to show` };
}

/** Values that JSON cannot carry become text: an integer beyond 2^53, or a sum that is not finite. */
export function asJson(value: unknown): unknown {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value;
}

class Shortener {
  #room: number;

  constructor(maxChars: number) {
    // Room for the closing brackets, and for the count of omitted parts.
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

/** A text, or the beginning of a longer text with its length. */
export function shortened(text: string, limit: number = MAX_TEXT): string {
  if (text.length <= limit) return detach(text);
  return `${detach(text.slice(0, codePointStart(text, limit)))}… (${text.length} characters)`;
}
