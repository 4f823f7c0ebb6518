import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { AiTruncateError } from '../../errors.ts';
import type { OpenFile } from './value.ts';

/** What is read before the stream is given out: most reads are done with it. */
const READY_BYTES = 256 * 1024;
/** What a larger read takes with each opening of the file. */
const PIECE_BYTES = 1024 * 1024;

interface ReadStreamOptions {
  start: number;
  end: number;
  /** Opens the value once more, for as long as it is used, and fails when the signal of the read aborts; `undefined`: it is gone. */
  reopen: <T>(use: (value: OpenFile) => Promise<T>) => Promise<T | undefined>;
}

/**
 * The bytes of the range. A stream that nobody reads holds no descriptor: a thousand of them would leave none to others, and
 * one that is forgotten would keep its own for ever.
 */
export async function toReadStream(
  { file, stats }: OpenFile,
  { start, end, reopen }: ReadStreamOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  let position = Math.max(0, start);
  const length = Math.max(0, end - position);
  if (length <= READY_BYTES) return streamOf(await readAll(file, { position, length }));

  async function pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
    const piece = await reopen((value) => {
      if (!isSame(value.stats, stats)) throw incompleteRead('was replaced');
      return readAll(value.file, { position, length: Math.min(PIECE_BYTES, end - position) });
    });
    if (!piece) throw incompleteRead('was deleted');
    position += piece.length;
    controller.enqueue(piece);
    if (position >= end) controller.close();
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** Also by its time: the number of a deleted file is given out again. */
function isSame(now: Stats, first: Stats): boolean {
  return now.dev === first.dev && now.ino === first.ino && now.mtimeMs === first.mtimeMs;
}

async function readAll(
  file: FileHandle,
  { position, length }: { position: number; length: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) throw incompleteRead('lost its end');
    filled += bytesRead;
  }
  return bytes;
}

function incompleteRead(what: string): AiTruncateError {
  const message = `A stored value ${what} while it was read: what came of it is not whole.`;
  return new AiTruncateError(message, { code: 'INCOMPLETE_READ' });
}
