import { describe, expect, test } from 'vitest';
import type { ListOptions } from '../artifact-store.ts';
import { type ListingPage, listInOrder } from './listing.ts';

function page(names: string[], cursor?: string): ListingPage {
  const entries = names.map((name) => ({ key: `folder/${name}`, bytes: 1, writtenAt: new Date(0) }));
  return { entries, cursor };
}

/** Pages by the cursor that leads to them. The first page is at ''. */
async function namesOf(pages: Record<string, ListingPage>, options?: ListOptions): Promise<string[]> {
  const names: string[] = [];
  const toPage = async (cursor = '') => pages[cursor] ?? page([]);
  for await (const { key } of listInOrder(toPage, options)) {
    names.push(key.slice('folder/'.length));
  }
  return names;
}

const unordered = { code: 'UNORDERED_LIST' };

describe('listInOrder', () => {
  test('yields the entries of all pages, even after an empty page', async () => {
    const pages = { '': page(['a', 'b'], 'one'), one: page([], 'two'), two: page(['c'], '') };
    expect(await namesOf(pages)).toEqual(['a', 'b', 'c']);
  });

  test('names the two keys that are out of order', async () => {
    await expect(namesOf({ '': page(['a', 'c', 'b']) })).rejects.toMatchObject({
      ...unordered,
      message: expect.stringContaining('`folder/b` after `folder/c`'),
    });
  });

  test.each([['a'], ['b']])('refuses a page that continues with %s after b', async (name) => {
    await expect(namesOf({ '': page(['b'], 'one'), one: page([name]) })).rejects.toMatchObject(unordered);
  });

  test.each([1, 2, 3, 7, 100])('ends a walk through empty pages in a circle of %i', async (length) => {
    const pages: Record<string, ListingPage> = { '': page([], 'in'), in: page([], '0') };
    for (let at = 0; at < length; at++) pages[at] = page([], String((at + 1) % length));
    await expect(namesOf(pages)).rejects.toMatchObject({
      ...unordered,
      message: expect.stringContaining('earlier page'),
    });
  });

  test.each([
    ['folder/b', ['c', 'd']],
    ['folder/bb', ['c', 'd']],
    ['folder/d', []],
    ['', ['a', 'b', 'c', 'd']],
  ])('skips keys before %j, on any page', async (after, names) => {
    expect(await namesOf({ '': page(['a', 'b', 'c'], 'one'), one: page(['d']) }, { after })).toEqual(names);
  });

  test('checks the order of skipped keys', async () => {
    await expect(namesOf({ '': page(['b', 'a', 'c']) }, { after: 'folder/b' })).rejects.toMatchObject(unordered);
  });

  test('ends within a page when the signal aborts, with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const entries = listInOrder(async () => page(['a', 'b']), { signal: controller.signal });
    await entries.next();
    controller.abort(reason);
    await expect(entries.next()).rejects.toBe(reason);
  });

  test('does not mistake many empty pages for a circle', async () => {
    const pages: Record<string, ListingPage> = { '': page([], '1') };
    for (let at = 1; at < 200; at++) pages[at] = page([], String(at + 1));
    expect(await namesOf({ ...pages, 200: page(['a']) })).toEqual(['a']);
  });
});
