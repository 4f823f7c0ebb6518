import { detach } from './utf.ts';
import type { ValueRange } from './value-counts.ts';

/** The length of 2026-11-20. */
const DATE_CHARS = 10;

/** A place in a text. */
interface Bound {
  text: string;
  from: number;
  to: number;
}

/**
 * The first and last date of a field. ISO dates are compared as text, because their order as text is their order in time. The dates are
 * ranges in their chunk until the chunk ends, because in a log every date is the last date so far.
 */
export class DateRange {
  readonly #first: Bound = { text: '', from: 0, to: 0 };
  readonly #last: Bound = { text: '', from: 0, to: 0 };

  /** Adds a value that starts like 2026-11-20. Returns false for any other value. */
  add(range: ValueRange): boolean {
    const last = this.#last;
    if (last.to === 0) {
      if (!startsWithDate(range)) return false;
      setBound(last, range);
      setBound(this.#first, range);
      return true;
    }
    const equal = equalUnits(last, range);
    // The beginning of a known date is a date.
    if (equal < DATE_CHARS && !startsWithDate(range)) return false;
    const order = orderAt(equal, { of: range, to: last });
    if (order > 0) setBound(last, range);
    else if (order < 0 && orderAt(equalUnits(this.#first, range), { of: range, to: this.#first }) < 0)
      setBound(this.#first, range);
    return true;
  }

  /** Releases the memory of the chunk. */
  endChunk(): void {
    for (const bound of [this.#first, this.#last]) {
      if (bound.text.length === bound.to - bound.from) continue;
      setBound(bound, { text: detach(bound.text.slice(bound.from, bound.to)), from: 0, to: bound.to - bound.from });
    }
  }

  /** `undefined` before the first date. */
  get texts(): { first: string; last: string } | undefined {
    if (this.#last.to === 0) return undefined;
    const [first, last] = [this.#first, this.#last].map(({ text, from, to }) => text.slice(from, to));
    return first !== undefined && last !== undefined ? { first, last } : undefined;
  }
}

function setBound(bound: Bound, { text, from, to }: Bound): void {
  bound.text = text;
  bound.from = from;
  bound.to = to;
}

function equalUnits(one: Bound, other: Bound): number {
  const { text, from } = one;
  const { text: otherText, from: start } = other;
  const length = Math.min(one.to - from, other.to - start);
  let at = 0;
  while (at < length && text.charCodeAt(from + at) === otherText.charCodeAt(start + at)) at++;
  return at;
}

/** Positive if a text sorts after the other text. */
function orderAt(equal: number, { of, to: other }: { of: Bound; to: Bound }): number {
  if (of.from + equal === of.to || other.from + equal === other.to) return of.to - of.from - (other.to - other.from);
  return of.text.charCodeAt(of.from + equal) - other.text.charCodeAt(other.from + equal);
}

function startsWithDate({ text, from, to }: Bound): boolean {
  if (to - from < DATE_CHARS) return false;
  for (let index = 0; index < DATE_CHARS; index++) {
    const code = text.charCodeAt(from + index);
    const isHyphen = code === 0x2d;
    if (index === 4 || index === 7 ? !isHyphen : code < 0x30 || code > 0x39) return false;
  }
  return true;
}
