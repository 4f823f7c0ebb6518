import type { Stats } from 'node:fs';
import { type FileHandle, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AiTruncateError } from '../../errors.ts';
import { type ArtifactStore, type CallOptions, type CheckedVerbs, checkedStore, streamOf } from '../artifact-store.ts';
import { Draft } from './draft.ts';
import { Folders } from './folders.ts';
import { hiddenPaths, withChangedErrors } from './hidden-paths.ts';
import { listValues, toEntry } from './listing.ts';
import {
  Gate,
  MAX_READS,
  MAX_WRITES,
  type OpenFile,
  openOwnFile,
  removeIfEmpty,
  requireOwnDirectory,
  unlessMissing,
} from './open-files.ts';
import { checkRoot, toPlace, toShownPath } from './root.ts';
import { claimSweep } from './sweep.ts';

export interface FilesystemStoreOptions {
  /**
   * The directory of the values, made with the first value. Keep other files out of it: it is closed to other users, git
   * ignores it, and abandoned files in it are swept. An existing directory must be empty or belong to a store, which the line
   * `*` in its `.gitignore` shows. @default 'tool-output' under the working directory
   */
  directory?: string | undefined;
  /**
   * Shows absolute paths of this machine: the path of an artifact in a directory outside the working directory, and the paths in
   * errors. Use it for command lines whose other tools open these paths. Do not use it on a server, because the paths appear in the
   * model's messages, the UI and the logs. @default false
   */
  showAbsolutePaths?: boolean | undefined;
}

/** How much is read before the stream is returned. Most reads need no more. */
const READY_BYTES = 256 * 1024;
/** How much a longer read takes each time it opens the file. */
const PIECE_BYTES = 1024 * 1024;

/**
 * A store in a directory. The value of `<folder>/<name>` is the file with that path. Use it on a server with a disk, in a
 * command line tool or in development. Instances that do not share a disk do not see each other's values.
 *
 * A `put` that has resolved survives a crash and a power cut. Files have mode 0600 and folders 0700, and links are never
 * followed. A killed process leaves `.tmp-…` files. Listing all values, as the retention sweep does, removes such files after
 * 24 hours without a write, and folders that become empty by this. If the file system has no hard links and two processes put
 * the same key at the same moment, the later put wins.
 *
 * Paths from `locate` are relative to the working directory at the time the store is made. A store outside the working directory
 * has no such paths unless `showAbsolutePaths` is set.
 *
 * @example
 * const store = filesystemStore({ directory: '.data/tool-output' });
 */
export function filesystemStore(options: FilesystemStoreOptions = {}): ArtifactStore {
  const place = toPlace(options);
  const folders = new Folders(place);
  const writes = new Gate(MAX_WRITES);
  const reads = new Gate(MAX_READS);
  let knownRoot: string | undefined;

  /** Opens the value for as long as it is used. The call holds a turn until then. */
  async function withValue<T>(
    { key, signal }: CallOptions & { key: string },
    use: (value: OpenFile) => Promise<T>,
  ): Promise<T | undefined> {
    await reads.enter(signal);
    let value: OpenFile | undefined;
    try {
      // Only once, because the place of a file is checked after it was opened.
      knownRoot ??= await unlessMissing(checkRoot(place));
      if (knownRoot === undefined) return undefined;
      value = await openOwnFile(join(knownRoot, ...key.split('/')));
      const result = value && (await use(value));
      signal?.throwIfAborted();
      return result;
    } finally {
      await value?.file.close();
      reads.leave();
    }
  }

  const changeError = place.showAbsolutePaths ? (error: unknown) => error : hiddenPaths(place);
  const verbs: CheckedVerbs = {
    async put(key, body, { signal }) {
      await writes.enter(signal);
      const draft = new Draft(writes, () => folders.createTemporary(dirname(key)));
      try {
        await draft.receive(body, signal);
        signal?.throwIfAborted();
        await draft.publish(key);
      } catch (error) {
        await draft.discard();
        throw error;
      } finally {
        draft.end();
      }
    },
    get(key, { start, end, signal }) {
      return withValue({ key, signal }, (value) =>
        toReadStream(value, {
          start,
          end: Math.min(end, value.stats.size),
          reopen: (use) =>
            withValue({ key, signal }, use).catch((error: unknown) => {
              throw changeError(error);
            }),
        }),
      );
    },
    head(key, { signal }) {
      return withValue({ key, signal }, async ({ stats }) => toEntry(key, stats));
    },
    async *list(prefix, { after, signal }) {
      signal?.throwIfAborted();
      const root = await unlessMissing(checkRoot(place));
      if (root !== undefined) yield* listValues(root, { prefix, after, signal });
    },
    async delete(keys, { signal }) {
      const root = await unlessMissing(checkRoot(place));
      if (root === undefined) return;
      const failures: unknown[] = [];
      const changedFolders = new Set<string>();
      try {
        for (const key of keys) {
          signal?.throwIfAborted();
          await unlessMissing(deleteValue(join(root, key), changedFolders)).catch((error) => failures.push(error));
        }
      } finally {
        // Chats come and go, and their folders would stay forever. A folder that was empty before may belong to somebody else.
        for (const folder of changedFolders) await removeIfEmpty(folder);
      }
      if (failures.length > 0) throw failures[0];
    },
    locate: (key) => toShownPath(place, key),
    async claimSweep(everyMs) {
      const root = await unlessMissing(checkRoot(place));
      return root !== undefined && claimSweep(root, everyMs);
    },
  };
  return checkedStore(withChangedErrors(verbs, changeError));
}

async function deleteValue(path: string, changedFolders: Set<string>): Promise<void> {
  const folder = dirname(path);
  if (!changedFolders.has(folder)) await requireOwnDirectory(folder);
  await unlink(path);
  changedFolders.add(folder);
}

interface ReadStreamOptions {
  start: number;
  end: number;
  /**
   * Opens the value again for as long as it is used. Fails when the signal of the read aborts; `undefined` if the value is
   * gone.
   */
  reopen: <T>(use: (value: OpenFile) => Promise<T>) => Promise<T | undefined>;
}

/**
 * The bytes of the range. A stream holds no descriptor between reads: a thousand idle streams would leave none for other code, and a
 * forgotten stream would hold its descriptor forever.
 */
async function toReadStream(
  { file, stats }: OpenFile,
  { start, end, reopen }: ReadStreamOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  let position = Math.max(0, start);
  const length = Math.max(0, end - position);
  if (length <= READY_BYTES) return streamOf(length > 0 ? [await readAll(file, { position, length })] : []);

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

/** Compares the time too, because the number of a deleted file is used again. */
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
  const message = `A stored value ${what} while it was read, so the bytes that were read are incomplete.`;
  return new AiTruncateError(message, { code: 'INCOMPLETE_READ' });
}
