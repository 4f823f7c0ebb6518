const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const NEWLINE = 10;

// Every cut of text and bytes in this library, and every count of bytes and lines. No cut splits a surrogate pair.

/** The UTF-8 bytes of a text. A lone surrogate counts as the three bytes of U+FFFD, which replaces it in storage. */
export const byteLength: (text: string) => number =
  typeof globalThis.Buffer === 'function' ? (text) => globalThis.Buffer.byteLength(text) : countBytes;

const UNITS_AT_ONCE = 16 * 1024;

/**
 * For runtimes without `Buffer`. It encodes into a small buffer that is reused, instead of into a copy of the
 * text.
 */
export function countBytes(text: string): number {
  const buffer = new Uint8Array(UNITS_AT_ONCE * 3);
  let bytes = 0;
  for (const piece of textPieces(text, UNITS_AT_ONCE)) bytes += encoder.encodeInto(piece, buffer).written;
  return bytes;
}

/** The offset itself, or one less if it would split a surrogate pair. */
export function codePointStart(text: string, offset: number): number {
  return isHighSurrogate(text.charCodeAt(offset - 1)) && isLowSurrogate(text.charCodeAt(offset)) ? offset - 1 : offset;
}

/** The first characters of a text, without an ellipsis. */
export function firstChars(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, codePointStart(text, Math.max(0, maxChars)));
}

/** A text of at most `maxChars` characters. An ellipsis replaces the missing end. */
export function shortened(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${firstChars(text, maxChars - 1)}…`;
}

/** Text in pieces of at most `maxUnits` (two or more) UTF-16 units. */
export function* textPieces(text: string, maxUnits: number): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = codePointStart(text, Math.min(start + maxUnits, text.length));
    yield text.slice(start, end);
    start = end;
  }
}

/** The same text in pieces of exactly `units` UTF-16 units, or one less at a surrogate pair. Its chunks can have any size. */
export function* equalPieces(chunks: Iterable<string>, units: number): Generator<string> {
  let rest = '';
  for (const chunk of chunks) {
    rest += chunk;
    // One more unit decides whether the last one is half of a pair.
    while (rest.length > units) {
      const end = codePointStart(rest, units);
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
  }
  if (rest !== '') yield rest;
}

/** Views of the bytes, each of at most `maxBytes`. */
export function* bytePieces<Bytes extends Uint8Array>(bytes: Bytes, maxBytes: number): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at += maxBytes) yield bytes.subarray(at, at + maxBytes) as Bytes;
}

/** The offset, or up to three less if it would split a UTF-8 code point. */
export function codePointBorder(bytes: Uint8Array, offset: number): number {
  for (let back = 0; back <= 3 && offset - back >= 0; back++) {
    if (!isContinuation(bytes[offset - back])) return offset - back;
  }
  // The bytes are not text, so any offset is fine.
  return offset;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The end of the longest beginning of `text` that fits into `maxBytes`. */
export function endOfFirstBytes(text: string, maxBytes: number): number {
  const window = text.slice(0, maxBytes);
  const { read } = encoder.encodeInto(window, new Uint8Array(Math.min(maxBytes, window.length * 3)));
  return codePointStart(text, read);
}

/** The start of the longest ending of `text` that fits into `maxBytes`. */
export function startOfLastBytes(text: string, maxBytes: number): number {
  let start = text.length;
  for (let bytes = 0; start > 0; start--) {
    const code = text.charCodeAt(start - 1);
    // A pair has four bytes. Each half counts two, so that either both halves fit or neither does.
    const isPaired = isHighSurrogate(code)
      ? isLowSurrogate(text.charCodeAt(start))
      : isLowSurrogate(code) && isHighSurrogate(text.charCodeAt(start - 2));
    bytes += code < 0x80 ? 1 : code < 0x800 || isPaired ? 2 : 3;
    if (bytes > maxBytes) break;
  }
  // The low half alone could have fitted, so move past it.
  return codePointStart(text, start) === start ? start : start + 1;
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Half of a surrogate pair becomes U+FFFD. */
export function wellFormedText(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}

/** The text of some bytes. Bytes that are not UTF-8 become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The number of bytes that hold the first `count` characters of their text. */
export function bytesOfCharacters(bytes: Uint8Array, text: string, count: number): number {
  if (count >= text.length) return bytes.length;
  const before = text.slice(0, count);
  // Only bytes that are not UTF-8 are fewer than the bytes of the U+FFFD that replaces them.
  if (!before.includes('\ufffd')) return byteLength(before);
  let low = 0;
  let high = bytes.length;
  // Finds the most bytes whose text is not longer. This works because the text never gets shorter when a byte is added.
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (decodeText(bytes.subarray(0, middle)).length <= count) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The number of lines that `split('\n')` would return. `indexOf` is ten times as fast over ordinary lines, and five times as
 * slow over empty lines.
 */
export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n') + 1; at > 0; at = text.indexOf('\n', at) + 1) {
    if (lines++ % 1024 === 0 && at < lines * 16) return lines + countNewlines(text, { from: at, to: text.length });
  }
  return lines;
}

/** Uses the index instead of `indexOf`, so that a text of only line breaks takes no longer than other texts. */
export function countNewlines(text: string, { from, to }: { from: number; to: number }): number {
  let count = 0;
  for (let index = from; index < to; index++) if (text.charCodeAt(index) === NEWLINE) count++;
  return count;
}

/**
 * Compares four bytes at a time. This is three times as fast as comparing single bytes, and this loop is most of the cost of a line index.
 */
export function countNewlineBytes(bytes: Uint8Array, { from, to }: { from: number; to: number }): number {
  let count = 0;
  let index = from;
  // A view of words must start at a multiple of four.
  for (; index < to && (bytes.byteOffset + index) % 4 !== 0; index++) if (bytes[index] === NEWLINE) count++;
  if (index === to) return count;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + index, (to - index) >> 2);
  // By index, because `for … of` over an array of numbers costs four times as much.
  for (let at = 0; at < words.length; at++) {
    const differences = (words[at] ?? 0) ^ 0x0a0a0a0a;
    // The highest bit of each byte that is equal.
    const equal = ~(((differences & 0x7f7f7f7f) + 0x7f7f7f7f) | differences | 0x7f7f7f7f);
    if (equal !== 0) count += ((equal >>> 7) & 1) + ((equal >>> 15) & 1) + ((equal >>> 23) & 1) + (equal >>> 31);
  }
  for (index += words.length * 4; index < to; index++) if (bytes[index] === NEWLINE) count++;
  return count;
}

/**
 * A copy of `text` with its own memory.
 *
 * Engines represent a slice as a pointer into the original string, so a 16 KB preview of a 500 MB output would hold all 500 MB
 * in memory for as long as the chat exists.
 */
export function detach(text: string): string {
  // Slicing a concatenation first flattens it, so the slice points into a string that is no longer than itself.
  return ` ${text}`.slice(1);
}

/**
 * Formats 1234567 as `1,234,567`. It does not use `toLocaleString`, because the same input must produce the same bytes in every
 * runtime.
 */
export function thousands(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
