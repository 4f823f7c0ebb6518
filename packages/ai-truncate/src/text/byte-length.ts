const encoder = new TextEncoder();
const PIECE = 16 * 1024;

/** UTF-8 bytes of a text; a lone surrogate counts as the three bytes of U+FFFD that stand for it when it is stored. */
export const byteLength: (text: string) => number =
  typeof globalThis.Buffer === 'function' ? (text) => globalThis.Buffer.byteLength(text) : countBytes;

/** For runtimes without `Buffer`: encodes into one small buffer again and again instead of into a copy of the text. */
export function countBytes(text: string): number {
  const buffer = new Uint8Array(PIECE * 3);
  let bytes = 0;
  for (let start = 0; start < text.length; ) {
    const end = codePointStart(text, Math.min(start + PIECE, text.length));
    bytes += encoder.encodeInto(text.slice(start, end), buffer).written;
    start = end;
  }
  return bytes;
}

/** The offset itself, or one less when it would split a surrogate pair. */
export function codePointStart(text: string, offset: number): number {
  return isHighSurrogate(text.charCodeAt(offset - 1)) && isLowSurrogate(text.charCodeAt(offset)) ? offset - 1 : offset;
}

/** Where the longest beginning of `text` ends that fits into `maxBytes` and splits no code point. */
export function endOfFirstBytes(text: string, maxBytes: number): number {
  const window = text.slice(0, maxBytes);
  const { read } = encoder.encodeInto(window, new Uint8Array(Math.min(maxBytes, window.length * 3)));
  return codePointStart(text, read);
}

/** Where the longest ending of `text` starts that fits into `maxBytes` and splits no code point. */
export function startOfLastBytes(text: string, maxBytes: number): number {
  let start = text.length;
  for (let bytes = 0; start > 0; start--) {
    const code = text.charCodeAt(start - 1);
    // A pair weighs four bytes: two for each half, so that both or none of them fit.
    const isPaired = isHighSurrogate(code)
      ? isLowSurrogate(text.charCodeAt(start))
      : isLowSurrogate(code) && isHighSurrogate(text.charCodeAt(start - 2));
    bytes += code < 0x80 ? 1 : code < 0x800 || isPaired ? 2 : 3;
    if (bytes > maxBytes) break;
  }
  // The low half alone could have fitted: move past it.
  return isHighSurrogate(text.charCodeAt(start - 1)) && isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start;
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
