import { randomUUID } from 'node:crypto';
import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, lstat, unlink } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { type ArtifactStore, requireKey, requirePrefix, type StoredEntry } from './artifact-store.ts';
import {
  checkRoot,
  makeFolder,
  makeRoot,
  removeIfEmpty,
  requireOwnDirectory,
  toDirectory,
} from './filesystem-directory.ts';
import { Draft } from './filesystem-draft.ts';
import { Gate } from './filesystem-gate.ts';
import { namesAscending } from './filesystem-names.ts';
import { hasCode, NO_FOLLOW, openFile, unlessMissing } from './filesystem-open.ts';
import { isOwnFile, type OpenFile, openOwnFile, toStream } from './filesystem-value.ts';

export interface FilesystemStoreOptions {
  /**
   * Where the values lie, made when the first one is written. Nothing else belongs into it: it is closed to other users, git
   * ignores it, and what stays behind in it is swept. @default 'tool-output' under the working directory
   */
  directory?: string;
}

/** The most files that are written at once: 10,000 parallel puts would otherwise need 10,000 descriptors. */
const MAX_WRITES = 32;
const MAX_READS = 32;
const MAX_KNOWN_FOLDERS = 10_000;
const MAX_FOLDER_ATTEMPTS = 10;
const ABANDONED_AFTER_MS = 3_600_000;
const MAX_SWEPT_AT_ONCE = 1000;
const TEMPORARY_NAME = /^\.tmp-[0-9a-f-]{36}$/;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;

/**
 * A store in a directory: the value under `<folder>/<name>` is the file of that path. For a server with a disk, a command line
 * tool or development; instances that share no disk do not see each other's values.
 *
 * A `put` that resolved survives a crash and a power cut. Files are 0600, folders 0700, links are never followed. A process that
 * was killed leaves `.tmp-…` files and empty folders: whoever lists all values, as the retention sweep does, removes those that
 * nobody wrote to for an hour. Where the file system has no hard links, of two processes that put the same key at the same moment
 * the later one wins.
 *
 * @example
 * const store = filesystemStore({ directory: '.data/tool-output' });
 */
export function filesystemStore(options: FilesystemStoreOptions = {}): ArtifactStore {
  const directory = toDirectory(options);
  const writes = new Gate(MAX_WRITES);
  const reads = new Gate(MAX_READS);
  /** Real paths of folders that are made, checked and durable; the root is `''`. Parallel puts share the work. */
  const folders = new Map<string, Promise<string>>();
  let root: string | undefined;

  function preparedFolder(name: string): Promise<string> {
    const known = folders.get(name);
    if (known) return known;
    if (folders.size >= MAX_KNOWN_FOLDERS) folders.clear();
    const preparing = name === '' ? makeRoot(directory) : preparedFolder('').then((path) => makeFolder(path, name));
    folders.set(name, preparing);
    preparing.catch(() => folders.delete(name));
    return preparing;
  }

  /** The real path of the root, which a reader does not make. */
  async function existingRoot(): Promise<string | undefined> {
    root ??= await unlessMissing(checkRoot(directory));
    return root;
  }

  async function createTemporary(folderName: string): Promise<{ path: string; file: FileHandle }> {
    for (let attempt = 1; ; attempt++) {
      try {
        const path = join(await preparedFolder(folderName), `.tmp-${randomUUID()}`);
        return { path, file: await openFile(path, CREATE) };
      } catch (error) {
        // Someone deleted the last value of the folder, and the folder with it.
        if (!hasCode(error, 'ENOENT') || attempt === MAX_FOLDER_ATTEMPTS) throw error;
        folders.clear();
      }
    }
  }

  /** Opens the value under the key and hands it on; a turn is held until that is done. */
  async function withValue<T>(
    { key, signal }: { key: string; signal: AbortSignal | undefined },
    use: (value: OpenFile) => Promise<T>,
  ): Promise<T | undefined> {
    requireKey(key);
    await reads.enter(signal);
    try {
      const existing = await existingRoot();
      const value = existing === undefined ? undefined : await openOwnFile(join(existing, ...key.split('/')));
      return value && (await use(value));
    } finally {
      reads.leave();
    }
  }

  /** Also collects the names of temporary files that it meets. */
  async function* valuesOf(path: string, temporaryNames: string[] = []): AsyncGenerator<StoredEntry> {
    const folder = basename(path);
    function toName(entry: Dirent): string | undefined {
      if (!entry.isFile()) return undefined;
      if (isKey(`${folder}/${entry.name}`)) return entry.name;
      const isTemporary = TEMPORARY_NAME.test(entry.name);
      if (isTemporary && temporaryNames.length < MAX_SWEPT_AT_ONCE) temporaryNames.push(entry.name);
      return undefined;
    }
    for await (const page of namesAscending(path, toName)) {
      for (let from = 0; from < page.length; from += MAX_READS) {
        const names = page.slice(from, from + MAX_READS);
        const found = await Promise.all(names.map((name) => unlessMissing(lstat(join(path, name)))));
        for (const [index, stats] of found.entries()) {
          if (stats && isOwnFile(stats)) yield toEntry(`${folder}/${names[index]}`, stats);
        }
      }
    }
  }

  return {
    async put(key, body, { signal }) {
      requireKey(key);
      await writes.enter(signal);
      const draft = new Draft(writes, () => createTemporary(folderOf(key)));
      try {
        await draft.receive(body, signal);
        signal?.throwIfAborted();
        await draft.publish(key);
      } catch (error) {
        await draft.discard();
        throw error;
      } finally {
        draft.leave();
      }
    },
    get(key, { start = 0, end = Number.POSITIVE_INFINITY, signal } = {}) {
      return withValue({ key, signal }, ({ file, stats }) =>
        toStream(file, { start, end: Math.min(end, stats.size), signal }),
      );
    },
    head(key, { signal } = {}) {
      return withValue({ key, signal }, async ({ file, stats }) => {
        await file.close();
        return toEntry(key, stats);
      });
    },
    async *list(prefix) {
      requirePrefix(prefix);
      const existing = await existingRoot();
      if (!existing) return;
      if (prefix !== '') {
        const path = join(existing, prefix.slice(0, -1));
        if (await unlessMissing(requireOwnDirectory(path))) yield* valuesOf(path);
        return;
      }
      for await (const page of namesAscending(existing, toFolderPrefix)) {
        for (const name of page) {
          const path = join(existing, name.slice(0, -1));
          const temporaryNames: string[] = [];
          yield* valuesOf(path, temporaryNames);
          await sweep(path, temporaryNames);
        }
      }
    },
    async delete(keys) {
      for (const key of keys) requireKey(key);
      const existing = await existingRoot();
      if (!existing) return;
      for (const folder of new Set(keys.map(folderOf))) {
        const path = join(existing, folder);
        if (!(await unlessMissing(requireOwnDirectory(path)))) continue;
        const names = keys.filter((key) => folderOf(key) === folder).map((key) => key.slice(folder.length + 1));
        for (const name of names) await unlessMissing(unlink(join(path, name)));
        // Chats come and go, and the folder of each would stay for ever.
        await removeIfEmpty(path);
      }
    },
    locate(key) {
      requireKey(key);
      return relative(process.cwd(), join(directory, key)).replaceAll(sep, '/');
    },
  };
}

/** With its slash: `a-b/` stands before `a/`, as the keys in them do. */
function toFolderPrefix(entry: Dirent): string | undefined {
  return entry.isDirectory() && isKey(`${entry.name}/a`) ? `${entry.name}/` : undefined;
}

function isKey(key: string): boolean {
  if (key.includes('/.')) return false;
  try {
    requireKey(key);
    return true;
  } catch {
    return false;
  }
}

/** Removes what killed processes left in a folder: only files of ours that nobody has written to for long. */
async function sweep(folder: string, temporaryNames: readonly string[]): Promise<void> {
  for (const name of temporaryNames) {
    const path = join(folder, name);
    const stats = await unlessMissing(lstat(path));
    const isAbandoned = stats && isOwnFile(stats) && stats.mtimeMs < Date.now() - ABANDONED_AFTER_MS;
    // Who lists may be unable to delete, on a read-only disk for instance, and still gets the list.
    if (isAbandoned) await unlink(path).catch(() => {});
  }
  await removeIfEmpty(folder);
}

function folderOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

function toEntry(key: string, { size, mtime }: Stats): StoredEntry {
  return { key, bytes: size, writtenAt: mtime };
}
