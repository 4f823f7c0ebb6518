import { now } from '../deadlines.ts';
import { AiTruncateError } from '../errors.ts';
import { requireOptionalWholeNumber, requireOptions } from '../options.ts';
import { type ArtifactStore, checkedStore, KeyExistsError, type StoredEntry, streamOf } from './artifact-store.ts';

export interface MemoryStoreOptions {
  /** The size of all values together. A `put` that exceeds it rejects. @default no limit */
  maxBytes?: number | undefined;
}

interface Value {
  chunks: Uint8Array<ArrayBuffer>[];
  bytes: number;
  /** The time of the last byte. */
  writtenAt: Date;
}

/**
 * A store in the memory of this process, for tests and for processes that may forget their values. Other instances of the same
 * server do not see them.
 */
export function memoryStore(options: MemoryStoreOptions = {}): ArtifactStore {
  requireOptions(options, { known: ['maxBytes'] satisfies (keyof MemoryStoreOptions)[] });
  requireOptionalWholeNumber('maxBytes', { value: options.maxBytes, min: 1 });
  const { maxBytes = Number.POSITIVE_INFINITY } = options;
  const values = new Map<string, Value>();
  /** Includes values that are still being written. Otherwise every one of several parallel puts would find room. */
  let reservedBytes = 0;
  let sweptAt = Number.NEGATIVE_INFINITY;

  return checkedStore({
    async put(key, body) {
      const value: Value = { chunks: [], bytes: 0, writtenAt: new Date() };
      try {
        for await (const chunk of body) {
          value.bytes += chunk.length;
          reservedBytes += chunk.length;
          if (reservedBytes > maxBytes) throw storeFull(maxBytes);
          // A copy, because the caller owns the chunk again once the put has settled. `slice` of a Node `Buffer` does not copy.
          value.chunks.push(new Uint8Array(chunk));
        }
        if (values.has(key)) throw new KeyExistsError(key);
        value.writtenAt = new Date();
        values.set(key, value);
      } catch (error) {
        reservedBytes -= value.bytes;
        throw error;
      }
    },
    async get(key, range) {
      const value = values.get(key);
      return value && streamOf(slices(value.chunks, range));
    },
    async head(key) {
      const value = values.get(key);
      return value && toEntry(key, value);
    },
    async *list(prefix, { after, signal }) {
      const keys = [...values.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
      for (const key of keys) {
        signal?.throwIfAborted();
        const value = values.get(key);
        if (value) yield toEntry(key, value);
      }
    },
    async delete(keys) {
      for (const key of keys) {
        reservedBytes -= values.get(key)?.bytes ?? 0;
        values.delete(key);
      }
    },
    async claimSweep(everyMs) {
      if (now() - sweptAt < everyMs) return false;
      sweptAt = now();
      return true;
    },
  });
}

function storeFull(maxBytes: number): AiTruncateError {
  const message = `The memory store is full: \`maxBytes\` is ${maxBytes}. Raise it, delete artifacts or shorten the retention.`;
  return new AiTruncateError(message, { code: 'STORE_FULL' });
}

function toEntry(key: string, { bytes, writtenAt }: Value): StoredEntry {
  return { key, bytes, writtenAt };
}

/** The parts of the chunks in the range. They are copies, because the reader of a stream may change or transfer them. */
function* slices(
  chunks: Uint8Array<ArrayBuffer>[],
  { start, end }: { start: number; end: number },
): Generator<Uint8Array<ArrayBuffer>> {
  let offset = 0;
  for (const chunk of chunks) {
    const part = chunk.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    if (part.length > 0) yield part;
    offset += chunk.length;
  }
}
