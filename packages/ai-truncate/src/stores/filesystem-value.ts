import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, readlink, realpath, stat } from 'node:fs/promises';
import { AiTruncateError } from '../errors.ts';
import { hasCode, NO_FOLLOW, openFile, unlessMissing } from './filesystem-open.ts';
import { unsafeFile } from './filesystem-unsafe.ts';

// Without O_NONBLOCK a planted named pipe would keep a thread for ever.
const READ = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);
/** What is read at once, so that a reader who forgets the stream holds no descriptor; also the step of larger reads. */
const READ_BYTES = 256 * 1024;

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
async function isAt(path: string, { file, stats }: OpenFile): Promise<boolean> {
  const real =
    process.platform === 'linux' ? await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined) : undefined;
  if (real !== undefined) return real === path;
  // Elsewhere no call tells where an open file lies. The path is looked at again: without links, and the same file.
  const there = await unlessMissing(stat(path));
  return there?.ino === stats.ino && there.dev === stats.dev && (await unlessMissing(realpath(path))) === path;
}

/** Whether it is a file that this store can have written. */
export function isOwnFile(stats: Stats): boolean {
  return stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid());
}

interface ByteRange {
  start: number;
  end: number;
  signal: AbortSignal | undefined;
}

/** The bytes of the range. The stream closes the file, or it is closed already. */
export async function toStream(file: FileHandle, range: ByteRange): Promise<ReadableStream<Uint8Array>> {
  const start = Math.max(0, range.start);
  const length = Math.max(0, range.end - start);
  if (length > READ_BYTES) return toLargeStream(file, { ...range, start });
  try {
    const bytes = await readAll(file, { position: start, length });
    return new ReadableStream({
      start(controller) {
        if (bytes.length > 0) controller.enqueue(bytes);
        controller.close();
      },
    });
  } finally {
    await file.close();
  }
}

function toLargeStream(file: FileHandle, { start, end, signal }: ByteRange): ReadableStream<Uint8Array> {
  let position = start;
  let abort: () => void = () => {};
  async function release(): Promise<void> {
    signal?.removeEventListener('abort', abort);
    await file.close();
  }
  return new ReadableStream(
    {
      start(controller) {
        abort = () => {
          controller.error(signal?.reason);
          release().catch(() => {});
        };
        signal?.addEventListener('abort', abort, { once: true });
        if (signal?.aborted) abort();
      },
      async pull(controller) {
        try {
          const bytes = await readAll(file, { position, length: Math.min(READ_BYTES, end - position) });
          position += bytes.length;
          controller.enqueue(bytes);
        } catch (error) {
          await release();
          throw error;
        }
        if (position < end) return;
        controller.close();
        await release();
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}

async function readAll(
  file: FileHandle,
  { position, length }: { position: number; length: number },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) {
      const message = 'A stored value lost its end while it was read: something else writes to its file.';
      throw new AiTruncateError(message, { code: 'INCOMPLETE_READ' });
    }
    filled += bytesRead;
  }
  return bytes;
}
