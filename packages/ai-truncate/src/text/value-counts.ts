import { detach } from './utf.ts';

/** A part of a text that is one value. The same object is used for all values, because an output has millions of them. */
export interface ValueRange {
  text: string;
  from: number;
  to: number;
  /** By {@link hashUnit}, started with {@link HASH_START}. */
  hash: number;
  /** A number or word of JSON, and not a string. */
  isLiteral: boolean;
}

export const HASH_START = 0x1e3779b9;
const PRIME = 0x01000193;

/** Adds a UTF-16 unit to a hash. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, PRIME);
}

/** Sets the range to a whole text. */
export function setWhole(range: ValueRange, text: string): void {
  range.text = text;
  range.from = 0;
  range.to = text.length;
  let hash = HASH_START;
  for (let at = 0; at < text.length; at++) hash = hashUnit(hash, text.charCodeAt(at));
  range.hash = hash;
}

/** The memory for the values of all fields of a profile. */
export class ValueRoom {
  #values = 50_000;
  #chars = 1_000_000;

  take(chars: number): boolean {
    if (this.#values === 0 || this.#chars < chars) return false;
    this.#values--;
    this.#chars -= chars;
    return true;
  }

  free({ texts }: ValueCounts): void {
    this.#values += texts.length;
    for (const text of texts) this.#chars += text.length;
  }
}

/** Counts different values of a field. A value that was counted before takes no memory at all. */
export class ValueCounts {
  readonly texts: string[] = [];
  readonly counts: number[] = [];
  readonly literals: boolean[] = [];
  readonly #hashes: number[] = [];
  /** Too many hashes have the same place, so a search would be slow. Only a hostile output has such values. */
  isCrowded = false;
  /** The index of a value, plus 1, at a place that its hash determines. */
  #slots = new Int16Array(16);

  /** Counts a known value. Returns false if the value is unknown. */
  count(range: ValueRange): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const { hash } = range;
    for (let slot = mixed(hash) & mask; ; slot = (slot + 1) & mask) {
      const index = (slots[slot] as number) - 1;
      if (index < 0) return false;
      if (this.#hashes[index] === hash && this.#isEqual(index, range)) {
        this.counts[index] = (this.counts[index] as number) + 1;
        return true;
      }
    }
  }

  #isEqual(index: number, { text, from, to, isLiteral }: ValueRange): boolean {
    const known = this.texts[index] as string;
    const { length } = known;
    if (length !== to - from || this.literals[index] !== isLiteral) return false;
    for (let at = 0; at < length; at++) if (known.charCodeAt(at) !== text.charCodeAt(from + at)) return false;
    return true;
  }

  /** Adds an unknown value. */
  add({ text, from, to, hash, isLiteral }: ValueRange): void {
    // A slice would keep the whole chunk in memory.
    this.texts.push(detach(text.slice(from, to)));
    this.counts.push(1);
    this.literals.push(isLiteral);
    this.#hashes.push(hash);
    if (this.texts.length * 2 > this.#slots.length) this.#grow();
    else this.#place(this.texts.length - 1);
  }

  #grow(): void {
    this.#slots = new Int16Array(this.#slots.length * 2);
    for (let index = 0; index < this.texts.length; index++) this.#place(index);
  }

  #place(index: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = mixed(this.#hashes[index] as number) & mask;
    for (let probes = 0; slots[slot] !== 0; probes++) {
      slot = (slot + 1) & mask;
      if (probes === MAX_PROBES) this.isCrowded = true;
    }
    slots[slot] = index + 1;
  }
}

const MAX_PROBES = 64;

/** The low bits of a hash decide its place, so the high bits are mixed into them. */
function mixed(hash: number): number {
  return hash ^ (hash >>> 15);
}
