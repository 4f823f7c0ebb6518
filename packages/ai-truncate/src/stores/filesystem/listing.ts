import type { Dirent, Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isKey, type ListOptions, type StoredEntry } from '../artifact-store.ts';
import { isTemporaryName } from './folders.ts';
import { isOwnFile, openDirectory, requireOwnDirectory, unlessMissing } from './open-files.ts';
import { sweepTemporaries } from './sweep.ts';

const LOOKED_AT_ONCE = 32;
const MAX_SWEPT_AT_ONCE = 1000;

/**
 * The values of one folder (`'<folder>/'`) or of all folders (`''`). Listing all folders also removes the files that killed
 * processes left in them.
 */
export async function* listValues(
  root: string,
  { prefix, after, signal }: ListOptions & { prefix: string; after: string },
): AsyncGenerator<StoredEntry> {
  const isAll = prefix === '';
  // Without the final slash, which would follow a link.
  if (!isAll && !(await unlessMissing(requireOwnDirectory(join(root, prefix.slice(0, -1)))))) return;
  for await (const folders of isAll ? namesAscending(root, { toName: toFolder, signal }) : [[prefix]]) {
    for (const folder of folders) {
      signal?.throwIfAborted();
      const above = firstNamesAbove(folder, after);
      if (above === undefined) continue;
      const temporaryNames: string[] = [];
      yield* valuesOf(root, { folder, above, signal, temporaryNames });
      if (isAll) await sweepTemporaries(join(root, folder), temporaryNames);
    }
  }
}

/** With the final slash: `a-b/` sorts before `a/`, and so do their keys. */
function toFolder(entry: Dirent): string | undefined {
  const folder = `${entry.name}/`;
  return entry.isDirectory() && isKey(`${folder}a`) ? folder : undefined;
}

/** A listing after a key starts with names above this name; `undefined` if all keys of the folder come before it. */
function firstNamesAbove(prefix: string, after: string): string | undefined {
  if (after.startsWith(prefix)) return after.slice(prefix.length);
  return prefix > after ? '' : undefined;
}

/** Also collects the names of temporary files that it finds. */
async function* valuesOf(
  root: string,
  options: { folder: string; above: string; signal: AbortSignal | undefined; temporaryNames: string[] },
): AsyncGenerator<StoredEntry> {
  const { folder, above, signal, temporaryNames } = options;
  function toName(entry: Dirent): string | undefined {
    if (!entry.isFile()) return undefined;
    if (isKey(folder + entry.name)) return entry.name;
    if (isTemporaryName(entry.name) && temporaryNames.length < MAX_SWEPT_AT_ONCE) temporaryNames.push(entry.name);
    return undefined;
  }
  for await (const page of namesAscending(join(root, folder), { toName, above, signal })) {
    for (let from = 0; from < page.length; from += LOOKED_AT_ONCE) {
      const keys = page.slice(from, from + LOOKED_AT_ONCE).map((name) => folder + name);
      const found = await Promise.all(keys.map((key) => unlessMissing(lstat(join(root, key)))));
      for (const [index, key] of keys.entries()) {
        signal?.throwIfAborted();
        const stats = found[index];
        if (stats && isOwnFile(stats)) yield toEntry(key, stats);
      }
    }
  }
}

export function toEntry(key: string, { size, mtime }: Stats): StoredEntry {
  return { key, bytes: size, writtenAt: mtime };
}

const PAGE_NAMES = 100_000;
/** Few enough names to sort in a slice of the event loop. */
const SORT_STEP_NAMES = 8192;

/**
 * The names in ascending order and in pages, however many the directory contains. Each page is one walk through the directory
 * that collects the smallest names above the previous page.
 */
async function* namesAscending(
  directory: string,
  options: {
    toName: (entry: Dirent) => string | undefined;
    /** Only names above this name. */
    above?: string;
    signal: AbortSignal | undefined;
  },
): AsyncGenerator<string[]> {
  const { toName, above = '', signal } = options;
  let last = above;
  while (true) {
    signal?.throwIfAborted();
    const page: string[] = [];
    let unsorted = 0;
    const keepSmallest = () => {
      unsorted = 0;
      page.sort();
      if (page.length > PAGE_NAMES) page.length = PAGE_NAMES;
    };
    let limit: string | undefined;
    for await (const entry of (await unlessMissing(openDirectory(directory))) ?? []) {
      signal?.throwIfAborted();
      const name = toName(entry);
      if (name === undefined || name <= last || (limit !== undefined && name > limit)) continue;
      page.push(name);
      if (++unsorted < SORT_STEP_NAMES) continue;
      keepSmallest();
      if (page.length === PAGE_NAMES) limit = page.at(-1);
    }
    keepSmallest();
    if (page.length > 0) yield page;
    if (page.length < PAGE_NAMES) return;
    last = page.at(-1) ?? last;
  }
}
