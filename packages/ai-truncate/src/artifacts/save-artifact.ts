import { anySignal, now, settledWithin } from '../deadlines.ts';
import { AiTruncateError } from '../errors.ts';
import { requireOption } from '../options.ts';
import { inTurn } from '../pace.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { type ArtifactContent, abandon, requireContent, toBytes } from './artifact-content.ts';
import { MAX_ID_LENGTH, type StoredInfo, serializeInfo } from './artifact-info.ts';
import { type ArtifactExtension, artifactKey, createArtifactName, extensionFor, infoKey } from './artifact-name.ts';
import { ArtifactNotFoundError, ArtifactTooLargeError, type SaveOptions } from './artifacts.ts';
import { createLineIndex } from './line-index.ts';
import { DAY_MS } from './sweep-artifacts.ts';
import { textViewOf } from './text-views.ts';

/** @default of `maxArtifactBytes` */
export const DEFAULT_MAX_ARTIFACT_BYTES: number = 1024 ** 3;
/** After a save that took longer than this, the artifact may have been deleted as an orphan. */
const LONG_SAVE_MS = 10 * 60_000;
/** How long a failed save waits until its bytes are deleted. */
const CLEAN_UP_MS = 2000;
/**
 * One of three types, whatever the tool declares, because a browser that opens the stored file must not treat it as a web page.
 */
const CONTENT_TYPES: Record<ArtifactExtension, string> = {
  txt: 'text/plain; charset=utf-8',
  json: 'application/json',
  bin: 'application/octet-stream',
};

export interface SaveTarget {
  store: ArtifactStore;
  scopeKey: () => Promise<string>;
  maxArtifactBytes: number;
  retentionDays: number;
}

export type SavedArtifact = StoredInfo & { key: string; name: string };

/** Writes the content, then its side-car. If this fails, it leaves nothing, and the source of the content is closed. */
export async function saveArtifact(
  { store, scopeKey: findScopeKey, maxArtifactBytes, retentionDays }: SaveTarget,
  { content, ...options }: SaveOptions & { content: ArtifactContent },
): Promise<SavedArtifact> {
  /** Ends the source if the store fails, because the source may be waiting for a chunk that never arrives. */
  const stop = new AbortController();
  try {
    const { toolName, toolCallId, mediaType = 'text/plain', redacted, abortSignal: signal } = options;
    requireContent(content);
    requireText('toolName', toolName);
    requireText('toolCallId', toolCallId);
    requireMediaType(mediaType);
    const scopeKey = await findScopeKey();
    // Thousands of saves that start at the same moment would otherwise be one long turn of the event loop.
    await inTurn(() => {});
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + retentionDays * DAY_MS);
    const name = createArtifactName({ toolName, toolCallId, mediaType, createdAt });
    const key = artifactKey(scopeKey, name);
    const startedAt = now();
    const indexer = createLineIndex({ isValue: typeof content === 'object' && textViewOf(content) !== undefined });
    let isWhole = false;
    const body = toBytes(content, {
      abortSignal: anySignal([signal, stop.signal]),
      onBytes(chunk) {
        indexer.push(chunk);
        if (indexer.bytes() > maxArtifactBytes) throw new ArtifactTooLargeError(maxArtifactBytes);
      },
      onEnd() {
        isWhole = true;
      },
    });
    await store.put(key, body, { contentType: CONTENT_TYPES[extensionFor(mediaType)], signal });
    const index = indexer.finish();
    const { lines, bytes } = index;
    const replaced = redacted && Object.keys(redacted).length > 0 && { redacted: { ...redacted } };
    const info = { toolName, toolCallId, mediaType, bytes, lines, ...replaced, createdAt, expiresAt, index };
    await commit(store, key, { info, isWhole, isLate: now() - startedAt > LONG_SAVE_MS, signal });
    return { ...info, key, name };
  } catch (error) {
    stop.abort(error);
    abandon(content);
    throw error;
  }
}

interface Commit {
  info: StoredInfo;
  /** The content was read to its end. */
  isWhole: boolean;
  isLate: boolean;
  signal: AbortSignal | undefined;
}

/** Writes the side-car. The artifact exists from here on; if this fails, it never existed. */
async function commit(store: ArtifactStore, key: string, { info, isWhole, isLate, signal }: Commit): Promise<void> {
  try {
    if (!isWhole) throw incompleteWrite(info.bytes);
    // A store may resolve without watching its signal.
    signal?.throwIfAborted();
    await store.put(infoKey(key), once(serializeInfo(info)), { contentType: CONTENT_TYPES.json, signal });
    signal?.throwIfAborted();
    if (isLate && !(await store.head(key, { signal }))) throw new ArtifactNotFoundError(key);
  } catch (error) {
    // If this fails too, the rest is an orphan, which the sweep deletes.
    const cleaning = store.delete([infoKey(key), key]).catch(() => {});
    // An aborted caller does not wait. Another caller waits only until it is clear that the store does not respond.
    if (!signal?.aborted) await settledWithin(CLEAN_UP_MS, cleaning);
    throw error;
  }
}

/** The `put` of a store resolved before the end of its body. */
export function incompleteWrite(bytes: number): AiTruncateError {
  const message = `The \`put\` of the store resolved after it had read only ${bytes} bytes of its body. Resolve it after the end of the body.`;
  return new AiTruncateError(message, { code: 'INCOMPLETE_WRITE' });
}

async function* once(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield bytes;
}

function requireText(option: string, value: unknown): void {
  const isShort = typeof value === 'string' && value.length <= MAX_ID_LENGTH;
  requireOption(isShort, { option, value, expected: `a string of at most ${MAX_ID_LENGTH} characters` });
}

function requireMediaType(value: unknown): void {
  const isMediaType =
    typeof value === 'string' && value.length <= 256 && /^[\w.+-]+\/[\w.+-]+ *(;[\x20-\x7e]*)?$/.test(value);
  requireOption(isMediaType, { option: 'mediaType', value, expected: "a media type such as 'text/plain'" });
}
