import { AiTruncateError } from '../errors.ts';
import type { ArtifactStore, PutOptions, StoreBody } from '../stores/artifact-store.ts';
import { byteLength, equalPieces } from '../text/utf.ts';
import { toBytes } from './artifact-content.ts';
import { serializeInfo } from './artifact-info.ts';
import { artifactKey, historyName, infoKey, type NamedCall, parseArtifactName, toScopeKey } from './artifact-name.ts';
import { ArtifactTooLargeError } from './artifacts.ts';
import { createLineIndex, type LineIndex } from './line-index.ts';
import { resolveScope } from './resolve-scope.ts';
import { DEFAULT_MAX_ARTIFACT_BYTES, incompleteWrite } from './save-artifact.ts';
import { artifactPath, shortPath } from './scoped-artifacts.ts';
import type { OpenArtifactsOptions } from './storage-options.ts';
import { listStored } from './stored-artifacts.ts';
import { DAY_MS, DEFAULT_RETENTION_DAYS, lastChange, sweepBesideSave, trustedNow } from './sweep-artifacts.ts';

/** A result that is moved out of a conversation, in its saved form. */
export interface HistoryContent extends NamedCall {
  chunks: readonly string[];
  /** The text is the indented JSON of a value. Its lines are the lines of the text view. */
  isValue: boolean;
  /** The number of replaced secrets of each kind. */
  redacted: Readonly<Record<string, number>>;
}

/** The size of a content, and its name, which depends only on the call and the text. */
export interface NamedContent extends HistoryContent {
  name: string;
  bytes: number;
}

/** An artifact that the store holds. */
export interface FoundArtifact {
  bytes: number;
  /** A sweep may delete it within the next hour. */
  isExpiring: boolean;
}

/** Results that were moved out of a conversation, in the scope of one owner. */
export interface HistoryArtifacts {
  /** The path that models and people see, and a shorter one that readers also accept. Does not read from the store. */
  pathsOf(name: string): { path: string; shortPath: string };
  /** The artifacts that exist. Takes one listing for each group of names that sort together, for any number of names. */
  find(names: readonly string[], signal: AbortSignal): Promise<Map<string, FoundArtifact>>;
  /** Saves a content under its name. Succeeds if another process saved the same content at the same time. */
  save(content: NamedContent, options: { replacesExpiring: boolean; signal: AbortSignal }): Promise<void>;
}

/** Rejects when no owner is found. */
export async function openHistory(options: OpenArtifactsOptions): Promise<HistoryArtifacts> {
  const { store, maxArtifactBytes = DEFAULT_MAX_ARTIFACT_BYTES, retentionDays = DEFAULT_RETENTION_DAYS } = options;
  const scopeKey = await toScopeKey(await resolveScope(options));
  const keyOf = (name: string) => artifactKey(scopeKey, name);
  const expiresMs = retentionDays * DAY_MS;

  return {
    pathsOf: (name) => ({ path: artifactPath(store, { key: keyOf(name), name }), shortPath: shortPath(name) }),

    async find(names, signal) {
      const found = new Map<string, FoundArtifact>();
      for (const group of groupsOf(names)) {
        const wanted = new Set(group);
        const first = group[0] ?? '';
        const last = keyOf(group.at(-1) ?? '');
        // Any text that sorts before the first name, and after most others.
        const after = keyOf(first.slice(0, -1));
        for await (const stored of listStored(store, { prefix: `${scopeKey}/`, after, abortSignal: signal })) {
          if (stored.key > last) break;
          const { artifact, info, name } = stored;
          if (!artifact || !info || !wanted.has(name)) continue;
          const isExpiring = trustedNow() - lastChange(stored) > expiresMs - EXPIRING_MS;
          found.set(name, { bytes: artifact.bytes, isExpiring });
        }
      }
      return found;
    },

    async save(content, { replacesExpiring, signal }) {
      const { name, bytes, chunks, isValue, redacted, toolName, toolCallId } = content;
      if (bytes > maxArtifactBytes) throw new ArtifactTooLargeError(maxArtifactBytes);
      const key = keyOf(name);
      if (replacesExpiring) await store.delete([infoKey(key), key], { signal });
      const index = await indexOf(content, signal);
      let readBytes = 0;
      const onBytes = (chunk: Uint8Array) => {
        readBytes += chunk.length;
      };
      const isNew = await putOnce(store, key, {
        body: () => toBytes(chunks, { abortSignal: signal, onBytes }),
        bytes,
        signal,
      });
      if (isNew && readBytes !== bytes) throw incompleteWrite(readBytes);
      const createdAt = new Date();
      const expiresAt = new Date(createdAt.getTime() + expiresMs);
      const mediaType = isValue ? 'application/json' : 'text/plain';
      const sideCar = serializeInfo({
        ...{ toolName, toolCallId, mediaType, bytes, lines: index.lines },
        ...{ createdAt, expiresAt, index },
        ...(Object.keys(redacted).length > 0 && { redacted }),
      });
      await putOnce(store, infoKey(key), { body: () => once(sideCar), signal, contentType: 'application/json' });
      sweepBesideSave(store, { ...options, retentionDays });
    },
  };
}

/** The saved output of a new reference must exist until the end of the run. */
const EXPIRING_MS = 3_600_000;

/** Names with a date and names with a hash sort far from each other, so each group is listed by itself. */
function groupsOf(names: readonly string[]): string[][] {
  const isDated = (name: string) => parseArtifactName(name)?.createdAt !== undefined;
  const groups = [names.filter(isDated), names.filter((name) => !isDated(name))];
  return groups.filter((group) => group.length > 0).map((group) => group.sort());
}

/** The content with its name. The name contains a hash, so a repeated save changes nothing. */
export async function nameContent(content: HistoryContent): Promise<NamedContent> {
  const hashes: Uint8Array[] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  // The Web Crypto API cannot hash a stream. So the text is hashed in pieces of equal size, and the name has the hash of these hashes.
  for (const piece of equalPieces(content.chunks, HASHED_CHARS)) {
    bytes += byteLength(piece);
    hashes.push(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(piece))));
  }
  const all = new Uint8Array(hashes.length * HASH_BYTES);
  for (const [index, hash] of hashes.entries()) all.set(hash, index * HASH_BYTES);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
  return { ...content, name: historyName(content, hash), bytes };
}

const HASHED_CHARS = 64 * 1024;
const HASH_BYTES = 32;

async function indexOf({ chunks, isValue }: HistoryContent, abortSignal: AbortSignal): Promise<LineIndex> {
  const indexer = createLineIndex({ isValue });
  for await (const bytes of toBytes(chunks, { abortSignal, onBytes() {} })) indexer.push(bytes);
  return indexer.finish();
}

interface PutOnce {
  body: () => StoreBody;
  /** The size that an existing value must have. */
  bytes?: number;
  contentType?: string;
  signal: AbortSignal;
}

/**
 * Writes a value, unless the same value exists because another server wrote it or a process ended between two writes.
 * Returns whether this call wrote it.
 */
async function putOnce(
  store: ArtifactStore,
  key: string,
  { body, bytes, signal, ...options }: PutOnce,
): Promise<boolean> {
  const put: PutOptions = { contentType: options.contentType ?? 'text/plain; charset=utf-8', signal };
  try {
    await store.put(key, body(), put);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    // The error of the put says more than an error of this request.
    const existing = await store.head(key, { signal }).catch(() => undefined);
    if (!existing) throw error;
    if (bytes !== undefined && existing.bytes !== bytes) throw otherContent(key, error);
    return false;
  }
}

function otherContent(key: string, cause: unknown): AiTruncateError {
  const message = `\`${key}\` does not have the size of its original result, so it was changed. Delete it.`;
  return new AiTruncateError(message, { code: 'KEY_EXISTS', cause });
}

async function* once(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield bytes;
}
