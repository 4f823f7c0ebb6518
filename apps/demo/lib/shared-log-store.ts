import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ArtifactStore, KeyExistsError, type StoredEntry } from 'ai-truncate/store';
import type { ServiceName } from '../agent/chat-message';
import { nightHours, type ServerLogOptions, serverLog, services } from '../agent/server-log';

type Bytes = Uint8Array<ArrayBuffer>;

/** No scope has this folder, because the key of a scope is a hash here that begins with `_`. */
const SHARED_FOLDER = 'shared-logs/';
/** Sorts between the key of an artifact and the key of its side-car, so that listings stay in order. */
const EXCERPT_SUFFIX = '.excerpt';
/** The first line of a log is shorter. */
const MAX_FIRST_LINE_BYTES = 1024;
const CHUNKS_PER_TURN = 16;

/** The part of a shared log that one artifact consists of. */
interface Excerpt {
  key: string;
  start: number;
  end: number;
}

/**
 * Saves the log of each service once for all chats. A put whose bytes are exactly those of `serverLog` writes a reference of
 * 100 bytes; every other value is written as it is.
 *
 * Each chat still has an artifact of its own, with its own name, side-car and expiry, which only its scope finds. The bytes are
 * saved under a key that no artifact name leads to, and that no scope lists or deletes. The key contains a hash of the log, so that
 * a newer version of this demo never changes the content of an older artifact.
 */
export function sharedLogStore(store: ArtifactStore, { logBytes }: { logBytes: number }): ArtifactStore {
  const saved = new Map<ServiceName, Promise<Excerpt>>();
  let partsByFirstLine: Map<string, ServerLogOptions> | undefined;

  function partOf(firstLine: string): ServerLogOptions | undefined {
    partsByFirstLine ??= partsOf(logBytes);
    return partsByFirstLine.get(firstLine);
  }

  /** Saves the whole log of a service, once for all requests that wait for it, so no request can abort it. */
  function save(service: ServiceName): Promise<Excerpt> {
    const saving = saveLog(store, { service, hours: nightHours, bytes: logBytes });
    saved.set(service, saving);
    // The next put tries again.
    saving.catch(() => saved.delete(service));
    return saving;
  }

  async function savedLog(service: ServiceName): Promise<Excerpt> {
    const known = saved.get(service);
    if (!known) return save(service);
    const log = await known;
    if (await store.head(log.key)) return log;
    // The place was emptied since. The first request that finds out saves the log again.
    const other = saved.get(service);
    return other && other !== known ? other : save(service);
  }

  async function excerptOf(key: string, signal: AbortSignal | undefined): Promise<Excerpt | undefined> {
    if (!mayBeExcerpt(key)) return undefined;
    const stream = await store.get(`${key}${EXCERPT_SUFFIX}`, { signal });
    return stream && (JSON.parse(await text(stream)) as Excerpt);
  }

  return {
    ...store,

    async put(key, body, options) {
      const chunks = body[Symbol.asyncIterator]();
      try {
        const first = await readFirstLine(chunks);
        const part = mayBeExcerpt(key) ? partOf(first.line) : undefined;
        if (!part) return await store.put(key, joined(first.chunks, chunks), options);
        const saving = savedLog(part.service);
        // Handled where it is awaited, which a body that fails or differs does not reach.
        saving.catch(() => {});
        const { matched, rest } = await compare(joined(first.chunks, chunks), part);
        if (rest) return await store.put(key, differing({ part, matched, rest, chunks }), options);
        const log = await saving;
        options.signal?.throwIfAborted();
        const excerpt = { ...log, start: log.end - matched };
        await store.put(`${key}${EXCERPT_SUFFIX}`, once(JSON.stringify(excerpt)), {
          ...options,
          contentType: 'application/json',
        });
      } finally {
        await chunks.return?.();
      }
    },

    async get(key, options = {}) {
      const stream = await store.get(key, options);
      if (stream) return stream;
      const excerpt = await excerptOf(key, options.signal);
      if (!excerpt) return undefined;
      const { start = 0, end = Number.POSITIVE_INFINITY } = options;
      const place = (offset: number) => Math.min(excerpt.end, excerpt.start + offset);
      return store.get(excerpt.key, { ...options, start: place(start), end: place(end) });
    },

    async head(key, options = {}) {
      const entry = await store.head(key, options);
      if (entry || !mayBeExcerpt(key)) return entry;
      const reference = await store.head(`${key}${EXCERPT_SUFFIX}`, options);
      return reference && toEntry(reference, await excerptOf(key, options.signal));
    },

    async *list(prefix, options = {}) {
      const { after = '', signal } = options;
      for await (const entry of store.list(prefix, options)) {
        if (entry.key.startsWith(SHARED_FOLDER)) continue;
        if (!entry.key.endsWith(EXCERPT_SUFFIX)) {
          yield entry;
          continue;
        }
        const key = entry.key.slice(0, -EXCERPT_SUFFIX.length);
        const value = key > after ? toEntry(entry, await excerptOf(key, signal)) : undefined;
        if (value) yield value;
      }
    },

    async delete(keys, options) {
      const references = keys.filter(mayBeExcerpt).map((key) => `${key}${EXCERPT_SUFFIX}`);
      // Two requests, because the keys given may be as many as a store takes in one. If one fails, the other still runs.
      const results = await Promise.allSettled([store.delete(keys, options), store.delete(references, options)]);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },

    // Some values have no file of their own, so a path would lead nowhere.
    locate: () => undefined,
  };
}

/** Side-cars and shared logs are always saved as they are. */
function mayBeExcerpt(key: string): boolean {
  return !key.endsWith('.info.json') && !key.startsWith(SHARED_FOLDER);
}

/** `undefined` when the reference was deleted after it was listed. */
function toEntry(reference: StoredEntry, excerpt: Excerpt | undefined): StoredEntry | undefined {
  if (!excerpt) return undefined;
  const key = reference.key.slice(0, -EXCERPT_SUFFIX.length);
  return { key, bytes: excerpt.end - excerpt.start, writtenAt: reference.writtenAt };
}

/** All outputs of `readServerLogs` by their first line, which contains a time and so occurs only once in all logs. */
function partsOf(bytes: number): Map<string, ServerLogOptions> {
  const parts = services.flatMap((service) =>
    Array.from({ length: nightHours }, (_, index): ServerLogOptions => ({ service, hours: index + 1, bytes })),
  );
  return new Map(parts.map((part) => [serverLog(part).next().value?.split('\n', 1)[0] ?? '', part]));
}

async function saveLog(store: ArtifactStore, whole: ServerLogOptions): Promise<Excerpt> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(whole)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  const key = `${SHARED_FOLDER}${whole.service}-${hash.digest('hex')}.txt`;
  const log = { key, start: 0, end: bytes };
  if (await store.head(key)) return log;
  try {
    await store.put(key, chunksOf(whole), { contentType: 'text/plain; charset=utf-8' });
  } catch (error) {
    // Another process may have saved it first. Backends report that with different errors, so ask the store.
    if (!KeyExistsError.isInstance(error) && !(await store.head(key).catch(() => undefined))) throw error;
  }
  return log;
}

/** In slices, because making a log of 500 MB takes seconds. */
async function* chunksOf(part: ServerLogOptions): AsyncGenerator<Bytes> {
  let count = 0;
  for (const chunk of serverLog(part)) {
    if (++count % CHUNKS_PER_TURN === 0) await nextTurn();
    yield Buffer.from(chunk);
  }
}

/** Reads as many chunks as the first line takes. */
async function readFirstLine(chunks: AsyncIterator<Bytes>): Promise<{ chunks: Bytes[]; line: string }> {
  const read: Bytes[] = [];
  let start = '';
  while (start.length < MAX_FIRST_LINE_BYTES && !start.includes('\n')) {
    const { done, value } = await chunks.next();
    if (done) break;
    read.push(value);
    start += Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, MAX_FIRST_LINE_BYTES)).toString(
      'latin1',
    );
  }
  return { chunks: read, line: start.split('\n', 1)[0] ?? '' };
}

/** The body from its beginning, after its first chunks were read. */
async function* joined(read: readonly Bytes[], chunks: AsyncIterator<Bytes>): AsyncGenerator<Bytes> {
  yield* read;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

interface Comparison {
  /** How many bytes are the same as in the log. */
  matched: number;
  /** The rest of the chunk from the first byte that differs, empty when the text ended early; absent when nothing differs. */
  rest?: Bytes;
}

/** Reads chunks up to the first byte that differs from the log. */
async function compare(chunks: AsyncIterable<Bytes>, part: ServerLogOptions): Promise<Comparison> {
  const expected = serverLog(part);
  let wanted: Bytes = new Uint8Array();
  let matched = 0;
  const iterator = chunks[Symbol.asyncIterator]();
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    for (let rest = next.value; rest.length > 0; ) {
      if (wanted.length === 0) wanted = Buffer.from(expected.next().value ?? '');
      const count = Math.min(wanted.length, rest.length);
      if (count === 0 || Buffer.compare(wanted.subarray(0, count), rest.subarray(0, count)) !== 0)
        return { matched, rest };
      wanted = wanted.subarray(count);
      rest = rest.subarray(count);
      matched += count;
    }
  }
  const isWhole = wanted.length === 0 && expected.next().done;
  return isWhole ? { matched } : { matched, rest: new Uint8Array() };
}

/** A text that only begins like the log. The part that matched was not kept in memory, so it is made again. */
async function* differing(options: {
  part: ServerLogOptions;
  matched: number;
  rest: Bytes;
  chunks: AsyncIterator<Bytes>;
}): AsyncGenerator<Bytes> {
  const { part, matched, rest, chunks } = options;
  let left = matched;
  for await (const chunk of chunksOf(part)) {
    if (left === 0) break;
    const same = chunk.subarray(0, left);
    left -= same.length;
    yield same;
  }
  if (rest.length > 0) yield rest;
  yield* joined([], chunks);
}

async function* once(json: string): AsyncGenerator<Bytes> {
  yield new TextEncoder().encode(json);
}
