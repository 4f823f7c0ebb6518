/** A multiple of three, so that the pieces join without padding; small enough to be handed over as arguments. */
const BYTES_PER_PIECE = 8190;

/** Bytes as a data URL, in pieces: a list of numbers, as JSON has it, would be four times as long. */
export function* dataUrlPieces(bytes: Uint8Array): Generator<string> {
  yield 'data:application/octet-stream;base64,';
  yield* base64Pieces(bytes);
}

export function* base64Pieces(bytes: Uint8Array): Generator<string> {
  for (let start = 0; start < bytes.length; start += BYTES_PER_PIECE) {
    const piece = bytes.subarray(start, start + BYTES_PER_PIECE);
    // The types ask for a list; `apply` takes anything with a length, and a list would be a copy.
    yield btoa(String.fromCharCode.apply(undefined, piece as unknown as number[]));
  }
}
