import { join } from 'node:path';
import { type Artifacts, InvalidOptionError, scopedArtifacts, sweepArtifacts } from 'ai-truncate';
import { filesystemStore } from 'ai-truncate/filesystem';
import type { ArtifactStore } from 'ai-truncate/store';
import { vercelBlobStore } from 'ai-truncate/vercel-blob';
import { dataDirectory } from './data-directory';
import { type DiskRoom, diskRoom, storeWithinRoom } from './disk-room';
import { environment } from './environment';
import { EnvironmentError } from './environment-error';
import { oncePerProcess } from './once-per-process';
import { sharedLogStore } from './shared-log-store';

/** As the library has it. */
const DEFAULT_RETENTION_DAYS = 7;

/**
 * Where full tool outputs are kept. One object for the whole process: what a store knows of its backend lives in it.
 *
 * Another provider is one line here: `filesSdkStore(new Files({ adapter: s3({ … }) }))` from `ai-truncate/files-sdk`.
 */
export function artifactStore(): ArtifactStore {
  return oncePerProcess('artifact-store', () => {
    const { blob, toolOutput, logBytes } = environment();
    if (blob) return sharedLogStore(vercelBlobStore({ prefix: 'tool-output/', ...blob }), { logBytes });
    const place = storeOnDisk(toolOutput.directory ?? join(dataDirectory(), 'tool-output'));
    return boundedStore(place, { room: diskRoom(), logBytes, retentionDays: retentionDays() });
  });
}

/** At most this often, a full disk is swept. */
const SWEEP_EVERY_MS = 10 * 60_000;

export interface BoundedStoreOptions {
  room: DiskRoom;
  logBytes: number;
  retentionDays: number;
}

/**
 * A store that saves no more than there is room for, and each log once. When there is no room, it deletes expired outputs, because
 * the library sweeps only beside a save that succeeds.
 */
export function boundedStore(
  place: ArtifactStore,
  { room, logBytes, retentionDays }: BoundedStoreOptions,
): ArtifactStore {
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  function onFull(): void {
    if (performance.now() - sweptAtMs < SWEEP_EVERY_MS) return;
    sweptAtMs = performance.now();
    // Not `place`, where an artifact that refers to a shared log looks like a side-car without an artifact.
    sweepArtifacts(store, { retentionDays }).catch((error: unknown) => console.error(error));
  }
  const store = sharedLogStore(storeWithinRoom(place, { room, onFull }), { logBytes });
  return store;
}

/** The artifacts of one chat, by its key; those of another are not found through it. */
export function artifactsOf(chatKey: string): Artifacts {
  return scopedArtifacts(artifactStore(), { scope: chatKey, retentionDays: retentionDays() });
}

/** How long a tool output is kept. */
export function retentionDays(): number {
  return environment().toolOutput.retentionDays ?? DEFAULT_RETENTION_DAYS;
}

function storeOnDisk(directory: string): ArtifactStore {
  try {
    return filesystemStore({ directory });
  } catch (error) {
    if (!InvalidOptionError.isInstance(error)) throw error;
    throw new EnvironmentError('TOOL_OUTPUT_DIR', {
      value: directory,
      expected: 'a directory that only this store uses (not the project itself, nothing that a web server hands out)',
    });
  }
}
