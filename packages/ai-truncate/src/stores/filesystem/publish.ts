import { link, lstat, rename } from 'node:fs/promises';
import { KeyExistsError } from '../artifact-store.ts';
import { hasCode, unlessMissing } from './open.ts';
import { lostTemporary } from './unsafe.ts';

/** Final names that are being given without hard links, by any store of this process. */
const publishing = new Set<string>();

/**
 * Gives the temporary file its final name, unless the name is taken. A hard link does both in one step; without hard links
 * two puts of one process still exclude each other.
 */
export async function publish(path: string, { finalPath, key }: { finalPath: string; key: string }): Promise<void> {
  try {
    await link(path, finalPath);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new KeyExistsError(key, { cause: error });
    if (hasCode(error, 'ENOENT')) throw lostTemporary(path, error);
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw error;
    if (publishing.has(finalPath)) throw new KeyExistsError(key, { cause: error });
    publishing.add(finalPath);
    try {
      if (await unlessMissing(lstat(finalPath))) throw new KeyExistsError(key, { cause: error });
      await rename(path, finalPath);
    } finally {
      publishing.delete(finalPath);
    }
  }
}
