import { untilAborted } from '../../deadlines.ts';
import { type CallOptions, KeyExistsError } from '../artifact-store.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** The body of a `put`, read chunk by chunk and counted. */
export class Source {
  /** The number of bytes so far. */
  bytes = 0;
  isDone = false;
  /** The error of the body. Some clients hide it behind their own error. */
  failure: { error: unknown } | undefined;
  readonly #body: AsyncIterable<Chunk> | Iterable<Chunk>;
  #chunks: AsyncIterator<Chunk> | Iterator<Chunk> | undefined;

  /** Callers without types may pass an array of chunks. */
  constructor(body: AsyncIterable<Chunk> | Iterable<Chunk>) {
    this.#body = body;
  }

  /** Returns `undefined` at the end. */
  async next(): Promise<Chunk | undefined> {
    try {
      const body = this.#body;
      this.#chunks ??= Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]();
      const { done = false, value } = await this.#chunks.next();
      this.isDone = done;
      if (done) return undefined;
      this.bytes += value.length;
      return value;
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }

  /** Closes a body that is not read to its end. */
  close(): void {
    if (this.isDone || this.failure) return;
    // Closes the body's own iterator, because a generator around it would pass this on only after a chunk that may never
    // arrive.
    try {
      Promise.resolve(this.#chunks?.return?.()).catch(() => {});
    } catch {
      // The put already has its own reason.
    }
  }
}

/** How to handle a failed upload. */
export interface FailedUpload<Found> extends CallOptions {
  key: string;
  error: unknown;
  /** Finds the value under the key, if this upload wrote it. */
  findOwn: () => Promise<Found | undefined>;
  /** @default every value that is found is complete */
  isWhole?: (found: Found) => boolean;
  /** Removes the value only if it is still the same. */
  remove: (found: Found) => Promise<unknown>;
  /** Whether the error says that the key already holds a value. */
  isConflict: (error: unknown) => boolean;
}

/**
 * The value may be stored despite a failure, because only the answer was lost or arrived too late. In this case the put has
 * succeeded. A caller that has aborted assumes that nothing was written, so the value is removed. This is best effort: a
 * request on its way to the backend can arrive later.
 */
export async function settleUpload<Found>(upload: FailedUpload<Found>): Promise<void> {
  const { key, signal, error, findOwn, isWhole, remove, isConflict } = upload;

  async function isStored(): Promise<boolean> {
    const found = await findOwn().catch(() => undefined);
    if (found === undefined) return false;
    if (!signal?.aborted && (isWhole?.(found) ?? true)) return true;
    await remove(found).catch(() => {});
    return false;
  }
  // A caller that aborts does not wait for a backend that may hang, so this continues in the background.
  if (await untilAborted(isStored(), signal)) return;
  throw isConflict(error) ? new KeyExistsError(key, { cause: error }) : error;
}
