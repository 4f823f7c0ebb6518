import { randomUUID } from 'node:crypto';
import { lstat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { removeIfEmpty } from './directory.ts';
import { unlessMissing } from './open.ts';
import { isOwnFile } from './value.ts';

const LIVE = Symbol.for('ai-truncate.live-temporaries');
const NAME = /^\.tmp-[0-9a-f-]{36}$/;
/** Longer than any source rests: what another process writes cannot be told from what a killed one left. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;

/** A bundle can hold two copies of this file, and each knows the files of both. */
const shared = globalThis as { [LIVE]?: Set<string> };

/** The temporary files that this process writes, in any of its stores: a sweep leaves them, however long their source rests. */
export const liveTemporaries: Set<string> = shared[LIVE] ?? new Set();
shared[LIVE] = liveTemporaries;

/** The name of a file that will be written; it counts as live until it is taken out of `liveTemporaries`. */
export function newTemporaryName(): string {
  const name = `.tmp-${randomUUID()}`;
  liveTemporaries.add(name);
  return name;
}

export function isTemporaryName(name: string): boolean {
  return NAME.test(name);
}

/** Removes what killed processes left in a folder, and the folder when nothing else is in it. */
export async function sweepTemporaries(folder: string, names: readonly string[]): Promise<void> {
  let removed = 0;
  for (const name of names) {
    if (liveTemporaries.has(name)) continue;
    const path = join(folder, name);
    const stats = await unlessMissing(lstat(path));
    if (!stats || !isOwnFile(stats) || stats.mtimeMs > Date.now() - ABANDONED_AFTER_MS) continue;
    // Who lists may be unable to delete, on a read-only disk for instance, and still gets the list.
    await unlink(path).then(
      () => removed++,
      () => {},
    );
  }
  // A folder that was empty before may be somebody's.
  if (removed > 0) await removeIfEmpty(folder);
}
