import type { StoreBody } from '../artifact-store.ts';

/** Memory for the chunks of one save. */
export interface ChunkPool {
  /** An empty chunk. */
  next(): Uint8Array<ArrayBuffer>;
  /** Lets a later chunk use the memory of this chunk. Ignores foreign chunks, and chunks that were already released. */
  giveBack(chunk: Uint8Array<ArrayBuffer>): void;
  /** The save has ended, so no memory is used again. */
  end(): void;
}

/** Small at first, so that ten thousand outputs can be saved at once; then larger, so that a store makes fewer writes. */
const FIRST_CHUNK_BYTES = 64 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** A store writes one chunk while the next one is filled. With a slow source, both are written before more bytes arrive. */
const MAX_SPARE_CHUNKS = 2;

/** Uses released memory again, because the engine collects 64 MB of dropped buffers before it frees them. */
export function createChunkPool(): ChunkPool {
  const lent = new WeakSet<ArrayBuffer>();
  const spares: ArrayBuffer[] = [];
  let bytes = FIRST_CHUNK_BYTES;
  let isEnded = false;

  return {
    next() {
      const buffer = spares.pop() ?? new ArrayBuffer(bytes);
      bytes = Math.min(2 * bytes, MAX_CHUNK_BYTES);
      lent.add(buffer);
      return new Uint8Array(buffer);
    },
    giveBack({ buffer }) {
      if (!lent.delete(buffer) || isEnded) return;
      if (buffer.byteLength === MAX_CHUNK_BYTES && spares.length < MAX_SPARE_CHUNKS) spares.push(buffer);
    },
    end() {
      isEnded = true;
      spares.length = 0;
    },
  };
}

/**
 * By body, not by chunk: a store that wraps another store may hold chunks until its own `put` has settled, for a copy or a
 * second attempt. The inner store then receives another body, and releases nothing.
 */
const pools = new WeakMap<StoreBody, ChunkPool>();

/** The same body, now linked to the pool of its chunks for `chunkPoolOf`. */
export function withChunkPool(body: StoreBody, pool: ChunkPool): StoreBody {
  pools.set(body, pool);
  return body;
}

/** For a store that no longer needs a chunk before its `put` has settled; `undefined` if chunks cannot be released. */
export function chunkPoolOf(body: StoreBody): ChunkPool | undefined {
  return pools.get(body);
}
