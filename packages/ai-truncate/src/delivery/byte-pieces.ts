const MAX_PIECE_BYTES = 64 * 1024;

/**
 * Bytes in pieces for which a save waits one by one. The text of a megabyte would lie outside of the heap, where the engine lets
 * forty of them gather before it looks; and a store would get several chunks of it, for each of which it may stand still.
 */
export function* bytePieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += MAX_PIECE_BYTES)
    yield bytes.subarray(start, start + MAX_PIECE_BYTES);
}
