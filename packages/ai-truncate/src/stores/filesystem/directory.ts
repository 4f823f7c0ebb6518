import { type BigIntStats, constants } from 'node:fs';
import { lstat, rmdir } from 'node:fs/promises';
import { hasCode, NO_FOLLOW, openFile } from './open.ts';
import { unsafeDirectory } from './unsafe.ts';

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
