const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

// The text view of a value: its JSON with strings decoded. In JSON a backslash occurs inside strings only, and a real line feed
// outside of them only. So decoding needs no grammar, and it can start at any place that is not inside an escape.

/** The longest escape: a surrogate pair. */
export const LONGEST_ESCAPE: number = '\\ud83d\\ude00'.length;
/** Bytes of the view that one escape can become. */
export const LONGEST_CODE_POINT: number = 4;
/** A longer run without an escape is searched and copied natively; for a short one the calls cost more than they save. */
const SHORT_RUN = 32;

/** The byte of each escape of two characters, by its second character; any other character stands for itself. */
export const ESCAPED: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  const at = 'bfnrt'.indexOf(String.fromCharCode(code));
  return at < 0 ? code : '\b\f\n\r\t'.charCodeAt(at);
});

/**
 * Decodes the bytes of JSON that come in chunks of any size, in constant memory. `offsets` says where each byte of the view is
 * stored. An escaped lone surrogate becomes U+FFFD.
 */
export class ViewDecoder {
  readonly offsets: ViewOffsets;
  /** The beginning of an escape whose end comes with the next chunk. */
  #rest: Uint8Array = new Uint8Array();
  #view = 0;
  #stored: number;

  /** @param start the stored byte at which decoding starts. It must not be inside an escape. */
  constructor(start = 0) {
    this.#stored = start;
    this.offsets = new ViewOffsets(start);
  }

  /** How many bytes of the view have been decoded. */
  get length(): number {
    return this.#view;
  }

  /**
   * Decodes a chunk until it is read, or until `target` has less room than a code point may need. The view is never longer than the
   * JSON, so a target that is four bytes longer than all chunks is never full.
   */
  decodeInto(chunk: Uint8Array, target: Uint8Array): { read: number; written: number } {
    const held = this.#rest.length;
    const source = held === 0 ? chunk : joined(this.#rest, chunk);
    const mostWritten = target.length - LONGEST_CODE_POINT;
    let at = 0;
    let out = 0;
    while (at < source.length && out <= mostWritten) {
      if (source[at] !== BACKSLASH) {
        const end = Math.min(endOfRun(source, at), at + mostWritten + 1 - out);
        if (end - at <= SHORT_RUN) while (at < end) target[out++] = source[at++] as number;
        else {
          target.set(source.subarray(at, end), out);
          out += end - at;
          at = end;
        }
        continue;
      }
      const length = escapeLength(source, at);
      if (length === undefined) break;
      out = writeEscape(target, { out, source, at, length });
      at += length;
      this.offsets.add(this.#view + out, this.#stored + at);
    }
    const isHeldBack = out <= mostWritten && at < source.length;
    this.#rest = isHeldBack ? source.slice(at) : source.slice(at, Math.max(at, held));
    const read = isHeldBack ? chunk.length : Math.max(0, at - held);
    this.#view += out;
    this.#stored += at;
    return { read, written: out };
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

function endOfRun(bytes: Uint8Array, from: number): number {
  const near = Math.min(bytes.length, from + SHORT_RUN);
  let at = from;
  while (at < near && bytes[at] !== BACKSLASH) at++;
  if (at < near) return at;
  const found = bytes.indexOf(BACKSLASH, at);
  return found === -1 ? bytes.length : found;
}

/** The length of the escape that starts at an index; `undefined` while its end is unknown. */
function escapeLength(bytes: Uint8Array, at: number): number | undefined {
  const left = bytes.length - at;
  if (left < 2) return undefined;
  if (bytes[at + 1] !== LETTER_U) return 2;
  if (left < 6) return undefined;
  if (!isHigh(codeUnit(bytes, at))) return 6;
  const next = bytes.subarray(at + 6, at + LONGEST_ESCAPE);
  const mayBePair = (next[0] ?? BACKSLASH) === BACKSLASH && (next[1] ?? LETTER_U) === LETTER_U;
  if (mayBePair && next.length < 6) return undefined;
  return mayBePair && isLow(codeUnit(bytes, at + 6)) ? LONGEST_ESCAPE : 6;
}

/** Writes the bytes of an escape. Returns the index after them. */
function writeEscape(
  target: Uint8Array,
  { out, source, at, length }: { out: number; source: Uint8Array; at: number; length: number },
): number {
  if (length === 2) {
    target[out] = ESCAPED[source[at + 1] as number] as number;
    return out + 1;
  }
  const unit = codeUnit(source, at);
  if (unit < 0x80) {
    target[out] = unit;
    return out + 1;
  }
  const isPair = length === LONGEST_ESCAPE;
  const code = isPair ? ((unit - 0xd800) << 10) + codeUnit(source, at + 6) - 0xdc00 + 0x10000 : unit;
  const { written } = encoder.encodeInto(String.fromCodePoint(code), target.subarray(out));
  return out + written;
}

const encoder = new TextEncoder();

/** The code unit of the escape `\uXXXX` at an index. */
function codeUnit(bytes: Uint8Array, at: number): number {
  return Number.parseInt(String.fromCharCode(...bytes.subarray(at + 2, at + 6)), 16);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Which byte of the view is which stored byte, as far as it was decoded. Between two escapes, both advance by one. */
export class ViewOffsets {
  /** The end of each escape in the view and in the JSON. The first entry is the place where decoding started. */
  #views: number[] = [0];
  #stored: number[];

  constructor(start: number) {
    this.#stored = [start];
  }

  add(view: number, stored: number): void {
    this.#views.push(view);
    this.#stored.push(stored);
  }

  /** The stored byte at which a code point of the view starts. */
  storedOf(view: number): number {
    const index = lastUpTo(this.#views, view);
    return (this.#stored[index] ?? 0) + view - (this.#views[index] ?? 0);
  }

  /** The byte of the view for a stored byte. For a byte inside an escape, it is a byte of the code point. */
  viewOf(stored: number): number {
    const index = lastUpTo(this.#stored, stored);
    const view = (this.#views[index] ?? 0) + stored - (this.#stored[index] ?? 0);
    return Math.min(view, (this.#views[index + 1] ?? Number.POSITIVE_INFINITY) - 1);
  }

  /** Releases the data for places before this one. */
  forget(view: number): void {
    const index = lastUpTo(this.#views, view);
    if (index <= 0) return;
    this.#views = this.#views.slice(index);
    this.#stored = this.#stored.slice(index);
  }
}

/** The index of the last number that is not larger; the numbers ascend. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] as number) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The view of stored bytes that are in memory, and where its bytes are stored. An escape that is cut off at the end is left out. */
export function viewOfBytes(
  bytes: Uint8Array,
  { start }: { start: number },
): { view: Uint8Array<ArrayBuffer>; offsets: ViewOffsets } {
  const decoder = new ViewDecoder(start);
  const target = new Uint8Array(bytes.length + LONGEST_CODE_POINT);
  const { written } = decoder.decodeInto(bytes, target);
  return { view: target.subarray(0, written), offsets: decoder.offsets };
}

/**
 * The first index from which bytes can be decoded when they may begin inside an escape. Leading backslashes and the character after
 * them are skipped, because it is unknown which of the backslashes are escaped. If all bytes are backslashes, it is their number.
 */
export function decodableFrom(bytes: Uint8Array, { isInRun = false }: { isInRun?: boolean } = {}): number {
  let at = 0;
  while (at < bytes.length && bytes[at] === BACKSLASH) at++;
  return at === 0 && !isInRun ? 0 : Math.min(at + 1, bytes.length);
}
