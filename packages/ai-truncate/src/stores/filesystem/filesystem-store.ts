import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArtifactStore, requireKey, requirePrefix } from '../artifact-store.ts';
import { removeIfEmpty, requireOwnDirectory } from './directory.ts';
import { Draft } from './draft.ts';
import { Folders } from './folders.ts';
import { Gate } from './gate.ts';
import { listAll, listFolder, toEntry } from './listing.ts';
import { unlessMissing } from './open.ts';
import { toPlace, toShownPath } from './place.ts';
import { toReadStream } from './read-stream.ts';
import { checkRoot } from './root.ts';
import { claimSweep } from './sweep.ts';
import { type OpenFile, openOwnFile } from './value.ts';

export interface FilesystemStoreOptions {
  /**
   * Where the values lie, made when the first one is written. Nothing else belongs into it: it is closed to other users, git
   * ignores it, and what stays behind in it is swept. One that is there already has to be empty or a store's, which the line
   * `*` in its `.gitignore` tells. @default 'tool-output' under the working directory
   */
  directory?: string;
}

/** The most files that are written at once: 10,000 parallel puts would otherwise need 10,000 descriptors. */
const MAX_WRITES = 32;
const MAX_READS = 32;

/**
 * A store in a directory: the value under `<folder>/<name>` is the file of that path. For a server with a disk, a command line
 * tool or development; instances that share no disk do not see each other's values.
 *
 * A `put` that resolved survives a crash and a power cut. Files are 0600, folders 0700, links are never followed. A process that
 * was killed leaves `.tmp-…` files: whoever lists all values, as the retention sweep does, removes those that nobody wrote to for
 * 24 hours, and each folder that this leaves empty; nothing else. Where the file system has no hard links, of two processes that
 * put the same key at the same moment the later one wins.
 *
 * Paths that `locate` gives are relative to the working directory of the moment in which the store is made, and absolute for a
 * store outside of it.
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

  /** Opens the value under the key for as long as it is used; a turn is held until then. */
  async function withValue<T>(
    { key, signal }: { key: string; signal: AbortSignal | undefined },
    use: (value: OpenFile) => Promise<T>,
  ): Promise<T | undefined> {
    requireKey(key);
    await reads.enter(signal);
    let value: OpenFile | undefined;
    try {
      // Once only: where the file lies is checked after it was opened.
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

  return {
    async put(key, body, { signal }) {
      requireKey(key);
      await writes.enter(signal);
      const draft = new Draft(writes, () => folders.createTemporary(folderOf(key)));
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
    get(key, { start = 0, end = Number.POSITIVE_INFINITY, signal } = {}) {
      const wanted = { key, signal };
      return withValue(wanted, (value) =>
        toReadStream(value, {
          start,
          end: Math.min(end, value.stats.size),
          reopen: (use) => withValue(wanted, use),
        }),
      );
    },
    head(key, { signal } = {}) {
      return withValue({ key, signal }, async ({ stats }) => toEntry(key, stats));
    },
    async *list(prefix, { after = '', signal } = {}) {
      requirePrefix(prefix);
      signal?.throwIfAborted();
      const root = await unlessMissing(checkRoot(place));
      if (root === undefined) return;
      yield* prefix === '' ? listAll(root, { after, signal }) : listFolder(root, { prefix, after, signal });
    },
    async delete(keys, { signal } = {}) {
      for (const key of keys) requireKey(key);
      signal?.throwIfAborted();
      const root = await unlessMissing(checkRoot(place));
      if (root === undefined) return;
      const failures: unknown[] = [];
      for (const folder of new Set(keys.map(folderOf))) {
        const names = keys.filter((key) => folderOf(key) === folder).map((key) => key.slice(folder.length + 1));
        failures.push(...(await deleteFrom(join(root, folder), { names, signal })));
      }
      if (failures.length > 0) throw failures[0];
    },
    locate(key) {
      requireKey(key);
      return toShownPath(place, key);
    },
    async claimSweep(everyMs) {
      const root = await unlessMissing(checkRoot(place));
      return root !== undefined && claimSweep(root, everyMs);
    },
  };
}

/** Gives what failed, and throws only when the signal aborts. */
async function deleteFrom(
  folder: string,
  { names, signal }: { names: readonly string[]; signal: AbortSignal | undefined },
): Promise<unknown[]> {
  const failures: unknown[] = [];
  let deleted = 0;
  async function attempt(action: () => Promise<unknown>): Promise<boolean> {
    signal?.throwIfAborted();
    return unlessMissing(action()).then(
      (result) => result !== undefined,
      (error: unknown) => {
        failures.push(error);
        return false;
      },
    );
  }
  try {
    if (!(await attempt(() => requireOwnDirectory(folder)))) return failures;
    for (const name of names) if (await attempt(() => unlink(join(folder, name)).then(() => true))) deleted++;
  } finally {
    // Chats come and go, and the folder of each would stay for ever. One that was empty before may be somebody's.
    if (deleted > 0) await removeIfEmpty(folder);
  }
  return failures;
}

function folderOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}
