import { type BigIntStats, constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, readlink, realpath, rmdir, stat } from 'node:fs/promises';
import { AiTruncateError } from '../../errors.ts';
import { hasCode, NO_FOLLOW, openFile, unlessMissing } from './open-files.ts';

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

/** Throws unless it is a directory, no link to one, that nobody else can exchange. It is left as it is. */
export async function requireOwnDirectory(path: string): Promise<BigIntStats> {
  const stats = await lstat(path, { bigint: true });
  if (stats.isSymbolicLink()) throw unsafeDirectory(path, 'is a symbolic link');
  if (!stats.isDirectory()) throw unsafeDirectory(path, 'is not a directory');
  if (process.getuid === undefined) return stats;
  if (stats.uid !== BigInt(process.getuid())) throw unsafeDirectory(path, 'belongs to another user');
  if ((stats.mode & 0o1000n) !== 0n) throw unsafeDirectory(path, 'is shared with other users');
  return stats;
}

/** Lets nobody else read or change it: only for a directory that is known to be the store's. */
export async function closeToOthers(path: string, { mode }: BigIntStats): Promise<void> {
  if (process.getuid === undefined || (mode & 0o077n) === 0n) return;
  // `chmod` would follow a link that takes the place of the directory meanwhile.
  const directory = await openFile(path, constants.O_RDONLY | constants.O_DIRECTORY | NO_FOLLOW);
  try {
    await directory.chmod(0o700);
  } finally {
    await directory.close();
  }
}

/** A folder that cannot go harms nobody, so it fails no call. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}

/** Names in it survive a power cut from here on. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directory as a file.
  if (process.platform === 'win32') return;
  const directory = await openFile(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await directory.sync();
  } catch (error) {
    // Some network file systems have nothing to sync there.
    if (!hasCode(error, 'EINVAL')) throw error;
  } finally {
    await directory.close();
  }
}

/** Something lies where a file of the store should, or the way to it was changed. It was neither read nor written. */
export function unsafeFile(path: string, cause?: unknown): AiTruncateError {
  return new AiTruncateError(`\`${path}\` is not a file that this store wrote: look at what it is, and delete it.`, {
    code: 'UNSAFE_FILE',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A directory that others can read, change or exchange. Nothing was written to it. */
export function unsafeDirectory(path: string, problem: string): AiTruncateError {
  return new AiTruncateError(
    `\`${path}\` ${problem}: set \`directory\` to one that only this process's user can write.`,
    { code: 'UNSAFE_DIRECTORY' },
  );
}

/** A directory that was there, with things in it that no store wrote. They were left as they are. */
export function holdsOtherFiles(path: string, name: string): AiTruncateError {
  return new AiTruncateError(
    `\`${path}\` holds other files (e.g. \`${name}\`): set \`directory\` to one of its own. If a store did write them, ` +
      'put a `.gitignore` with the line `*` into it.',
    { code: 'UNSAFE_DIRECTORY' },
  );
}

/** Something removed the file that a value was written to. Nothing is stored under its key. */
export function lostTemporary(path: string, cause: unknown): AiTruncateError {
  return new AiTruncateError(
    `\`${path}\` was removed before its value was whole: look what else deletes there, and save the value again.`,
    { code: 'INCOMPLETE_WRITE', cause },
  );
}
