import { lstat, opendir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { AiTruncateError } from 'ai-truncate';
import type { ArtifactStore } from 'ai-truncate/store';
import { services } from '../agent/server-log';
import { dataDirectory } from './data-directory';
import { environment } from './environment';
import { oncePerProcess } from './once-per-process';

/** Limits how much disk space the files of this demo take together, so that visitors cannot fill the disk of the server. */
export interface DiskRoom {
  /** Counts bytes before they are written. Rejects with a `DiskFullError` when they do not fit with `keepFree` bytes to spare. */
  take(bytes: number, options?: { keepFree?: number }): Promise<void>;
}

export interface DiskRoomOptions {
  directories: readonly string[];
  maxBytes: number;
  /** A clock in milliseconds that never goes back. @default performance.now */
  now?: () => number;
}

/** For outputs, which expire, and chats, which do not. The shared logs have room of their own. */
const MAX_BYTES = 2_500_000_000;
/** Reserved for chats, so that they continue when there is no room for outputs. */
export const CHAT_ROOM_BYTES = 500_000_000;
/** How often the files are measured again while the disk is full, because some may have been deleted. */
const MEASURE_EVERY_MS = 60_000;

/** The room of this process. Files of other processes in the same directories count from the next measurement on. */
export function diskRoom(): DiskRoom {
  return oncePerProcess('disk-room', () => {
    const { toolOutput, logBytes } = environment();
    const directories = [dataDirectory(), ...(toolOutput.directory ? [toolOutput.directory] : [])];
    return createDiskRoom({ directories, maxBytes: MAX_BYTES + services.length * logBytes });
  });
}

/**
 * Measures the directories before the first write, and adds up all later writes. When the sum reaches the limit it measures again,
 * because files may have been deleted since.
 */
export function createDiskRoom({ directories, maxBytes, now = () => performance.now() }: DiskRoomOptions): DiskRoom {
  const outerDirectories = outermost(directories);
  let taken = 0;
  let measuredAtMs = Number.NEGATIVE_INFINITY;
  let measuring: Promise<void> | undefined;

  async function measure(): Promise<void> {
    const before = taken;
    const bytes = await bytesIn(outerDirectories);
    // Bytes that were written during the measurement may be counted twice, but are never missed.
    taken = bytes + (taken - before);
    measuredAtMs = now();
  }

  function measureOnce(): Promise<void> {
    measuring ??= measure().finally(() => {
      measuring = undefined;
    });
    return measuring;
  }

  return {
    async take(bytes, { keepFree = 0 } = {}) {
      const isOver = () => taken + bytes + keepFree > maxBytes;
      if (measuredAtMs === Number.NEGATIVE_INFINITY) await measureOnce();
      if (isOver() && now() - measuredAtMs >= MEASURE_EVERY_MS) {
        await measureOnce();
        if (isOver())
          console.error(`This demo has saved ${taken} bytes. Nothing more is saved until some are deleted.`);
      }
      if (isOver()) throw new DiskFullError();
      taken += bytes;
    },
  };
}

export interface StoreWithinRoomOptions {
  room: DiskRoom;
  /** Called after a value had no room. */
  onFull?: () => void;
}

/** The same store, but `put` rejects with a `DiskFullError` when there is no room for the value. */
export function storeWithinRoom(store: ArtifactStore, { room, onFull }: StoreWithinRoomOptions): ArtifactStore {
  return {
    ...store,
    async put(key, body, options) {
      async function* counted() {
        for await (const chunk of body) {
          await room.take(chunk.length, { keepFree: CHAT_ROOM_BYTES });
          yield chunk;
        }
      }
      try {
        await store.put(key, counted(), options);
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        onFull?.();
        throw new DiskFullError({ cause: error });
      }
    },
  };
}

/** There is no room, by our count or by the disk's own. The library does not count `STORE_FULL` as a failing store, so it keeps asking. */
export class DiskFullError extends AiTruncateError {
  constructor(options: { cause?: unknown } = {}) {
    super('The disk of this server is full. Nothing more is saved until older outputs or chats are deleted.', {
      code: 'STORE_FULL',
      ...options,
    });
    this.name = 'DiskFullError';
  }
}

/** Whether an error means that there is no room, by our count, on the disk, or in the quota of the user. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FULL_CODES.includes(String(error.code));
}

const FULL_CODES = ['STORE_FULL', 'ENOSPC', 'EDQUOT'];

/** Without directories inside another one, whose files would count twice. */
function outermost(directories: readonly string[]): string[] {
  const paths = [...new Set(directories.map((directory) => resolve(/* turbopackIgnore: true */ directory)))];
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}${sep}`)));
}

async function bytesIn(directories: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const directory of directories) {
    try {
      for await (const entry of await opendir(/* turbopackIgnore: true */ directory)) {
        const path = join(/* turbopackIgnore: true */ directory, entry.name);
        // Blocks, because a side-car of 300 bytes takes 4 KB.
        if (entry.isDirectory()) bytes += await bytesIn([path]);
        else bytes += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * 512;
      }
    } catch (error) {
      // Not made yet, or deleted meanwhile. A folder of another user, such as `lost+found` on a volume, cannot be ours.
      if (!['ENOENT', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    }
  }
  return bytes;
}
