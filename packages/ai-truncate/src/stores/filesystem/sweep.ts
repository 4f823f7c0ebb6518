import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, NO_FOLLOW, openFile, unlessMissing } from './open.ts';
import { unsafeFile } from './unsafe.ts';
import { isOwnFile } from './value.ts';

/** Its time of change is when the last sweep of any process began. */
const MARKER = '.last-sweep';

/** Resolves with `true` for one process, when no process has claimed a sweep for that long. */
export async function claimSweep(root: string, everyMs: number): Promise<boolean> {
  const path = join(root, MARKER);
  const stats = await unlessMissing(lstat(path));
  if (stats && !isOwnFile(stats)) throw unsafeFile(path);
  // A marker from the future was written by a clock that jumped.
  if (stats && Math.abs(Date.now() - stats.mtimeMs) < everyMs) return false;
  if (stats && !(await removeMarker(path, { root, mtimeMs: stats.mtimeMs }))) return false;
  return createMarker(path);
}

/** Resolves with `true` for one process of several that found the same old marker. The others find none, or a newer one. */
export async function removeMarker(
  path: string,
  { root, mtimeMs }: { root: string; mtimeMs: number },
): Promise<boolean> {
  const moved = join(root, `${MARKER}-${randomUUID()}`);
  const isMoved = await unlessMissing(rename(path, moved).then(() => true));
  if (!isMoved) return false;
  if ((await lstat(moved)).mtimeMs === mtimeMs) {
    await unlink(moved);
    return true;
  }
  await rename(moved, path);
  return false;
}

async function createMarker(path: string): Promise<boolean> {
  try {
    const file = await openFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW);
    await file.close();
    return true;
  } catch (error) {
    // Another process was first, or the whole store was deleted meanwhile.
    if (hasCode(error, 'EEXIST', 'ENOENT')) return false;
    throw error;
  }
}
