/** Enough to tell a text from what is none. */
const BYTES_LOOKED_AT = 64 * 1024;
/** What no text holds: other control characters than white space, backspace and the beginning of a colour. */
const NO_TEXT = new RegExp(['[\\0-\\x07', '\\x0e-\\x1a', '\\x1c-\\x1f]'].join(''));

/**
 * The text that bytes are, as commands and files often come, `undefined` when they are none. The SDK would send a list of numbers
 * for them. More bytes than `maxBytes` are judged by their beginning, and what is given is that.
 */
export function textInBytes(output: unknown, maxBytes: number): { bytes: Uint8Array; text: string } | undefined {
  const bytes = bytesOf(output);
  if (!bytes) return undefined;
  const isWhole = bytes.length <= maxBytes;
  const beginning = isWhole ? bytes : bytes.subarray(0, BYTES_LOOKED_AT);
  try {
    // The end of a beginning may lie inside a character.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(beginning, { stream: !isWhole });
    return NO_TEXT.test(text) ? undefined : { bytes, text };
  } catch {
    return undefined;
  }
}

function bytesOf(output: unknown): Uint8Array | undefined {
  try {
    if (!(output instanceof Uint8Array)) return undefined;
    // A class of one's own may slice otherwise.
    return new Uint8Array(output.buffer, output.byteOffset, output.byteLength);
  } catch {
    // The buffer belongs to somebody else by now, or a Proxy passes for bytes: JSON makes something of it all the same.
    return undefined;
  }
}
