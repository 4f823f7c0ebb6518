import { untilAborted } from '../../deadlines.ts';
import { type CallOptions, KeyExistsError } from '../artifact-store.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** The body of a `put`, read chunk by chunk and counted. */
export class Source {
  /** How many have come so far. */
  bytes = 0;
  isDone = false;
  /** What the body threw: some clients hide it behind an error of their own. */
  failure: { error: unknown } | undefined;
  readonly #body: AsyncIterable<Chunk> | Iterable<Chunk>;
  #chunks: AsyncIterator<Chunk> | Iterator<Chunk> | undefined;

  /** Callers without types may pass an array of chunks. */
  constructor(body: AsyncIterable<Chunk> | Iterable<Chunk>) {
    this.#body = body;
  }

  /** `undefined` at the end. */
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

  /** Tells a body that was not read to its end that nobody will. */
  close(): void {
    if (this.isDone || this.failure) return;
    // Of the body's own iterator: a generator around it would pass this on only after a chunk that may never come.
    try {
      Promise.resolve(this.#chunks?.return?.()).catch(() => {});
    } catch {
      // The put has a reason of its own.
    }
  }
}

/** What is done about an upload that failed. */
export interface FailedUpload<Found> extends CallOptions {
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
}

/**
 * After a failure the value may be stored all the same, because only the answer was lost or came too late. Then the put has
 * succeeded. A caller who has aborted assumes that nothing was written, so the value is removed for them. This is best effort: a
 * request that is still on its way to the backend can arrive later.
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
  // Whoever aborts does not wait for a backend that may hang: then this goes on in the background.
  if (await untilAborted(isStored(), signal)) return;
  throw isConflict(error) ? new KeyExistsError(key, { cause: error }) : error;
}
