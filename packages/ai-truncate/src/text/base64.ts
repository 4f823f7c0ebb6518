/** A multiple of three, so that the pieces join without padding. Small enough to be passed as arguments. */
const BYTES_PER_PIECE = 8190;

/** Bytes as a data URL, in pieces. A list of numbers in JSON would be four times as long. */
export function* dataUrlPieces(bytes: Uint8Array): Generator<string> {
  yield 'data:application/octet-stream;base64,';
  yield* base64Pieces(bytes);
}

export function* base64Pieces(bytes: Uint8Array): Generator<string> {
  for (let start = 0; start < bytes.length; start += BYTES_PER_PIECE) {
    const piece = bytes.subarray(start, start + BYTES_PER_PIECE);
    // The type requires a list, but `apply` accepts anything with a length, and a list would be a copy.
    yield btoa(String.fromCharCode.apply(undefined, piece as unknown as number[]));
  }
}

/** The base64 in `data` without the line breaks that some servers put into it. */
export function base64Of(data: unknown): string | undefined {
  if (typeof data !== 'string') return undefined;
  const text = data.replace(/\s+/g, '');
  const digits = text.replace(/={1,2}$/, '');
  if (/[^\w+/-]/.test(digits)) return undefined;
  const isWhole = digits === text ? text.length % 4 !== 1 : text.length % 4 === 0;
  return isWhole ? text : undefined;
}

/** The bytes of a base64 text. */
export function bytesOfBase64(base64: string): Uint8Array {
  // A hundred times as fast as a loop over `atob`.
  if (typeof globalThis.Buffer === 'function') return globalThis.Buffer.from(base64, 'base64');
  const text = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
