import { type BigIntStats, constants, type Dir, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir, readlink, realpath, rmdir, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AiTruncateError } from '../../errors.ts';
import { undefinedIf } from '../artifact-store.ts';

const RETRY_MS = [20, 40, 80, 160, 200];

/** For every open: a link in place of the file is refused. Windows has no such flag. */
export const NO_FOLLOW: number = constants.O_NOFOLLOW ?? 0;
// Without O_NONBLOCK a planted named pipe would keep a thread for ever.
const READ = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY;

/** Linux links each descriptor to its path. Before 2.8, Deno counts `fd` otherwise, so that the link is that of another file. */
const HAS_LINKS = process.platform === 'linux' && !('Deno' in globalThis);

/** Opens a file of the store; one that is made is closed to other users. */
export function openFile(path: string, flags: number): Promise<FileHandle> {
  return whenDescriptorsAreFree(() => open(path, flags, 0o600));
}

/** Opens a directory to walk through its names. */
export function openDirectory(path: string): Promise<Dir> {
  return whenDescriptorsAreFree(() => opendir(path, { bufferSize: 1024 }));
}

/** Tries again while the process has no descriptor free: others give theirs back. */
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

/** The result, or `undefined` where the call found nothing. */
export function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  return result.catch(undefinedFor('ENOENT'));
}

/** For `catch`: an error with one of these codes counts as the answer `undefined`. */
export function undefinedFor(...codes: string[]): (error: unknown) => undefined {
  return undefinedIf((error) => hasCode(error, ...codes));
}

/** Whether an error has one of these codes, of the system or ours. */
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
    // Deleted since it was opened.
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
  await withFile({ path, flags: DIRECTORY | NO_FOLLOW }, (directory) => directory.chmod(0o700));
}

/** A folder that cannot be deleted is harmless, so no call fails because of it. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}

/** Names in it survive a power cut from here on. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directory as a file.
  if (process.platform === 'win32') return;
  // Some network file systems have nothing to sync there.
  await withFile({ path, flags: DIRECTORY }, (directory) => directory.sync().catch(undefinedFor('EINVAL')));
}

/** Something lies where a file of the store should, or the way to it was changed. It was neither read nor written. */
export function unsafeFile(path: string, failure?: { cause: unknown }): AiTruncateError {
  const message = `\`${path}\` is not a file that this store wrote: look at what it is, and delete it.`;
  return new AiTruncateError(message, { code: 'UNSAFE_FILE', ...failure });
}

/** A directory that others can read, change or exchange, or that holds other files. Nothing was written to it. */
export function unsafeDirectory(
  path: string,
  problem: string,
  advice = "set `directory` to one that only this process's user can write.",
): AiTruncateError {
  return new AiTruncateError(`\`${path}\` ${problem}: ${advice}`, { code: 'UNSAFE_DIRECTORY' });
}

/** The most files that a store writes at once: 10,000 parallel puts would otherwise need 10,000 descriptors. */
export const MAX_WRITES = 32;
/** The most files that a store reads at once. */
export const MAX_READS = 32;

/**
 * A number of turns. Every other turn goes to the latest caller instead of the first, so that a side-car is not starved by a
 * burst of new puts: an artifact without it is lost when the time for saving is over.
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
