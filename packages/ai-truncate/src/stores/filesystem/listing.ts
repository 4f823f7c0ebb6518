import type { Dirent, Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isKey, type StoredEntry } from '../artifact-store.ts';
import { isTemporaryName } from './folders.ts';
import { openDirectory, unlessMissing } from './open-files.ts';
import { isOwnFile, requireOwnDirectory } from './own-files.ts';
import { sweepTemporaries } from './sweep.ts';

const LOOKED_AT_ONCE = 32;
const MAX_SWEPT_AT_ONCE = 1000;

interface ListingOptions {
  after: string;
  signal: AbortSignal | undefined;
}

/** The values of one folder, `'<folder>/'`. */
export async function* listFolder(
  root: string,
  { prefix, after, signal }: ListingOptions & { prefix: string },
): AsyncGenerator<StoredEntry> {
  const path = join(root, prefix.slice(0, -1));
  const above = firstNamesAbove(prefix, after);
  if (above === undefined || !(await unlessMissing(requireOwnDirectory(path)))) return;
  yield* valuesOf(path, { above, signal });
}

/** The values of all folders. What killed processes left in those that it reads is removed on the way. */
export async function* listAll(root: string, { after, signal }: ListingOptions): AsyncGenerator<StoredEntry> {
  /** With its slash: `a-b/` stands before `a/`, as the keys in them do. */
  function toPrefix(entry: Dirent): string | undefined {
    const prefix = `${entry.name}/`;
    const isWanted = entry.isDirectory() && isKey(`${prefix}a`) && firstNamesAbove(prefix, after) !== undefined;
    return isWanted ? prefix : undefined;
  }
  for await (const page of namesAscending(root, { toName: toPrefix, signal })) {
    for (const prefix of page) {
      signal?.throwIfAborted();
      const path = join(root, prefix.slice(0, -1));
      const temporaryNames: string[] = [];
      yield* valuesOf(path, { above: firstNamesAbove(prefix, after) ?? '', signal, temporaryNames });
      await sweepTemporaries(path, temporaryNames);
    }
  }
}

/** Above which name a folder is listed to begin after the key; `undefined`: all of it comes before. */
function firstNamesAbove(prefix: string, after: string): string | undefined {
  if (after.startsWith(prefix)) return after.slice(prefix.length);
  return prefix > after ? '' : undefined;
}

/** Also collects the names of temporary files that it meets. */
async function* valuesOf(
  path: string,
  options: { above: string; signal: AbortSignal | undefined; temporaryNames?: string[] },
): AsyncGenerator<StoredEntry> {
  const { above, signal, temporaryNames = [] } = options;
  const folder = basename(path);
  function toName(entry: Dirent): string | undefined {
    if (!entry.isFile()) return undefined;
    if (isKey(`${folder}/${entry.name}`)) return entry.name;
    if (isTemporaryName(entry.name) && temporaryNames.length < MAX_SWEPT_AT_ONCE) temporaryNames.push(entry.name);
    return undefined;
  }
  for await (const page of namesAscending(path, { toName, above, signal })) {
    for (let from = 0; from < page.length; from += LOOKED_AT_ONCE) {
      const names = page.slice(from, from + LOOKED_AT_ONCE);
      const found = await Promise.all(names.map((name) => unlessMissing(lstat(join(path, name)))));
      for (const [index, stats] of found.entries()) {
        signal?.throwIfAborted();
        if (stats && isOwnFile(stats)) yield toEntry(`${folder}/${names[index]}`, stats);
      }
    }
  }
}

export function toEntry(key: string, { size, mtime }: Stats): StoredEntry {
  return { key, bytes: size, writtenAt: mtime };
}

const PAGE_NAMES = 100_000;
/** Few enough to sort in a slice of the event loop. */
const SORT_STEP_NAMES = 8192;

/**
 * The smallest names first, in pages, however many the directory holds: each page is one walk through it that keeps the smallest
 * ones above the page before.
 */
async function* namesAscending(
  directory: string,
  options: {
    toName: (entry: Dirent) => string | undefined;
    /** Only names above this one. */
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
    let limit: string | undefined;
    const entries = await unlessMissing(openDirectory(directory));
    for await (const entry of entries ?? []) {
      signal?.throwIfAborted();
      const name = toName(entry);
      if (name === undefined || name <= last || (limit !== undefined && name > limit)) continue;
      page.push(name);
      if (++unsorted < SORT_STEP_NAMES) continue;
      unsorted = 0;
      page.sort();
      if (page.length > PAGE_NAMES) page.length = PAGE_NAMES;
      if (page.length === PAGE_NAMES) limit = page.at(-1);
    }
    page.sort();
    if (page.length > PAGE_NAMES) page.length = PAGE_NAMES;
    if (page.length > 0) yield page;
    if (page.length < PAGE_NAMES) return;
    last = page.at(-1) ?? last;
  }
}
