import { AiTruncateError } from '../../errors.ts';
import { isKey, type ListOptions, type StoredEntry } from '../artifact-store.ts';

export interface ListingPage {
  /** Their keys begin with the prefix of the store. */
  entries: StoredEntry[];
  /** Where the next page begins; nothing on the last one. */
  cursor?: string | undefined;
}

/**
 * Every entry of the pages of a backend, for `list`. That they ascend, and come to an end, is up to the backend, and checked:
 * who sweeps a store would otherwise miss values, or never stop. Backends begin at a cursor of their own and not at a key, so
 * what comes before `after` is asked for, and passed over.
 */
export async function* listInOrder(
  toPage: (cursor: string | undefined) => Promise<ListingPage>,
  { prefix = '', after = '', signal }: ListOptions & { prefix?: string } = {},
): AsyncGenerator<StoredEntry> {
  let cursor: string | undefined;
  let landmark: string | undefined;
  let previous = '';
  for (let pages = 1; ; pages++) {
    const page = await toPage(cursor);
    for (const entry of page.entries) {
      const key = entry.key.slice(prefix.length);
      // Others may keep values in the same place.
      if (!entry.key.startsWith(prefix) || !isKey(key)) continue;
      if (key <= previous) throw unordered(`gave \`${key}\` after \`${previous}\``);
      previous = key;
      if (key <= after) continue;
      signal?.throwIfAborted();
      yield { ...entry, key };
    }
    if (!page.cursor) return;
    // It stays for ever more pages, so a circle of any length comes past it again.
    if (page.cursor === landmark) throw unordered('came back to an earlier page');
    const isPowerOfTwo = (pages & (pages - 1)) === 0;
    if (isPowerOfTwo) landmark = page.cursor;
    cursor = page.cursor;
  }
}

/** The pages of a listing do not follow each other. */
function unordered(what: string): AiTruncateError {
  const message = `The store's listing ${what}. Use a backend that lists each key once, in ascending order.`;
  return new AiTruncateError(message, { code: 'UNORDERED_LIST' });
}
