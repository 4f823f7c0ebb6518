import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, link, lstat, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { settledWithin } from '../../deadlines.ts';
import { AiTruncateError } from '../../errors.ts';
import { KeyExistsError, type StoreBody } from '../artifact-store.ts';
import { chunkPoolOf } from '../shared/chunk-pool.ts';
import { Source } from '../shared/upload.ts';
import { liveTemporaries, type TemporaryFile } from './folders.ts';
import {
  type Gate,
  hasCode,
  NO_FOLLOW,
  openFile,
  removeIfEmpty,
  syncDirectory,
  unlessMissing,
  unsafeFile,
} from './open-files.ts';

/** How long a put keeps its descriptor and its turn while its source is idle. */
const PATIENCE_MS = 50;
const PATIENCE_WHILE_OTHERS_WAIT_MS = 5;
/** The time of a file is the time of its last write. If that is longer ago than this, publishing sets it. */
const STALE_AFTER_MS = 5000;
const APPEND = constants.O_WRONLY | constants.O_APPEND | NO_FOLLOW;

/** An unfinished value: a temporary file next to its final name, and a turn at the gate. */
export class Draft {
  readonly #gate: Gate;
  readonly #create: () => Promise<TemporaryFile>;
  #file: FileHandle | undefined;
  #path: string | undefined;
  #publishedPath: string | undefined;
  #parked: BigIntStats | undefined;
  #bytes = 0;
  #writtenAtMs = 0;
  #hasTurn = true;

  constructor(gate: Gate, create: () => Promise<TemporaryFile>) {
    this.#gate = gate;
    this.#create = create;
  }

  /** Writes the whole body. The body is always closed. */
  async receive(body: StoreBody, signal: AbortSignal | undefined): Promise<void> {
    const source = new Source(body);
    const pool = chunkPoolOf(body);
    try {
      let next = source.next();
      while (true) {
        const chunk = await this.#untilReady(next, signal);
        if (!chunk) return;
        // The source produces its next chunk while this chunk is written.
        const writing = this.#write(chunk);
        next = source.next();
        next.catch(() => {});
        await writing;
        pool?.giveBack(chunk);
      }
    } finally {
      source.close();
    }
  }

  /** Waits for the source. While the source is idle, others use the turn and the descriptor, because tools stream for minutes. */
  async #untilReady<T>(next: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const patienceMs = this.#gate.isContended ? PATIENCE_WHILE_OTHERS_WAIT_MS : PATIENCE_MS;
    const arrival = next.then(() => true);
    if (await settledWithin(patienceMs, arrival)) return next;
    if (this.#file) {
      this.#parked = await this.#file.stat({ bigint: true });
      await this.#file.close();
      this.#file = undefined;
    }
    this.#leave();
    const result = await next;
    await this.#gate.enter(signal);
    this.#hasTurn = true;
    return result;
  }

  async #write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.length;
    const file = this.#file ?? (await this.#open());
    // Unlike `write`, it continues after a short write, and so notices a full disk.
    await file.writeFile(chunk);
    this.#writtenAtMs = Date.now();
  }

  async #open(): Promise<FileHandle> {
    const path = this.#path;
    if (path === undefined) {
      const made = await this.#create();
      this.#path = made.path;
      this.#writtenAtMs = Date.now();
      this.#file = made.file;
    } else {
      this.#file = await openFile(path, APPEND).catch((error: unknown) => {
        throw hasCode(error, 'ENOENT') ? lostTemporary(path, error) : error;
      });
      const { dev, ino } = await this.#file.stat({ bigint: true });
      if (dev !== this.#parked?.dev || ino !== this.#parked.ino) throw unsafeFile(path);
    }
    return this.#file;
  }

  /** Gives the value its name. From here on, readers see it. When this resolves, the value survives a power cut. */
  async publish(key: string): Promise<void> {
    const file = this.#file ?? (await this.#open());
    const now = new Date();
    // A source that was idle before its end would make a new value look old enough to be swept. The difference is negative if
    // the clock was set back.
    if (Math.abs(now.getTime() - this.#writtenAtMs) > STALE_AFTER_MS) await file.utimes(now, now);
    const [{ size }] = await together(file.stat(), file.sync());
    if (size !== this.#bytes) {
      const message = `The file system stored ${size} of ${this.#bytes} bytes. Check whether another program writes to the same place.`;
      throw new AiTruncateError(message, { code: 'INCOMPLETE_WRITE' });
    }
    const path = this.#path ?? '';
    const folder = dirname(path);
    const finalPath = join(folder, basename(key));
    const publishing = publish(path, { finalPath, key }).then(() => {
      this.#publishedPath = finalPath;
    });
    await together(publishing, file.close());
    await together(unlessMissing(unlink(path)), syncDirectory(folder));
  }

  /** Removes the unfinished value. Failures here are ignored, because the reason of the put says more. */
  async discard(): Promise<void> {
    await this.#file?.close().catch(() => {});
    for (const path of [this.#path, this.#publishedPath]) {
      if (path !== undefined) await unlink(path).catch(() => {});
    }
    if (this.#path !== undefined) await removeIfEmpty(dirname(this.#path));
  }

  /** Called when the put has settled. */
  end(): void {
    if (this.#path !== undefined) liveTemporaries.delete(basename(this.#path));
    this.#leave();
  }

  /** Returns the turn, unless it is already lent. */
  #leave(): void {
    if (this.#hasTurn) this.#gate.leave();
    this.#hasTurn = false;
  }
}

/** Awaits two independent steps at once. Both end before a failure is thrown, so that neither step uses a closed file. */
async function together<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** Final names that any store of this process is giving to files without hard links. */
const publishing = new Set<string>();

/**
 * Gives the temporary file its final name, unless the name is taken. A hard link does both in one step. Without hard links, two
 * puts of one process still exclude each other.
 */
async function publish(path: string, { finalPath, key }: { finalPath: string; key: string }): Promise<void> {
  try {
    await link(path, finalPath);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new KeyExistsError(key, { cause: error });
    if (hasCode(error, 'ENOENT')) throw lostTemporary(path, error);
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw error;
    if (publishing.has(finalPath)) throw new KeyExistsError(key, { cause: error });
    publishing.add(finalPath);
    try {
      if (await unlessMissing(lstat(finalPath))) throw new KeyExistsError(key, { cause: error });
      await rename(path, finalPath);
    } finally {
      publishing.delete(finalPath);
    }
  }
}

/** Another program removed the temporary file of a value. Nothing is stored under its key. */
function lostTemporary(path: string, cause: unknown): AiTruncateError {
  return new AiTruncateError(
    `\`${path}\` was removed before its value was complete. Check which other program deletes files there, and save the value again.`,
    { code: 'INCOMPLETE_WRITE', cause },
  );
}
