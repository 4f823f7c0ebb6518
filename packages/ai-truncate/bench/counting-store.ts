import type { ArtifactStore } from '../src/stores/artifact-store.ts';

export interface StoreReads {
  /** Calls of `get` and `head`. */
  calls: number;
  bytes: number;
}

/** The same store, which also counts its calls and the bytes that are read. */
export function countingStore(store: ArtifactStore, reads: StoreReads): ArtifactStore {
  return {
    ...store,
    async get(key, options) {
      reads.calls++;
      const stream = await store.get(key, options);
      const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          reads.bytes += chunk.length;
          controller.enqueue(chunk);
        },
      });
      return stream?.pipeThrough(counter);
    },
    head(key, options) {
      reads.calls++;
      return store.head(key, options);
    },
  };
}

/** Requests and kilobytes, each with the mean and the maximum, as cells of a table. */
export function meanAndMost(reads: readonly StoreReads[]): string[] {
  return [reads.map(({ calls }) => calls), reads.map(({ bytes }) => bytes / 1024)].flatMap((numbers) => {
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
    return [mean, Math.max(...numbers)].map((number) => number.toFixed(Number.isInteger(number) ? 0 : 1));
  });
}
