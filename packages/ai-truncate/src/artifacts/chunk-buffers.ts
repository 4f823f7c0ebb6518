/** Memory for the chunks of one content. */
export interface ChunkBuffers {
  /** An empty one: small at first, so that ten thousand contents can be saved at once; then larger, so that a store writes seldom. */
  next(): Uint8Array<ArrayBuffer>;
  /** Who had a chunk has no more use for it. */
  release(chunk: Uint8Array<ArrayBuffer>): void;
}

const FIRST_BYTES = 64 * 1024;
const MAX_BYTES = 1024 * 1024;

/** Uses what was given back again: of buffers that are only dropped, the engine lets 64 MB gather before it looks. */
export function createChunkBuffers(): ChunkBuffers {
  const spares: ArrayBuffer[] = [];
  // Who gives back what is not ours, or the same twice, must not make two chunks share their bytes.
  const lent = new WeakSet<ArrayBuffer>();
  let bytes = FIRST_BYTES;

  return {
    next() {
      const buffer = (bytes === MAX_BYTES && spares.pop()) || new ArrayBuffer(bytes);
      bytes = Math.min(2 * bytes, MAX_BYTES);
      lent.add(buffer);
      return new Uint8Array(buffer);
    },
    release({ buffer }) {
      if (lent.delete(buffer) && buffer.byteLength === MAX_BYTES) spares.push(buffer);
    },
  };
}
