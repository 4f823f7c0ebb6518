import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, readlink, realpath, stat } from 'node:fs/promises';
import { hasCode, NO_FOLLOW, openFile, unlessMissing } from './open.ts';
import { unsafeFile } from './unsafe.ts';

// Without O_NONBLOCK a planted named pipe would keep a thread for ever.
const READ = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);

/** Linux links each descriptor to its path. Before 2.8, Deno counts `fd` otherwise, so that the link is that of another file. */
const HAS_LINKS = process.platform === 'linux' && !('Deno' in globalThis);

export interface OpenFile {
  file: FileHandle;
  stats: Stats;
}

/** Open first, then check the descriptor: a link swapped in between would otherwise be followed. */
export async function openOwnFile(path: string): Promise<OpenFile | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await unlessMissing(openFile(path, READ));
    if (!file) return undefined;
    const stats = await file.stat();
    if (isOwnFile(stats) && (await isAt(path, { file, stats }))) return { file, stats };
    // Deleted since it was opened.
    if (stats.nlink === 0 || !(await unlessMissing(lstat(path)))) {
      await file.close();
      return undefined;
    }
    throw unsafeFile(path);
  } catch (error) {
    await file?.close();
    if (hasCode(error, 'ELOOP', 'ENOTDIR', 'ENXIO')) throw unsafeFile(path, error);
    throw error;
  }
}

/** Whether the open file is the one of this path, with no link on the way. */
export async function isAt(path: string, { file, stats }: OpenFile): Promise<boolean> {
  const real = HAS_LINKS ? await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined) : undefined;
  if (real !== undefined) return real === path;
  // Elsewhere no call tells where an open file lies. The path is looked at again: without links, and the same file.
  const there = await unlessMissing(stat(path));
  return there?.ino === stats.ino && there.dev === stats.dev && (await unlessMissing(realpath(path))) === path;
}

/** Whether it is a file that this store can have written. */
export function isOwnFile(stats: Stats): boolean {
  return stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid());
}
