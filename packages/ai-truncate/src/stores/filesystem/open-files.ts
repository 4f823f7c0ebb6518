import { type BigIntStats, constants, type Dir, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir, readlink, realpath, rmdir, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AiTruncateError } from '../../errors.ts';
import { undefinedIf } from '../artifact-store.ts';

const RETRY_MS = [20, 40, 80, 160, 200];

/** A flag for every open: it refuses a link in place of the file. Windows has no such flag. */
export const NO_FOLLOW: number = constants.O_NOFOLLOW ?? 0;
// Without O_NONBLOCK, a planted named pipe would block a thread forever.
const READ = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY;

/**
 * Linux links each descriptor to its path. Before 2.8, Deno numbers `fd` differently, so the link would belong to another file.
 */
const HAS_LINKS = process.platform === 'linux' && !('Deno' in globalThis);

/** Opens a file of the store. New files are closed to other users. */
export function openFile(path: string, flags: number): Promise<FileHandle> {
  return whenDescriptorsAreFree(() => open(path, flags, 0o600));
}

/** Opens a directory to walk through its names. */
export function openDirectory(path: string): Promise<Dir> {
  return whenDescriptorsAreFree(() => opendir(path, { bufferSize: 1024 }));
}

/** Tries again while the process has no free descriptor, because other reads and writes close their descriptors. */
async function whenDescriptorsAreFree<T>(attempt: () => Promise<T>): Promise<T> {
  for (const retryMs of RETRY_MS) {
    try {
      return await attempt();
    } catch (error) {
      if (!hasCode(error, 'EMFILE', 'ENFILE')) throw error;
      await delay(retryMs);
    }
  }
  return attempt();
}

/** Opens a file or a directory for as long as it is used. */
export async function withFile<T>(
  { path, flags }: { path: string; flags: number },
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await openFile(path, flags);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** The result, or `undefined` if the call found nothing. */
export function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  return result.catch(undefinedFor('ENOENT'));
}

/** For `catch`: returns `undefined` for an error with one of these codes. */
export function undefinedFor(...codes: string[]): (error: unknown) => undefined {
  return undefinedIf((error) => hasCode(error, ...codes));
}

/** Whether an error has one of these codes. They can be codes of the system or of this library. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

export interface OpenFile {
  file: FileHandle;
  stats: Stats;
}

/** Open first, then check the descriptor: a link swapped in between would otherwise be followed. */
export async function openOwnFile(path: string, isOwn: typeof isOwnFile = isOwnFile): Promise<OpenFile | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await unlessMissing(openFile(path, READ));
    if (!file) return undefined;
    const stats = await file.stat();
    if (isOwn(stats) && (await isAt(path, { file, stats }))) return { file, stats };
    // The file was deleted after it was opened.
    if (stats.nlink === 0 || !(await unlessMissing(lstat(path)))) {
      await file.close();
      return undefined;
    }
    throw unsafeFile(path);
  } catch (error) {
    await file?.close();
    if (hasCode(error, 'ELOOP', 'ENOTDIR', 'ENXIO')) throw unsafeFile(path, { cause: error });
    throw error;
  }
}

/** Whether the open file is at this path, with no link on the way. */
export async function isAt(path: string, { file, stats }: OpenFile): Promise<boolean> {
  const real = HAS_LINKS ? await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined) : undefined;
  if (real !== undefined) return real === path;
  // On other systems no call reports the path of an open file. So the path is checked again: it must have no links and lead to
  // the same file.
  const there = await unlessMissing(stat(path));
  return there?.ino === stats.ino && there.dev === stats.dev && (await unlessMissing(realpath(path))) === path;
}

/** Whether this store can have written the file. */
export function isOwnFile(stats: Stats): boolean {
  return stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid());
}

/** Throws unless the path is a directory, not a link, that no other user can replace. Changes nothing. */
export async function requireOwnDirectory(path: string): Promise<BigIntStats> {
  const stats = await lstat(path, { bigint: true });
  if (stats.isSymbolicLink()) throw unsafeDirectory(path, 'is a symbolic link');
  if (!stats.isDirectory()) throw unsafeDirectory(path, 'is not a directory');
  if (process.getuid === undefined) return stats;
  if (stats.uid !== BigInt(process.getuid())) throw unsafeDirectory(path, 'belongs to another user');
  if ((stats.mode & 0o1000n) !== 0n) throw unsafeDirectory(path, 'is shared with other users');
  return stats;
}

/** Closes the directory to other users. Only for a directory that is known to belong to the store. */
export async function closeToOthers(path: string, { mode }: BigIntStats): Promise<void> {
  if (process.getuid === undefined || (mode & 0o077n) === 0n) return;
  // `chmod` would follow a link that has replaced the directory in the meantime.
  await withFile({ path, flags: DIRECTORY | NO_FOLLOW }, (directory) => directory.chmod(0o700));
}

/** A folder that cannot be deleted is harmless, so no call fails because of it. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}

/** From here on, its names survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory as a file.
  if (process.platform === 'win32') return;
  // Some network file systems cannot sync a directory.
  await withFile({ path, flags: DIRECTORY }, (directory) => directory.sync().catch(undefinedFor('EINVAL')));
}

/** Another object is in place of a file of the store, or the path to it was changed. The object was neither read nor written. */
export function unsafeFile(path: string, failure?: { cause: unknown }): AiTruncateError {
  const message = `\`${path}\` is not a file that this store wrote: check where it comes from, and delete it.`;
  return new AiTruncateError(message, { code: 'UNSAFE_FILE', ...failure });
}

/** Other users can read, change or replace the directory, or it holds other files. Nothing was written to it. */
export function unsafeDirectory(
  path: string,
  problem: string,
  advice = "set `directory` to one that only this process's user can write.",
): AiTruncateError {
  return new AiTruncateError(`\`${path}\` ${problem}: ${advice}`, { code: 'UNSAFE_DIRECTORY' });
}

/** The most files that a store writes at once. Without a limit, 10,000 parallel puts would need 10,000 descriptors. */
export const MAX_WRITES = 32;
/** The most files that a store reads at once. */
export const MAX_READS = 32;

/**
 * A number of turns. Every other turn goes to the latest caller instead of the first, so that a burst of new puts does not
 * starve a side-car. An artifact without its side-car is lost when the time for saving is over.
 */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  #isLatestNext = false;

  constructor(turns: number) {
    this.#free = turns;
  }

  get isContended(): boolean {
    return this.#waiting.length > 0;
  }

  async enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(begin);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  leave(): void {
    const begin = this.#isLatestNext ? this.#waiting.pop() : this.#waiting.shift();
    this.#isLatestNext = !this.#isLatestNext;
    if (begin) begin();
    else this.#free++;
  }
}
