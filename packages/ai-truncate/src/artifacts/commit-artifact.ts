import { withTimeout } from '../deadlines.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { ArtifactNotFoundError } from './artifact-errors.ts';
import { type StoredInfo, serializeInfo } from './artifact-info.ts';
import { infoKey } from './artifact-name.ts';

/** How long a failed commit waits for what was written to be deleted. */
const CLEAN_UP_MS = 2000;

export interface Commit {
  info: StoredInfo;
  /** Whether a sweep may have taken the artifact for an orphan meanwhile. */
  isLate: boolean;
  signal: AbortSignal | undefined;
}

/** Writes the side-car. The artifact exists from here on; when this fails it never did. */
export async function commitArtifact(
  store: ArtifactStore,
  key: string,
  { info, isLate, signal }: Commit,
): Promise<void> {
  try {
    // A store that does not watch its signal has answered all the same.
    signal?.throwIfAborted();
    await store.put(infoKey(key), once(serializeInfo(info)), { contentType: 'application/json', signal });
    signal?.throwIfAborted();
    if (isLate && !(await store.head(key, { signal }))) throw new ArtifactNotFoundError(key);
  } catch (error) {
    // When this fails too, what is left is an orphan, and the sweep deletes it.
    const cleaning = store.delete([infoKey(key), key]).catch(() => {});
    // Who aborted does not wait, and who did not waits no longer than it takes to see that the store is gone.
    if (!signal?.aborted) await withTimeout(CLEAN_UP_MS, { work: () => cleaning, what: 'The store' }).catch(() => {});
    throw error;
  }
}

async function* once(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield bytes;
}
