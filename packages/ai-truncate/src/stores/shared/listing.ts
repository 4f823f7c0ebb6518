import { AiTruncateError } from '../../errors.ts';
import { isKey, type ListOptions, type StoredEntry } from '../artifact-store.ts';

export interface ListingPage {
  /** Keys start with the prefix of the store. */
  entries: StoredEntry[];
  /** The start of the next page; missing on the last page. */
  cursor?: string | undefined;
}

/**
 * Every entry of a backend's pages, for `list`. The backend must return ascending keys and a last page. Both are checked,
 * because a sweep would otherwise miss values or never stop. Backends continue at their own cursors and not at a key, so
 * entries before `after` are requested and skipped.
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
      // Other programs may store values in the same place.
      if (!entry.key.startsWith(prefix) || !isKey(key)) continue;
      if (key <= previous) throw unordered(`returned \`${key}\` after \`${previous}\``);
      previous = key;
      if (key <= after) continue;
      signal?.throwIfAborted();
      yield { ...entry, key };
    }
    if (!page.cursor) return;
    // The landmark stays for more and more pages, so a circle of any length returns to it.
    if (page.cursor === landmark) throw unordered('returned to an earlier page');
    const isPowerOfTwo = (pages & (pages - 1)) === 0;
    if (isPowerOfTwo) landmark = page.cursor;
    cursor = page.cursor;
  }
}

/** The pages of a listing are not in order. */
function unordered(what: string): AiTruncateError {
  const message = `The store's listing ${what}. Use a backend that lists each key once, in ascending order.`;
  return new AiTruncateError(message, { code: 'UNORDERED_LIST' });
}
