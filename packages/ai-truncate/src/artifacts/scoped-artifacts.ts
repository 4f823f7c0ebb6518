import {
  requireListener,
  requireOption,
  requireOptionalWholeNumber,
  requireOptions,
  requireWholeNumber,
} from '../options.ts';
import { type ArtifactStore, MAX_DELETE_KEYS, requireStore } from '../stores/artifact-store.ts';
import { byteLength } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { parseInfo, readInfo } from './artifact-info.ts';
import { artifactKey, artifactNameOf, infoKey, isArtifactId, parseArtifactName, toScopeKey } from './artifact-name.ts';
import { type ByteRange, readByteWindow, readLineWindow } from './artifact-windows.ts';
import { type ArtifactInfo, ArtifactNotFoundError, type Artifacts } from './artifacts.ts';
import { DEFAULT_MAX_ARTIFACT_BYTES, type SavedArtifact, saveArtifact } from './save-artifact.ts';
import {
  type AgePlace,
  agePlaceOf,
  formatAgePlace,
  keysOf,
  listStored,
  newestFirst,
  parseAgePlace,
} from './stored-artifacts.ts';
import {
  DEFAULT_RETENTION_DAYS,
  MAX_RETENTION_DAYS,
  type SweepBesideSaves,
  sweepBesideSave,
} from './sweep-artifacts.ts';
import { withTextView } from './text-views.ts';
import { wholeStream } from './whole-stream.ts';

export interface ScopedArtifactsOptions extends SweepBesideSaves {
  /** The owner of the artifacts: a chat, a user, a tenant. Determine it on the server, never from a model or a client. */
  scope: string;
  /** A larger output is not saved. @default 1073741824 (1 GiB) */
  maxArtifactBytes?: number | undefined;
  /** For how many days artifacts are promised to stay. @default 7 */
  retentionDays?: number | undefined;
}

const OPTIONS: readonly (keyof ScopedArtifactsOptions)[] = [
  ...(['scope', 'maxArtifactBytes', 'retentionDays', 'sweep', 'onSweep'] as const),
];
const MEBIBYTE = 1024 ** 2;
const MAX_LINES = 10_000;
const MAX_WINDOW_BYTES = 8 * MEBIBYTE;

/**
 * Artifacts over any store, with names, owners, metadata, and lines by byte range. Creating the object reads and writes
 * nothing.
 *
 * @example
 * const artifacts = scopedArtifacts(store, { scope: chatId });
 * const { path } = await artifacts.save(log, { toolName: 'readServerLogs', toolCallId: 'call_1' });
 * const { lines } = await artifacts.readLines(path, { start: 120, count: 40 });
 */
export function scopedArtifacts(store: ArtifactStore, options: ScopedArtifactsOptions): Artifacts {
  requireStore(store);
  requireOptions(options, { known: OPTIONS, expected: "an object with a `scope`, e.g. `{ scope: 'chat-17' }`" });
  const { scope, ...limits } = options;
  requireScope(scope);
  requireSaveLimits(limits);
  const { maxArtifactBytes = DEFAULT_MAX_ARTIFACT_BYTES, retentionDays = DEFAULT_RETENTION_DAYS } = limits;
  let scopeKeyPromise: Promise<string> | undefined;

  function scopeKey(): Promise<string> {
    scopeKeyPromise ??= toScopeKey(scope);
    return scopeKeyPromise;
  }

  async function* stored(abortSignal: AbortSignal | undefined, after?: string) {
    yield* listStored(store, { prefix: `${await scopeKey()}/`, after, abortSignal });
  }

  /** An artifact exists if its side-car exists. */
  async function find(path: string, signal: AbortSignal | undefined): Promise<SavedArtifact> {
    const name = await nameOf(path, signal);
    if (name === undefined) throw new ArtifactNotFoundError(path);
    const key = artifactKey(await scopeKey(), name);
    const stream = await store.get(infoKey(key), { end: MEBIBYTE, signal });
    if (!stream) throw new ArtifactNotFoundError(path);
    return { ...parseInfo(await readInfo(stream), name), key, name };
  }

  /** The name finds an artifact, and only in this scope. */
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

  function toInfo({ key, name, index, ...info }: SavedArtifact): ArtifactInfo {
    const tool = parseArtifactName(name)?.tool ?? '';
    const view = index.isView && { hasTextView: index.isView };
    return { path: artifactPath(store, { key, name }), name, tool, ...info, ...view };
  }

  function opener({ key, name, bytes }: SavedArtifact, signal: AbortSignal | undefined) {
    return async ({ start, end }: ByteRange) => {
      const stream = await store.get(key, { start, end, totalBytes: bytes, signal });
      // The artifact was deleted after its side-car was read.
      if (!stream) throw new ArtifactNotFoundError(name);
      return wholeStream(stream, { name, bytes: end - start, signal });
    };
  }

  async function* listedFrom(before: AgePlace | undefined, abortSignal: AbortSignal | undefined) {
    for await (const each of newestFirst((after) => stored(abortSignal, after), before)) {
      const { key, name, parts, artifact } = each;
      const place = agePlaceOf(each);
      const path = artifactPath(store, { key, name });
      const { createdAt } = place;
      yield { path, name, tool: parts.tool, createdAt, bytes: artifact.bytes, cursor: formatAgePlace(place) };
    }
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

    list(options = {}) {
      requireOptions(options as unknown, { known: ['cursor', 'abortSignal'] });
      const { cursor, abortSignal } = options;
      const before = parseAgePlace(cursor);
      const expected = 'the `cursor` of an artifact in this list';
      requireOption(cursor === undefined || before, { option: 'cursor', value: cursor, expected });
      return listedFrom(before, abortSignal);
    },

    async usage(options = {}) {
      requireOptions(options as unknown, { known: ['abortSignal'] });
      const usage = { count: 0, bytes: 0 };
      for await (const { artifact, info } of stored(options.abortSignal)) {
        if (!artifact || !info) continue;
        usage.count++;
        usage.bytes += artifact.bytes;
      }
      return usage;
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
      const read = await readByteWindow(opener(found, abortSignal), window);
      return found.index.isView ? withTextView(read) : read;
    },

    async readStream(path, { start = 0, end = Number.MAX_SAFE_INTEGER, abortSignal } = {}) {
      requireRange({ start, end });
      const found = await find(path, abortSignal);
      const open = opener(found, abortSignal);
      const stream = await open({ start: Math.min(start, found.bytes), end: Math.min(end, found.bytes) });
      return found.index.isView ? withTextView(stream) : stream;
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

/** The store and the owner of artifacts. */
export interface ArtifactOwner {
  store: object;
  scope: string;
}

const owners = new WeakMap<Artifacts, ArtifactOwner>();

/** Remembers the owner outside of the artifacts object, because applications can see everything in it. */
export function withOwner(artifacts: Artifacts, owner: ArtifactOwner): Artifacts {
  owners.set(artifacts, owner);
  return artifacts;
}

/** The owner of artifacts. Artifacts that an application implements itself count as a separate store. */
export function artifactOwner(artifacts: Artifacts): ArtifactOwner {
  return owners.get(artifacts) ?? { store: artifacts, scope: '' };
}

/** Throws unless the scope can name an owner. All owners who forgot their name would share an empty scope. */
export function requireScope(scope: unknown): asserts scope is string {
  const expected = 'a non-empty string that names the owner (a chat, a user, a tenant), set on the server';
  requireOption(typeof scope === 'string' && scope !== '', { option: 'scope', value: scope, expected });
}

/** Throws for invalid limits. */
export function requireSaveLimits(options: Omit<ScopedArtifactsOptions, 'scope'>): void {
  const { maxArtifactBytes, retentionDays, sweep, onSweep } = options;
  requireOptionalWholeNumber('maxArtifactBytes', { value: maxArtifactBytes, min: 1 });
  requireRetentionDays('retentionDays', retentionDays);
  requireListener('onSweep', onSweep);
  const isSweep = sweep === undefined || sweep === 'hourly' || sweep === false;
  requireOption(isSweep, { option: 'sweep', value: sweep, expected: "'hourly' or false" });
}

/** Throws for an invalid number of days. */
export function requireRetentionDays(option: string, value: unknown): void {
  requireOptionalWholeNumber(option, { value, min: 1, max: MAX_RETENTION_DAYS });
}

/** The room for a path in a preview. */
const MAX_PATH_BYTES = 512;

/**
 * The path by which models and people name an artifact. With `filesystemStore`, any other tool can open it. With other stores,
 * it is only a handle for the readers.
 */
export function artifactPath(store: ArtifactStore, { key, name }: { key: string; name: string }): string {
  const located = store.locate(key);
  return located !== undefined && isShowable(located) ? located : shortPath(name);
}

/**
 * Whether a path can belong to this artifact: the short path, or any path that ends in its own folder, because the place of
 * that folder changes with the working directory.
 */
function isArtifactPath(path: string, { key, name }: { key: string; name: string }): boolean {
  return path === shortPath(name) || (`/${path}`.endsWith(`/${key}`) && !path.includes('://'));
}

/** The path of an artifact for the readers of this library, in any store. */
export function shortPath(name: string): string {
  return `tool-output/${name}`;
}

/** A notice has room for such a path, and a path with other characters could not be copied. */
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
