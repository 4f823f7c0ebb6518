import { constants, type Dir } from 'node:fs';
import { type FileHandle, open, opendir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = [20, 40, 80, 160, 200];

/** For every open: a link in place of the file is refused. Windows has no such flag. */
export const NO_FOLLOW: number = constants.O_NOFOLLOW ?? 0;

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

/** The result, or `undefined` where the call found nothing. */
export async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Whether the system gave the call one of these error codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
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
