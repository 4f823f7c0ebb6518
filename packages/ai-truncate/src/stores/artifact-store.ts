import { AiTruncateError, InvalidOptionError } from '../errors.ts';
import { requireOption } from '../options.ts';

/** Metadata of one value. */
export interface StoredEntry {
  key: string;
  /** The size of the value. */
  bytes: number;
  /** The time of the write, by the clock of the store. */
  writtenAt: Date;
}

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface PutOptions extends CallOptions {
  /** The type that a browser would receive. It does not change the bytes. */
  contentType: string;
}

export interface ListOptions extends CallOptions {
  /** Lists only keys after this key: where an earlier listing stopped. */
  after?: string | undefined;
}

export interface GetOptions extends CallOptions {
  /** The first byte. @default 0 */
  start?: number | undefined;
  /** The byte after the last byte. @default the end */
  end?: number | undefined;
  /**
   * The size of the value, if the caller knows it. A store over a network rejects an answer of another size, because a proxy
   * may answer in place of the backend.
   */
  totalBytes?: number | undefined;
}

/** The bytes of a value, chunk by chunk. */
export type StoreBody = AsyncIterable<Uint8Array<ArrayBuffer>>;

/**
 * A simple place for bytes. It knows nothing about owners, lines or tools. Five methods and `locate` are required.
 *
 * Keys are `<folder>/<name>`, in lower case, and made by this library. `requireKey` checks them. Every failure is thrown as the
 * backend reports it, so that an unknown failure never looks like a missing key. An aborted signal ends every call with its
 * reason. `artifactStoreContract` checks the behavior that can be seen from outside. How your backend fails is for your own
 * tests.
 */
export interface ArtifactStore {
  /**
   * Writes a value, once. When the promise resolves, the value is durable: it survives a crash of this process, and a crash of
   * the machine if the backend can promise that.
   *
   * - If the key exists, the call rejects and the stored value stays. A backend without conditional writes may overwrite,
   * because keys of artifacts have 80 random bits, or the hash of their value.
   * - If the body fails, the backend fails or the signal aborts, the call rejects with that reason and nothing is stored.
   *
   * Read the body at the speed of the backend instead of collecting it, because an output may have a gigabyte. A chunk does not
   * change until the put has settled; after that its memory may be used again. The body fails when the signal aborts, so a
   * store only needs to watch the signal while it waits for its backend.
   */
  put(key: string, body: StoreBody, options: PutOptions): Promise<void>;

  /**
   * The bytes from `start` up to, but not including, `end`. A range past the end returns the bytes that exist; a range that
   * starts past the end returns an empty stream. Returns `undefined` if the key does not exist. A caller that does not read to
   * the end must cancel the stream.
   */
  get(key: string, options?: GetOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined>;

  /** Returns `undefined` if the key does not exist. */
  head(key: string, options?: CallOptions): Promise<StoredEntry | undefined>;

  /**
   * Every value of one folder (`'<folder>/'`) or of all folders (`''`), in ascending order of keys, page by page. A value that
   * is written or deleted during the listing may be missing; all others appear exactly once. An unknown folder is empty.
   */
  list(prefix: string, options?: ListOptions): AsyncIterable<StoredEntry>;

  /**
   * Deletes up to 1,000 values. A missing key is not an error. A key that cannot be deleted does not prevent the deletion of
   * the others.
   */
  delete(keys: readonly string[], options?: CallOptions): Promise<void>;

  /** The path with which other programs on this machine open the value, or `undefined` if only the store can open it. */
  locate(key: string): string | undefined;

  /**
   * Optional, for a store that is cheap to list, such as a directory on this machine. Resolves to `true` for only one caller
   * among all processes that share the store, and not again before `everyMs` have passed. With this method, saves start an
   * hourly sweep in the background. Without it, they do so only if the option `sweep` asks for it.
   */
  claimSweep?(everyMs: number): Promise<boolean>;
}

/** The most keys in one call of `delete`. */
export const MAX_DELETE_KEYS = 1000;

// Neither part starts with a dot, so a key contains no `..`, no hidden file and no address.
const FOLDER = /^[a-z0-9_][a-z0-9_-]{0,63}\/$/;
const KEY = /^[a-z0-9_][a-z0-9_-]{0,63}\/[a-z0-9_][a-z0-9._-]{0,127}$/;

/**
 * Whether a key cannot escape from its folder, in any backend. A listing ignores all other keys, because this library did not
 * write them.
 */
export function isKey(key: unknown): key is string {
  return typeof key === 'string' && KEY.test(key);
}

/** A stream for `get` that produces each chunk when the reader asks for it. */
export function streamOf(chunks: Iterable<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

const STORE_METHODS = ['put', 'get', 'head', 'list', 'delete', 'locate'] as const;

/** Throws unless the value has the methods of a store. */
export function requireStore(store: unknown): asserts store is ArtifactStore {
  const candidate = store as Partial<ArtifactStore> | null | undefined;
  const isStore = STORE_METHODS.every((method) => typeof candidate?.[method] === 'function');
  const expected = 'an artifact store, e.g. `memoryStore()` or `filesystemStore()`';
  requireOption(isStore, { option: 'store', value: store, expected });
}

/** The range of a value that `checkedStore` requests: at least one byte. */
export type AskedRange = GetOptions & { start: number; end: number };

/** The methods of the built-in stores. They are called only after the checks of `checkedStore`, with all defaults filled in. */
export interface CheckedVerbs extends Pick<ArtifactStore, 'put' | 'claimSweep'> {
  get(key: string, range: AskedRange): ReturnType<ArtifactStore['get']>;
  head(key: string, options: CallOptions): Promise<StoredEntry | undefined>;
  list(prefix: string, options: ListOptions & { after: string }): AsyncIterable<StoredEntry>;
  /** `keys` is never empty. */
  delete(keys: readonly string[], options: CallOptions): Promise<void>;
  /** @default values have no path */
  locate?(key: string): string | undefined;
}

/** A store whose methods run only for safe keys, and never after an abort. */
export function checkedStore({ locate = () => undefined, ...verbs }: CheckedVerbs): ArtifactStore {
  return {
    ...verbs,
    async put(key, body, options) {
      requireCall([key], options);
      await verbs.put(key, body, options);
    },
    async get(key, { start = 0, end = Number.POSITIVE_INFINITY, ...options } = {}) {
      requireCall([key], options);
      if (start < end) return verbs.get(key, { ...options, start, end });
      // Most backends cannot return an empty range.
      return (await verbs.head(key, options)) && streamOf([]);
    },
    async head(key, options = {}) {
      requireCall([key], options);
      return verbs.head(key, options);
    },
    async *list(prefix, { after = '', signal } = {}) {
      requirePrefix(prefix);
      signal?.throwIfAborted();
      yield* verbs.list(prefix, { after, signal });
    },
    async delete(keys, options = {}) {
      requireCall(keys, options);
      if (keys.length > 0) await verbs.delete(keys, options);
    },
    locate(key) {
      requireCall([key], {});
      return locate(key);
    },
  };
}

function requireCall(keys: readonly string[], { signal }: CallOptions): void {
  for (const key of keys) requireKey(key);
  signal?.throwIfAborted();
}

/** For `catch`: returns `undefined` for an error that only means that the key does not exist. */
export function undefinedIf(isMissing: (error: unknown) => boolean): (error: unknown) => undefined {
  return (error) => {
    if (!isMissing(error)) throw error;
  };
}

/** Throws unless `isKey`. A store calls this first in every method. */
export function requireKey(key: string): void {
  const expected = '`<folder>/<name>` of lower-case letters, digits, `_`, `-` and dots';
  if (!isKey(key)) throw new InvalidOptionError({ option: 'key', value: key, expected });
}

/** Throws unless the prefix is `''` or one folder. */
export function requirePrefix(prefix: string): void {
  const isPrefix = prefix === '' || (typeof prefix === 'string' && FOLDER.test(prefix));
  requireOption(isPrefix, { option: 'prefix', value: prefix, expected: "'' or one folder with a slash at its end" });
}

/** The key of a `put` already holds a value. Backends may throw their own errors for this. */
export class KeyExistsError extends AiTruncateError {
  constructor(key: string, options: { cause?: unknown } = {}) {
    super(`\`${key}\` already exists, and stored values never change. Use another key.`, {
      code: 'KEY_EXISTS',
      ...options,
    });
    this.name = 'KeyExistsError';
  }

  static override isInstance(value: unknown): value is KeyExistsError {
    return AiTruncateError.isInstance(value) && value.code === 'KEY_EXISTS';
  }
}
