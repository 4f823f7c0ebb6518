import { untilAborted } from '../../deadlines.ts';
import { KeyExistsError } from '../artifact-store.ts';

/** The body of a `put`, read chunk by chunk and counted. */
export interface Source {
  /** `undefined` at the end. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** How many have come so far. */
  bytes: number;
  isDone: boolean;
  /** What the body threw: some clients hide it behind an error of their own. */
  failure: { error: unknown } | undefined;
  /** Tells a body that was not read to its end that nobody will. */
  close(): void;
}

type Chunk = Uint8Array<ArrayBuffer>;

/** Callers without types may pass an array of chunks. */
export function openSource(body: AsyncIterable<Chunk> | Iterable<Chunk>): Source {
  let chunks: AsyncIterator<Chunk> | Iterator<Chunk> | undefined;
  const source: Source = {
    bytes: 0,
    isDone: false,
    failure: undefined,
    async next() {
      try {
        chunks ??= Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]();
        const { done, value } = await chunks.next();
        if (done) {
          source.isDone = true;
          return undefined;
        }
        source.bytes += value.length;
        return value;
      } catch (error) {
        source.failure = { error };
        throw error;
      }
    },
    close() {
      if (source.isDone || source.failure) return;
      // Of the body's own iterator: a generator around it would pass this on only after a chunk that may never come.
      try {
        Promise.resolve(chunks?.return?.()).catch(() => {});
      } catch {
        // The put has a reason of its own.
      }
    },
  };
  return source;
}

/** What is done about an upload that failed. */
export interface FailedUpload<Found> {
  key: string;
  error: unknown;
  /** What is stored under the key, if this upload wrote it. */
  findOwn: () => Promise<Found | undefined>;
  /** @default whatever is found is whole */
  isWhole?: (found: Found) => boolean;
  /** Only while it is still that value. */
  remove: (found: Found) => Promise<unknown>;
  /** Whether the error says that the key holds a value already. */
  isConflict: (error: unknown) => boolean;
  signal: AbortSignal | undefined;
}

/** After a failure the value may be stored all the same: the answer was lost, or came too late. Then the put has succeeded. */
export async function settleUpload<Found>(upload: FailedUpload<Found>): Promise<void> {
  const { key, signal, error, isConflict } = upload;
  // Whoever aborts does not wait for a backend that may hang: then this goes on in the background.
  if (await untilAborted(acceptOrRemove(upload), signal)) return;
  throw isConflict(error) ? new KeyExistsError(key, { cause: error }) : error;
}

/**
 * Whether the value is there, and whole. A caller who has aborted believes that nothing was written, so for them it is removed.
 * Best effort, and never rejects: a request that still waits somewhere between here and the backend can arrive after this.
 */
async function acceptOrRemove<Found>(upload: FailedUpload<Found>): Promise<boolean> {
  const { signal, findOwn, isWhole, remove } = upload;
  const found = await findOwn().catch(() => undefined);
  if (found === undefined) return false;
  if (!signal?.aborted && (isWhole?.(found) ?? true)) return true;
  await remove(found).catch(() => {});
  return false;
}
