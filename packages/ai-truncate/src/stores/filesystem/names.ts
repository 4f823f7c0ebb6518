import type { Dirent } from 'node:fs';
import { openDirectory, unlessMissing } from './open.ts';

const PAGE_NAMES = 100_000;
/** Few enough to sort in a slice of the event loop. */
const SORT_STEP_NAMES = 8192;

/**
 * The smallest names first, in pages, however many the directory holds: each page is one walk through it that keeps the smallest
 * ones above the page before.
 */
export async function* namesAscending(
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
