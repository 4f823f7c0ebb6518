import { join } from 'node:path';
import { type ArtifactStore, type Artifacts, InvalidOptionError, scopedArtifacts } from 'ai-truncate';
import { filesystemStore } from 'ai-truncate/filesystem';
import { vercelBlobStore } from 'ai-truncate/vercel-blob';
import { dataDirectory } from './data-directory';
import { environment } from './environment';
import { EnvironmentError } from './environment-error';
import { oncePerProcess } from './once-per-process';

/** As the library has it. */
const DEFAULT_RETENTION_DAYS = 7;

/**
 * Where full tool outputs are kept. One object for the whole process: what a store knows of its backend lives in it.
 *
 * Another provider is one line here: `filesSdkStore(new Files({ adapter: s3({ … }) }))` from `ai-truncate/files-sdk`.
 */
export function artifactStore(): ArtifactStore {
  return oncePerProcess('artifact-store', () => {
    const { blobToken: token, toolOutput } = environment();
    if (token) return vercelBlobStore({ prefix: 'tool-output/', token });
    return storeOnDisk(toolOutput.directory ?? join(dataDirectory(), 'tool-output'));
  });
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
