import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { liveTemporaries } from './folders.ts';
import {
  isOwnFile,
  NO_FOLLOW,
  removeIfEmpty,
  undefinedFor,
  unlessMissing,
  unsafeFile,
  withFile,
} from './open-files.ts';

/** The time of its last change is the start of the last sweep of any process. */
const MARKER = '.last-sweep';

/** Resolves to `true` for one process if no process has claimed a sweep for that long. */
export async function claimSweep(root: string, everyMs: number): Promise<boolean> {
  const path = join(root, MARKER);
  const stats = await unlessMissing(lstat(path));
  if (stats && !isOwnFile(stats)) throw unsafeFile(path);
  // A marker from the future was written when the clock was wrong.
  if (stats && Math.abs(Date.now() - stats.mtimeMs) < everyMs) return false;
  if (stats && !(await removeMarker(path, { root, mtimeMs: stats.mtimeMs }))) return false;
  return createMarker(path);
}

/** Resolves to `true` for one of several processes that found the same old marker. The others find no marker, or a newer one. */
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
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
  // Another process was faster, or the whole store was deleted.
  const isMade = await withFile({ path, flags }, async () => true).catch(undefinedFor('EEXIST', 'ENOENT'));
  return isMade ?? false;
}

/** Longer than any source is idle, because a file of another running process looks like a file of a killed process. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;

/** Removes files that killed processes left in a folder, and the folder if nothing else is in it. */
export async function sweepTemporaries(folder: string, names: readonly string[]): Promise<void> {
  let removed = 0;
  for (const name of names) {
    if (liveTemporaries.has(name)) continue;
    const path = join(folder, name);
    const stats = await unlessMissing(lstat(path));
    if (!stats || !isOwnFile(stats) || stats.mtimeMs > Date.now() - ABANDONED_AFTER_MS) continue;
    // A caller that can list may be unable to delete, for instance on a read-only disk. It still gets the list.
    await unlink(path).then(
      () => removed++,
      () => {},
    );
  }
  // A folder that was empty before may belong to somebody else.
  if (removed > 0) await removeIfEmpty(folder);
}
