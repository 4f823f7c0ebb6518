import { AiTruncateError, InvalidOptionError } from '../errors.ts';
import { requireOption } from '../options.ts';

/** What a store knows of one value. */
export interface StoredEntry {
  key: string;
  /** How many bytes the value has. */
  bytes: number;
  /** When it was written, by the store's own clock. */
  writtenAt: Date;
}

/** How a caller ends what takes too long. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface PutOptions extends CallOptions {
  /** What a person's browser would be told; the bytes are the same without it. */
  contentType: string;
}

export interface ListOptions extends CallOptions {
  /** Only keys that come after this one: where an earlier listing stopped. */
  after?: string;
}

export interface GetOptions extends CallOptions {
  /** The first byte. @default 0 */
  start?: number;
  /** The byte after the last one. @default the end */
  end?: number;
  /**
   * How many bytes the value has, where the caller knows. A store behind a network rejects an answer that contradicts it, because
   * a proxy may answer in place of the backend.
   */
  totalBytes?: number | undefined;
}

/** The bytes of a value, chunk by chunk. */
export type StoreBody = AsyncIterable<Uint8Array<ArrayBuffer>>;

/**
 * A dumb place for bytes: it knows nothing of owners, lines or tools. Five verbs and a locator are required.
 *
 * Keys are `<folder>/<name>`, lower case, made by this library; `requireKey` says which. Whatever goes wrong is thrown as the
 * backend reports it: an unknown failure never looks like "not there". A signal that aborts ends every verb with its reason.
 * `artifactStoreContract` checks what can be seen from outside; how your backend fails is yours to test.
 */
export interface ArtifactStore {
  /**
   * Writes a value, once. Resolved means durable: the value survives a crash of this process, and of the machine where the
   * backend can promise that.
   *
   * - The key exists: rejects, and what was there stays. A backend without conditional writes may overwrite: keys of
   *   artifacts hold 80 random bits.
   * - The body fails, the backend fails or the signal aborts: rejects with that reason, and nothing stays under the key.
   *
   * The body is better read in step with the backend than gathered whole: outputs may have a gigabyte. A chunk stays as it is
   * until the put has settled, and no longer. The body fails by itself when the signal aborts, so only the store's own waits have
   * to watch it.
   */
  put(key: string, body: StoreBody, options: PutOptions): Promise<void>;

  /**
   * The bytes from `start` to before `end`. A range that reaches past the end gives what there is, one that starts past it an
   * empty stream. Nothing under the key: `undefined`. Who does not read to the end cancels the stream.
   */
  get(key: string, options?: GetOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined>;

  /** Nothing under the key: `undefined`. */
  head(key: string, options?: CallOptions): Promise<StoredEntry | undefined>;

  /**
   * Every value of one folder (`'<folder>/'`) or of all (`''`), ascending by key, page by page. A value that is written or
   * deleted meanwhile may appear or not; all others appear exactly once. An unknown folder is empty.
   */
  list(prefix: string, options?: ListOptions): AsyncIterable<StoredEntry>;

  /** Deletes up to 1,000 values. A key that holds nothing is no error; one that cannot be deleted does not keep the others. */
  delete(keys: readonly string[], options?: CallOptions): Promise<void>;

  /** Under which path other programs of this machine open the value; `undefined` where only the store can. */
  locate(key: string): string | undefined;

  /**
   * Optional, for a store that costs nothing to list, such as files on this machine. Resolves with `true` for one caller only, of
   * all processes that share the store, and not again before `everyMs` have passed. With this method, saves start an hourly
   * sweep beside them; without it, they do so only if the option `sweep` says so.
   */
  claimSweep?(everyMs: number): Promise<boolean>;
}

/** The most keys that one `delete` is given. */
export const MAX_DELETE_KEYS = 1000;

// No dot at the start of either part, so there is no `..`, no hidden file and no address in it.
const FOLDER = /^[a-z0-9_][a-z0-9_-]{0,63}\/$/;
const KEY = /^[a-z0-9_][a-z0-9_-]{0,63}\/[a-z0-9_][a-z0-9._-]{0,127}$/;

/** Whether a key is one that cannot leave its place, in any backend; what a listing finds beside such keys is not ours. */
export function isKey(key: unknown): key is string {
  return typeof key === 'string' && KEY.test(key);
}

/** For `get`: made chunk by chunk, when the reader asks. */
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

/** Throws unless this has the methods of a store. */
export function requireStore(store: unknown): asserts store is ArtifactStore {
  const candidate = store as Partial<ArtifactStore> | null | undefined;
  const isStore = STORE_METHODS.every((method) => typeof candidate?.[method] === 'function');
  const expected = 'an artifact store, e.g. `memoryStore()` or `filesystemStore()`';
  requireOption(isStore, { option: 'store', value: store, expected });
}

/** The bytes of a value that `checkedStore` asks for: at least one. */
export type AskedRange = GetOptions & { start: number; end: number };

/** The methods of our own stores, called only after the checks of `checkedStore`, with all defaults filled in. */
export interface CheckedVerbs extends Pick<ArtifactStore, 'put' | 'claimSweep'> {
  get(key: string, range: AskedRange): ReturnType<ArtifactStore['get']>;
  head(key: string, options: CallOptions): Promise<StoredEntry | undefined>;
  list(prefix: string, options: ListOptions & { after: string }): AsyncIterable<StoredEntry>;
  /** At least one key is given. */
  delete(keys: readonly string[], options: CallOptions): Promise<void>;
  /** @default no value has a path */
  locate?(key: string): string | undefined;
}

/** A store whose verbs begin only with keys that cannot leave its place, and never after an abort. */
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
      // Most backends have no way to ask for no bytes.
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

/** For `catch`: an error of the backend that only says that nothing is there. */
export function undefinedIf(isMissing: (error: unknown) => boolean): (error: unknown) => undefined {
  return (error) => {
    if (!isMissing(error)) throw error;
  };
}

/** Throws unless `isKey`: a store calls it first in every verb. */
export function requireKey(key: string): void {
  const expected = '`<folder>/<name>` of lower-case letters, digits, `_`, `-` and dots';
  if (!isKey(key)) throw new InvalidOptionError({ option: 'key', value: key, expected });
}

/** Throws unless the prefix is `''` or one folder. */
export function requirePrefix(prefix: string): void {
  const isPrefix = prefix === '' || (typeof prefix === 'string' && FOLDER.test(prefix));
  requireOption(isPrefix, { option: 'prefix', value: prefix, expected: "'' or one folder with a slash at its end" });
}

/** The key of a `put` holds a value already. Backends may throw errors of their own for it. */
export class KeyExistsError extends AiTruncateError {
  constructor(key: string, options: { cause?: unknown } = {}) {
    super(`\`${key}\` is stored already, and stored values never change: use another key.`, {
      code: 'KEY_EXISTS',
      ...options,
    });
    this.name = 'KeyExistsError';
  }

  static override isInstance(value: unknown): value is KeyExistsError {
    return AiTruncateError.isInstance(value) && value.code === 'KEY_EXISTS';
  }
}
