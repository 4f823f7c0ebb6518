import { InvalidOptionError } from '../errors.ts';
import { requireWholeNumber } from '../options.ts';
import { type ArtifactStore, MAX_DELETE_KEYS, requireStore } from '../stores/artifact-store.ts';
import { byteLength } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { type ArtifactInfo, parseInfo } from './artifact-info.ts';
import { artifactKey, artifactName, infoKey, isArtifactId, parseArtifactName, toScopeKey } from './artifact-name.ts';
import { ArtifactNotFoundError, type Artifacts, withOwner } from './artifacts.ts';
import { readByteWindow, wholeStream } from './byte-window.ts';
import { rangeOf, readLineWindow } from './line-window.ts';
import { DEFAULT_MAX_ARTIFACT_BYTES, type SavedArtifact, type SaveTarget, saveArtifact } from './save-artifact.ts';
import { keysOf, listStored, newestFirst } from './stored-artifacts.ts';
import { DEFAULT_RETENTION_DAYS, MAX_RETENTION_DAYS } from './sweep-artifacts.ts';
import { requireSweepOptions, type SweepBesideSaves, sweepBesideSave } from './sweep-beside-saves.ts';

export interface ScopedArtifactsOptions extends SweepBesideSaves {
  /** Who owns the artifacts: a chat, a user, a tenant. From the server's own knowledge, never from a model or a client. */
  scope: string;
  /** A larger output is not saved. @default 1073741824 (1 GiB) */
  maxArtifactBytes?: number;
  /** For how many days artifacts are promised to stay. @default 7 */
  retentionDays?: number;
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
  const given = options ?? ({} as ScopedArtifactsOptions);
  const { scope, maxArtifactBytes = DEFAULT_MAX_ARTIFACT_BYTES, sweep, onSweep } = given;
  const { retentionDays = DEFAULT_RETENTION_DAYS } = given;
  requireScope(scope);
  requireWholeNumber('maxArtifactBytes', { value: maxArtifactBytes, min: 1 });
  requireWholeNumber('retentionDays', { value: retentionDays, min: 1, max: MAX_RETENTION_DAYS });
  requireSweepOptions(given);
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
    const name = artifactName(reference);
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

  async function open({ key, name, bytes }: SavedArtifact, range: ByteRange & { signal: AbortSignal | undefined }) {
    const stream = await store.get(key, { ...range, totalBytes: bytes });
    // Deleted since its side-car was read.
    if (!stream) throw new ArtifactNotFoundError(name);
    return wholeStream(stream, { name, bytes: range.end - range.start, signal: range.signal });
  }

  const target: SaveTarget = { store, scopeKey, maxArtifactBytes, retentionDays };
  const artifacts: Artifacts = {
    async save(content, options) {
      const saved = await saveArtifact(target, { ...options, content });
      sweepBesideSave(store, { retentionDays, sweep, onSweep });
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
      if (first >= index.lines) return { lines: [], totalLines: index.lines };
      const wanted = { first, count, maxBytes, maxLineBytes };
      const bytes = await open(found, { ...rangeOf(index, wanted), signal: abortSignal });
      return readLineWindow(bytes, { index, wanted });
    },

    async readBytes(path, { start = 0, end = start + MEBIBYTE, abortSignal } = {}) {
      requireRange({ start, end });
      const found = await find(path, abortSignal);
      return readByteWindow((range) => open(found, { ...range, signal: abortSignal }), {
        start,
        end: Math.min(end, start + MAX_WINDOW_BYTES),
        totalBytes: found.bytes,
        isText: parseArtifactName(found.name)?.extension !== 'bin',
      });
    },

    async readStream(path, { start = 0, end = Number.MAX_SAFE_INTEGER, abortSignal } = {}) {
      requireRange({ start, end });
      const found = await find(path, abortSignal);
      const range = { start: Math.min(start, found.bytes), end: Math.min(end, found.bytes) };
      return open(found, { ...range, signal: abortSignal });
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

/** Throws unless the scope can name an owner. An empty one would be shared by all who forgot theirs. */
export function requireScope(scope: unknown): asserts scope is string {
  if (typeof scope === 'string' && scope !== '') return;
  throw new InvalidOptionError({
    option: 'scope',
    value: scope,
    expected: 'a non-empty string that names the owner (a chat, a user, a tenant), set on the server',
  });
}

interface ByteRange {
  start: number;
  end: number;
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
