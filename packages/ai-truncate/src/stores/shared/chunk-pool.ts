import type { StoreBody } from '../artifact-store.ts';

/** Memory for the chunks of one save. */
export interface ChunkPool {
  /** An empty chunk. */
  next(): Uint8Array<ArrayBuffer>;
  /** Lets a later chunk use the memory of this one. Ignores chunks of others, and a chunk that was given back before. */
  giveBack(chunk: Uint8Array<ArrayBuffer>): void;
  /** The save has ended, so no memory is used again. */
  end(): void;
}

/** Small at first, so that ten thousand contents can be saved at once; then larger, so that a store writes seldom. */
const FIRST_CHUNK_BYTES = 64 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** A store writes one chunk while the next one is filled. With a slow source, both are written before the next piece comes. */
const MAX_SPARE_CHUNKS = 2;

/**
 * Uses memory again that was given back, because the engine lets 64 MB of dropped buffers gather before it frees them.
 */
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
 * By body, not by chunk: a store that wraps another one may hold chunks until its own `put` has settled, for a copy or a second
 * attempt. The inner store receives another body then, and gives nothing back.
 */
const pools = new WeakMap<StoreBody, ChunkPool>();

/** The same body, for which `chunkPoolOf` finds the pool of its chunks. */
export function withChunkPool(body: StoreBody, pool: ChunkPool): StoreBody {
  pools.set(body, pool);
  return body;
}

/** For a store that no longer needs a chunk before its `put` has settled; `undefined` where chunks cannot be given back. */
export function chunkPoolOf(body: StoreBody): ChunkPool | undefined {
  return pools.get(body);
}
