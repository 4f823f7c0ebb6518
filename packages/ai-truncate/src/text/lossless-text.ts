// Text of bytes that may not be text. Each byte that is not part of a UTF-8 character becomes a lone surrogate from U+DC80 to
// U+DCFF, which no decoded text contains, so that the same bytes can be written again.

const LONE_BASE = 0xdc00;
const LONE = /(?<![\ud800-\udbff])[\udc80-\udcff]/g;
const MAX_CARRIED_BYTES = 3;
/** The character in place of bytes or halves of pairs that are not text. */
export const REPLACEMENT = '\ufffd';

/** Decodes bytes that arrive in chunks. */
export class LosslessDecoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** The beginning of a character. */
  #carried = new Uint8Array();

  decode(bytes: Uint8Array): string {
    const all = joined(this.#carried, bytes);
    const end = endOfCharacters(all);
    this.#carried = all.slice(end);
    return this.#decodeWhole(all.subarray(0, end));
  }

  /** The text of an unfinished character. */
  finish(): string {
    const rest = lone(this.#carried);
    this.#carried = new Uint8Array();
    return rest;
  }

  #decodeWhole(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return this.#decodeBroken(bytes);
    }
  }

  #decodeBroken(bytes: Uint8Array): string {
    let text = '';
    let start = 0;
    for (let at = 0; at < bytes.length; ) {
      const length = lengthOfCharacter(bytes, at);
      at += Math.max(1, length);
      if (length > 0) continue;
      text += this.#decoder.decode(bytes.subarray(start, at - 1)) + lone(bytes.subarray(at - 1, at));
      start = at;
    }
    return text + this.#decoder.decode(bytes.subarray(start));
  }
}

/** The text, or its bytes if it contains some that are not text. */
export function encodeLossless(text: string): string | Uint8Array {
  const places = Array.from(text.matchAll(LONE), ({ index }) => index);
  if (places.length === 0) return text;
  const encoder = new TextEncoder();
  // A character has at most three bytes per UTF-16 unit.
  const bytes = new Uint8Array(3 * text.length);
  let written = 0;
  let start = 0;
  const write = (end: number) => {
    written += encoder.encodeInto(text.slice(start, end), bytes.subarray(written)).written;
  };
  for (const index of places) {
    write(index);
    bytes[written++] = text.charCodeAt(index) - LONE_BASE;
    start = index + 1;
  }
  write(text.length);
  return bytes.subarray(0, written);
}

/** A text without lone surrogates that could be confused with bytes. Written as bytes, they would be the replacement character. */
export function withoutLoneBytes(text: string): string {
  return text.replace(LONE, REPLACEMENT);
}

function lone(bytes: Uint8Array): string {
  return String.fromCharCode(...Array.from(bytes, (byte) => LONE_BASE + byte));
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/** The end of the last character that may be complete. */
function endOfCharacters(bytes: Uint8Array): number {
  const first = Math.max(0, bytes.length - MAX_CARRIED_BYTES);
  for (let at = bytes.length - 1; at >= first; at--) {
    const byte = bytes[at] as number;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return at + expectedLength(byte) > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

function expectedLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** The bytes of the character at a place; 0 if there is none. */
function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = expectedLength(lead);
  if (at + length > bytes.length) return 0;
  for (let next = 1; next < length; next++) if (((bytes[at + next] as number) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] as number;
  // Longer forms than needed, halves of pairs, and characters after the last one.
  const isWrong =
    (lead === 0xe0 && second < 0xa0) ||
    (lead === 0xed && second > 0x9f) ||
    (lead === 0xf0 && second < 0x90) ||
    (lead === 0xf4 && second > 0x8f);
  return isWrong ? 0 : length;
}
