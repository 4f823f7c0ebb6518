import { InvalidOptionError, requireWholeNumber } from '../errors.ts';
import { sharedSlice } from '../pace.ts';
import { type ArtifactStore, MAX_DELETE_KEYS } from '../stores/artifact-store.ts';
import { byteLength } from '../truncation/byte-length.ts';
import { visibleText } from '../truncation/visible-text.ts';
import { abandon, requireContent, toBytes } from './artifact-content.ts';
import { ArtifactNotFoundError, ArtifactTooLargeError } from './artifact-errors.ts';
import { type ArtifactInfo, MAX_ID_LENGTH, parseInfo, type StoredInfo, serializeInfo } from './artifact-info.ts';
import {
  type ArtifactExtension,
  artifactKey,
  artifactName,
  createArtifactName,
  infoKey,
  isArtifactId,
  parseArtifactName,
  requireScope,
  toScopeKey,
} from './artifact-name.ts';
import type { Artifacts } from './artifacts.ts';
import { readByteWindow } from './byte-window.ts';
import { createLineIndex } from './line-index.ts';
import { rangeOf, readLineWindow } from './line-window.ts';
import { listStored, newestFirst } from './stored-artifacts.ts';
import { DAY_MS, defaultRetentionDays, type SweepOutcome, sweepLazily } from './sweep-artifacts.ts';

export interface ScopedArtifactsOptions {
  /** Who owns the artifacts: a chat, a user, a tenant. From the server's own knowledge, never from a model or a client. */
  scope: string;
  /** What is larger is not kept. @default 1073741824 (1 GiB) */
  maxArtifactBytes?: number;
  /** For how many days artifacts are promised to stay; older ones are swept at most once an hour. @default 7 */
  retentionDays?: number;
  /** Told how each of those sweeps went. They run beside the saves and fail none. */
  onSweep?: (outcome: SweepOutcome) => void;
}

const GIBIBYTE = 1024 ** 3;
const MEBIBYTE = 1024 ** 2;
/** What a preview keeps free for a path. */
const MAX_PATH_BYTES = 512;

/**
 * What an artifact is, on top of any store: names, owners, what is known of each, and lines by byte range. Making one costs
 * nothing: nothing is read or written before it is used.
 *
 * @example
 * const artifacts = scopedArtifacts(store, { scope: chatId });
 * const { path } = await artifacts.save(log, { toolName: 'readServerLogs', toolCallId: 'call_1' });
 * const { lines } = await artifacts.readLines(path, { start: 120, count: 40 });
 */
export function scopedArtifacts(store: ArtifactStore, options: ScopedArtifactsOptions): Artifacts {
  const { scope, maxArtifactBytes = GIBIBYTE, retentionDays = defaultRetentionDays, onSweep } = options;
  requireStore(store);
  requireScope(scope);
  requireWholeNumber('maxArtifactBytes', { value: maxArtifactBytes, min: 1 });
  requireWholeNumber('retentionDays', { value: retentionDays, min: 1 });
  let scopeKeyPromise: Promise<string> | undefined;

  function scopeKey(): Promise<string> {
    scopeKeyPromise ??= toScopeKey(scope);
    return scopeKeyPromise;
  }

  async function prefix(): Promise<string> {
    return `${await scopeKey()}/`;
  }

  /** Read beside the artifact it belongs to; that it is there makes the artifact be there. */
  async function stored(
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<StoredInfo & { key: string; name: string }> {
    const name = await nameOf(path);
    if (name === undefined) throw new ArtifactNotFoundError(path);
    const key = artifactKey(await scopeKey(), name);
    const stream = await store.get(infoKey(key), { end: MEBIBYTE, signal });
    if (!stream) throw new ArtifactNotFoundError(path);
    return { ...parseInfo(await new Response(stream).text(), name), key, name };
  }

  /** Only exactly what was given out names an artifact: its path, its name, or the random part of that. */
  async function nameOf(reference: string): Promise<string | undefined> {
    if (typeof reference !== 'string') return undefined;
    if (isArtifactId(reference)) return nameOfId(reference);
    const name = artifactName(reference);
    if (name === undefined || reference === name || reference === shortPath(name)) return name;
    return reference === pathOf(artifactKey(await scopeKey(), name), name) ? name : undefined;
  }

  async function nameOfId(id: string): Promise<string | undefined> {
    for await (const { name, parts } of listStored(store, await prefix())) if (parts.id === id) return name;
    return undefined;
  }

  /** What `filesystemStore` shows opens in any other tool; elsewhere the path is a handle, for the readers alone. */
  function pathOf(key: string, name: string): string {
    const located = store.locate(key);
    return located !== undefined && isShowable(located) ? located : shortPath(name);
  }

  function toInfo({ key, name, index: _, ...info }: StoredInfo & { key: string; name: string }): ArtifactInfo {
    return { path: pathOf(key, name), name, ...info };
  }

  async function bytesOf(
    path: string,
    key: string,
    range: { start: number; end: number; signal: AbortSignal | undefined },
  ) {
    const stream = await store.get(key, range);
    // Deleted since its side-car was read.
    if (!stream) throw new ArtifactNotFoundError(path);
    return stream;
  }

  return {
    async save(content, options) {
      const { toolName, toolCallId, mediaType = 'text/plain', abortSignal } = options;
      requireContent(content);
      requireText('toolName', toolName);
      requireText('toolCallId', toolCallId);
      requireText('mediaType', mediaType);
      const folder = await scopeKey();
      while (sharedSlice.isUsedUp()) await sharedSlice.next();
      const createdAt = new Date();
      const name = createArtifactName({ toolName, toolCallId, mediaType, createdAt });
      const key = artifactKey(folder, name);
      const indexer = createLineIndex();
      let bytes = 0;
      const body = toBytes(content, {
        abortSignal,
        onBytes(chunk) {
          bytes += chunk.length;
          if (bytes > maxArtifactBytes) throw new ArtifactTooLargeError(maxArtifactBytes);
          indexer.push(chunk);
        },
      });
      try {
        await store.put(key, body, { contentType: contentTypeOf(name), signal: abortSignal });
      } catch (error) {
        abandon(content);
        throw error;
      }
      const index = indexer.finish();
      const expiresAt = new Date(createdAt.getTime() + retentionDays * DAY_MS);
      const info = { toolName, toolCallId, mediaType, bytes, lines: index.lines, createdAt, expiresAt, index };
      await commit(store, key, { info, abortSignal });
      sweepLazily(store, { retentionDays, onSweep });
      return toInfo({ ...info, key, name });
    },

    async info(path, { abortSignal } = {}) {
      return toInfo(await stored(path, abortSignal));
    },

    async *list() {
      for (const { key, name, parts, artifact } of await newestFirst(listStored(store, await prefix()))) {
        yield { path: pathOf(key, name), name, tool: parts.tool, createdAt: parts.createdAt, bytes: artifact.bytes };
      }
    },

    async readLines(path, { start = 1, count = 100, maxBytes = MEBIBYTE, maxLineBytes = maxBytes, abortSignal } = {}) {
      for (const [option, value] of Object.entries({ start, count, maxBytes, maxLineBytes })) {
        requireWholeNumber(option, { value, min: 1 });
      }
      const { key, index } = await stored(path, abortSignal);
      const wanted = { first: start - 1, count, maxBytes, maxLineBytes };
      if (wanted.first >= index.lines) return { lines: [], totalLines: index.lines };
      const bytes = await bytesOf(path, key, { ...rangeOf(index, wanted), signal: abortSignal });
      return readLineWindow(bytes, { index, wanted });
    },

    async readBytes(path, { start = 0, end = start + MEBIBYTE, abortSignal } = {}) {
      requireRange({ start, end });
      const { key, name, bytes: totalBytes } = await stored(path, abortSignal);
      const isText = parseArtifactName(name)?.extension !== 'bin';
      return readByteWindow((range) => bytesOf(path, key, { ...range, signal: abortSignal }), {
        start,
        end,
        totalBytes,
        isText,
      });
    },

    async readStream(path, { start = 0, end = Number.MAX_SAFE_INTEGER, abortSignal } = {}) {
      requireRange({ start, end });
      const { key, bytes } = await stored(path, abortSignal);
      return bytesOf(path, key, { start: Math.min(start, bytes), end: Math.min(end, bytes), signal: abortSignal });
    },

    async delete(path) {
      const name = await nameOf(path);
      if (name === undefined) return;
      const key = artifactKey(await scopeKey(), name);
      await store.delete([infoKey(key), key]);
    },

    async deleteAll() {
      let deleted = 0;
      let keys: string[] = [];
      for await (const { artifact, info } of listStored(store, await prefix())) {
        if (info) keys.push(info.key);
        if (artifact) keys.push(artifact.key);
        if (artifact && info) deleted++;
        if (keys.length < MAX_DELETE_KEYS - 1) continue;
        await store.delete(keys);
        keys = [];
      }
      if (keys.length > 0) await store.delete(keys);
      return deleted;
    },
  };
}

/** Writes the side-car. The artifact exists from here on; when this fails it never did. */
async function commit(
  store: ArtifactStore,
  key: string,
  { info, abortSignal }: { info: StoredInfo; abortSignal: AbortSignal | undefined },
): Promise<void> {
  try {
    await store.put(infoKey(key), once(serializeInfo(info)), { contentType: 'application/json', signal: abortSignal });
  } catch (error) {
    // When this fails too, what is left is an orphan, and the sweep deletes it.
    await store.delete([infoKey(key), key]).catch(() => {});
    throw error;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const CONTENT_TYPES: Record<ArtifactExtension, string> = {
  txt: 'text/plain; charset=utf-8',
  json: 'application/json',
  bin: 'application/octet-stream',
};

/** One of three, whatever the tool says: a browser that opens the stored file must not take it for a page. */
function contentTypeOf(name: string): string {
  return CONTENT_TYPES[parseArtifactName(name)?.extension ?? 'bin'];
}

function shortPath(name: string): string {
  return `tool-output/${name}`;
}

/** A notice has room for this, and a path with other characters could not be copied. */
function isShowable(path: string): boolean {
  return byteLength(path) <= MAX_PATH_BYTES && !/[\n\t]/.test(path) && visibleText(path) === path;
}

function requireStore(store: unknown): void {
  const methods = ['put', 'get', 'head', 'list', 'delete', 'locate'] as const;
  const candidate = store as Partial<ArtifactStore> | null | undefined;
  if (methods.every((method) => typeof candidate?.[method] === 'function')) return;
  throw new InvalidOptionError({
    option: 'store',
    value: store,
    expected: 'an artifact store, e.g. `memoryStore()` or `filesystemStore()`',
  });
}

function requireText(option: string, value: unknown): void {
  if (typeof value === 'string' && value.length <= MAX_ID_LENGTH) return;
  throw new InvalidOptionError({ option, value, expected: `a string of at most ${MAX_ID_LENGTH} characters` });
}

function requireRange({ start, end }: { start: number; end: number }): void {
  requireWholeNumber('start', { value: start, min: 0 });
  requireWholeNumber('end', { value: end, min: start });
}
