import { expect, test } from 'vitest';
import type { DocsSearch } from './chat-message';
import { readDoc } from './read-doc';
import { searchDocs } from './search-docs';

const call = { toolCallId: 'call', messages: [], context: {} };
const search = async (query: string) => (await searchDocs.execute?.({ query }, call)) as DocsSearch;
const read = async (path: string) => await readDoc.execute?.({ path }, call);

test('a search finds pages of the installed package, each with its best line', async () => {
  const { pages, pages_found: found } = await search('subagents');
  expect(found).toBeGreaterThan(0);
  const [best] = pages;
  expect(best?.path).toBe('03-agents/06-subagents.mdx');
  const lines = String(await read(String(best?.path))).split('\n');
  expect(lines[Number(best?.line) - 1]).toContain(best?.text);
});

test('a page must contain every word', async () => {
  expect(await search('streamText zzqqxx')).toMatchObject({ pages: [], pages_found: 0 });
});

test.each(['../package.json', '/etc/passwd', '..%2fpackage.json', '03-agents/../../package.json'])(
  '%s is no page',
  async (path) => {
    await expect(read(path)).rejects.toThrow('There is no page');
  },
);
