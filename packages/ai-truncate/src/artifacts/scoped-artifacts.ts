import { AiTruncateError } from '../errors.ts';
import { requireOption, requireOptionalFunction, requireOptionalWholeNumber, requireWholeNumber } from '../options.ts';
import { type ArtifactStore, MAX_DELETE_KEYS, requireStore } from '../stores/artifact-store.ts';
import { byteLength } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { parseInfo } from './artifact-info.ts';
import { artifactKey, artifactNameOf, infoKey, isArtifactId, parseArtifactName, toScopeKey } from './artifact-name.ts';
import { type ByteRange, readByteWindow, readLineWindow } from './artifact-windows.ts';
import { type ArtifactInfo, ArtifactNotFoundError, type Artifacts } from './artifacts.ts';
import { DEFAULT_MAX_ARTIFACT_BYTES, type SavedArtifact, saveArtifact } from './save-artifact.ts';
import { keysOf, listStored, newestFirst } from './stored-artifacts.ts';
import {
  DEFAULT_RETENTION_DAYS,
  MAX_RETENTION_DAYS,
  type SweepBesideSaves,
  sweepBesideSave,
} from './sweep-artifacts.ts';

export interface ScopedArtifactsOptions extends SweepBesideSaves {
  /** Who owns the artifacts: a chat, a user, a tenant. From the server's own knowledge, never from a model or a client. */
  scope: string;
  /** A larger output is not saved. @default 1073741824 (1 GiB) */
  maxArtifactBytes?: number | undefined;
  /** For how many days artifacts are promised to stay. @default 7 */
  retentionDays?: number | undefined;
}

const MEBIBYTE = 1024 ** 2;
const MAX_LINES = 10_000;
const MAX_WINDOW_BYTES = 8 * MEBIBYTE;

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
  requireStore(store);
  // Who forgets the options is told which one is missing.
  const { scope, ...limits } = options ?? ({} as ScopedArtifactsOptions);
  requireScope(scope);
  requireSaveLimits(limits);
  const { maxArtifactBytes = DEFAULT_MAX_ARTIFACT_BYTES, retentionDays = DEFAULT_RETENTION_DAYS } = limits;
  let scopeKeyPromise: Promise<string> | undefined;

  function scopeKey(): Promise<string> {
    scopeKeyPromise ??= toScopeKey(scope);
    return scopeKeyPromise;
  }

  async function* stored(abortSignal: AbortSignal | undefined) {
    yield* listStored(store, { prefix: `${await scopeKey()}/`, abortSignal });
  }

  /** That its side-car is there makes an artifact be there. */
  async function find(path: string, signal: AbortSignal | undefined): Promise<SavedArtifact> {
    const name = await nameOf(path, signal);
    if (name === undefined) throw new ArtifactNotFoundError(path);
    const key = artifactKey(await scopeKey(), name);
    const stream = await store.get(infoKey(key), { end: MEBIBYTE, signal });
    if (!stream) throw new ArtifactNotFoundError(path);
    return { ...parseInfo(await new Response(stream).text(), name), key, name };
  }

  /** The name is what finds an artifact, and only in this scope. */
  async function nameOf(reference: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    if (typeof reference !== 'string') return undefined;
    if (isArtifactId(reference)) return nameOfId(reference, signal);
    const name = artifactNameOf(reference);
    if (name === undefined || reference === name) return name;
    const key = artifactKey(await scopeKey(), name);
    return isArtifactPath(reference, { key, name }) ? name : undefined;
  }

  async function nameOfId(id: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    for await (const { name, parts } of stored(signal)) if (parts.id === id) return name;
    return undefined;
  }

  function toInfo({ key, name, index: _, ...info }: SavedArtifact): ArtifactInfo {
    return { path: artifactPath(store, { key, name }), name, ...info };
  }

  function opener({ key, name, bytes }: SavedArtifact, signal: AbortSignal | undefined) {
    return async ({ start, end }: ByteRange) => {
      const stream = await store.get(key, { start, end, totalBytes: bytes, signal });
      // Deleted since its side-car was read.
      if (!stream) throw new ArtifactNotFoundError(name);
      return wholeStream(stream, { name, bytes: end - start, signal });
    };
  }

  const artifacts: Artifacts = {
    async save(content, options) {
      const target = { store, scopeKey, maxArtifactBytes, retentionDays };
      const saved = await saveArtifact(target, { ...options, content });
      sweepBesideSave(store, { ...limits, retentionDays });
      return toInfo(saved);
    },

    async info(path, { abortSignal } = {}) {
      return toInfo(await find(path, abortSignal));
    },

    async *list({ abortSignal } = {}) {
      for (const { key, name, parts, artifact } of await newestFirst(stored(abortSignal))) {
        const path = artifactPath(store, { key, name });
        yield { path, name, tool: parts.tool, createdAt: parts.createdAt, bytes: artifact.bytes };
      }
    },

    async readLines(path, { start = 1, count = 100, maxBytes = MEBIBYTE, maxLineBytes = maxBytes, abortSignal } = {}) {
      requireLineNumber(start);
      requireWholeNumber('count', { value: count, min: 1, max: MAX_LINES });
      requireWholeNumber('maxBytes', { value: maxBytes, min: 1, max: MAX_WINDOW_BYTES });
      requireWholeNumber('maxLineBytes', { value: maxLineBytes, min: 1 });
      const found = await find(path, abortSignal);
      const { index } = found;
      const first = start > 0 ? start - 1 : Math.max(0, index.lines + start);
      return readLineWindow(opener(found, abortSignal), { index, first, count, maxBytes, maxLineBytes });
    },

    async readBytes(path, { start = 0, end = start + MEBIBYTE, abortSignal } = {}) {
      requireRange({ start, end });
      const found = await find(path, abortSignal);
      const isText = parseArtifactName(found.name)?.extension !== 'bin';
      const window = { start, end: Math.min(end, start + MAX_WINDOW_BYTES), totalBytes: found.bytes, isText };
      return readByteWindow(opener(found, abortSignal), window);
    },

    async readStream(path, { start = 0, end = Number.MAX_SAFE_INTEGER, abortSignal } = {}) {
      requireRange({ start, end });
      const found = await find(path, abortSignal);
      const open = opener(found, abortSignal);
      return open({ start: Math.min(start, found.bytes), end: Math.min(end, found.bytes) });
    },

    async delete(path, { abortSignal: signal } = {}) {
      const name = await nameOf(path, signal);
      if (name === undefined) return false;
      const key = artifactKey(await scopeKey(), name);
      const isThere = (await store.head(infoKey(key), { signal })) !== undefined;
      await store.delete([infoKey(key), key], { signal });
      return isThere;
    },

    async deleteAll({ abortSignal } = {}) {
      let deleted = 0;
      let keys: string[] = [];
      for await (const each of stored(abortSignal)) {
        keys.push(...keysOf(each));
        if (each.artifact && each.info) deleted++;
        if (keys.length < MAX_DELETE_KEYS - 1) continue;
        await store.delete(keys, { signal: abortSignal });
        keys = [];
      }
      if (keys.length > 0) await store.delete(keys, { signal: abortSignal });
      return deleted;
    },
  };
  return withOwner(artifacts, { store, scope });
}

/** In which store artifacts are, and whose they are. */
export interface ArtifactOwner {
  store: object;
  scope: string;
}

const owners = new WeakMap<Artifacts, ArtifactOwner>();

/** Remembers the owner beside the artifacts, because applications see all that is in them. */
export function withOwner(artifacts: Artifacts, owner: ArtifactOwner): Artifacts {
  owners.set(artifacts, owner);
  return artifacts;
}

/** The owner of artifacts. Artifacts that an application made by itself are a store of their own. */
export function artifactOwner(artifacts: Artifacts): ArtifactOwner {
  return owners.get(artifacts) ?? { store: artifacts, scope: '' };
}

/** Throws unless the scope can name an owner. An empty one would be shared by all who forgot theirs. */
export function requireScope(scope: unknown): asserts scope is string {
  const expected = 'a non-empty string that names the owner (a chat, a user, a tenant), set on the server';
  requireOption(typeof scope === 'string' && scope !== '', { option: 'scope', value: scope, expected });
}

/** Throws for limits that could not work. */
export function requireSaveLimits(options: Omit<ScopedArtifactsOptions, 'scope'>): void {
  const { maxArtifactBytes, retentionDays, sweep, onSweep } = options;
  requireOptionalWholeNumber('maxArtifactBytes', { value: maxArtifactBytes, min: 1 });
  requireOptionalWholeNumber('retentionDays', { value: retentionDays, min: 1, max: MAX_RETENTION_DAYS });
  requireOptionalFunction('onSweep', onSweep);
  const isSweep = sweep === undefined || sweep === 'hourly' || sweep === false;
  requireOption(isSweep, { option: 'sweep', value: sweep, expected: "'hourly' or false" });
}

/** What a preview keeps free for a path. */
const MAX_PATH_BYTES = 512;

/**
 * How models and people name an artifact. What `filesystemStore` gives opens in any other tool; elsewhere the path is a handle,
 * for the readers alone.
 */
function artifactPath(store: ArtifactStore, { key, name }: { key: string; name: string }): string {
  const located = store.locate(key);
  return located !== undefined && isShowable(located) ? located : shortPath(name);
}

/**
 * Whether a path could have been given out for this artifact: the short one, or any that ends in its own folder, because where
 * that lies changes with the working directory.
 */
function isArtifactPath(path: string, { key, name }: { key: string; name: string }): boolean {
  return path === shortPath(name) || (`/${path}`.endsWith(`/${key}`) && !path.includes('://'));
}

function shortPath(name: string): string {
  return `tool-output/${name}`;
}

/** A notice has room for this, and a path with other characters could not be copied. */
function isShowable(path: string): boolean {
  return byteLength(path) <= MAX_PATH_BYTES && !/[\n\t]/.test(path) && visibleText(path) === path;
}

function requireLineNumber(start: number): void {
  if (start < 0) requireWholeNumber('start', { value: -start, min: 1 });
  else requireWholeNumber('start', { value: start, min: 1, because: '(or below 0, to count from the end)' });
}

function requireRange({ start, end }: ByteRange): void {
  requireWholeNumber('start', { value: start, min: 0 });
  requireWholeNumber('end', { value: end, min: start });
}

/**
 * The stream, ending with an error when fewer or more bytes come than there must be, and with the reason of the signal also
 * while the store stands still. Reads only when asked.
 */
function wholeStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  { name, bytes: expected, signal }: { name: string; bytes: number; signal: AbortSignal | undefined },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  let bytes = 0;
  /** A read that waits ends too. */
  function close(reason?: unknown): Promise<void> {
    signal?.removeEventListener('abort', onAbort);
    return reader.cancel(reason);
  }
  // What cancelling throws is dropped: the consumer has the reason.
  const onAbort = () => void close(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', onAbort, { once: true });
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        signal?.throwIfAborted();
        bytes += value?.length ?? 0;
        if (!done && bytes <= expected) return controller.enqueue(value);
        close().catch(() => {});
        if (bytes !== expected) throw incompleteRead(name, { bytes, expected });
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

/** The store sends fewer or more bytes than it acknowledged: the value was changed, or something else answered. */
function incompleteRead(name: string, { bytes, expected }: { bytes: number; expected: number }): AiTruncateError {
  const message = `The store gave ${bytes} bytes in place of ${expected} bytes of \`${name}\`: it was cut off or changed. Read it again.`;
  return new AiTruncateError(message, { code: 'INCOMPLETE_READ' });
}
