import { describe, expect, it } from 'vitest';
import { type ListingPage, listInOrder } from './store-listing.ts';

function page(names: string[], cursor?: string): ListingPage {
  const entries = names.map((name) => ({ key: `folder/${name}`, bytes: 1, writtenAt: new Date(0) }));
  return { entries, cursor };
}

/** Pages by the cursor that leads to them; the first one is at ''. */
async function namesOf(pages: Record<string, ListingPage>): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of listInOrder(async (cursor = '') => pages[cursor] ?? page([]))) {
    names.push(key.slice('folder/'.length));
  }
  return names;
}

const unordered = { code: 'UNORDERED_LIST' };

describe('listInOrder', () => {
  it('gives the entries of all pages, also behind an empty one', async () => {
    const pages = { '': page(['a', 'b'], 'one'), one: page([], 'two'), two: page(['c'], '') };
    expect(await namesOf(pages)).toEqual(['a', 'b', 'c']);
  });

  it('names the two keys that are out of order', async () => {
    await expect(namesOf({ '': page(['a', 'c', 'b']) })).rejects.toMatchObject({
      ...unordered,
      message: expect.stringContaining('`folder/b` after `folder/c`'),
    });
  });

  it.each([['a'], ['b']])('refuses a page that goes on with %s after b', async (name) => {
    await expect(namesOf({ '': page(['b'], 'one'), one: page([name]) })).rejects.toMatchObject(unordered);
  });

  it.each([1, 2, 3, 7, 100])('ends a walk through empty pages in a circle of %i', async (length) => {
    const pages: Record<string, ListingPage> = { '': page([], 'in'), in: page([], '0') };
    for (let at = 0; at < length; at++) pages[at] = page([], String((at + 1) % length));
    await expect(namesOf(pages)).rejects.toMatchObject({
      ...unordered,
      message: expect.stringContaining('earlier page'),
    });
  });

  it('takes many empty pages for no circle', async () => {
    const pages: Record<string, ListingPage> = { '': page([], '1') };
    for (let at = 1; at < 200; at++) pages[at] = page([], String(at + 1));
    expect(await namesOf({ ...pages, 200: page(['a']) })).toEqual(['a']);
  });
});
