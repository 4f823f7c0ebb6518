import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'packages/ai-truncate/README.md',
  ...(await readdir(join(root, 'docs'))).map((name) => `docs/${name}`),
];

/** Headings in the form of an address. */
function anchorsIn(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the links of the documents', () => {
  test.each(pages)('lead to existing files and headings: %s', async (page) => {
    // In a code span, `](` is not a link, because a regular expression may contain it.
    const text = (await readFile(join(root, page), 'utf8')).replaceAll(/`[^`\n]*`/g, '');
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
    for (const [link, path = '', anchor] of links) {
      const target = path === '' ? join(root, page) : join(root, dirname(page), path);
      expect(existsSync(target), link).toBe(true);
      if (anchor !== undefined) expect(anchorsIn(await readFile(target, 'utf8')), link).toContain(anchor);
    }
  });

  test('from the README reach every page of docs', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    for (const page of pages.filter((name) => name.startsWith('docs/'))) expect(readme).toContain(`](${page})`);
  });
});

test('the map in AGENTS.md names every room of the library, and no other', async () => {
  const entries = await readdir(import.meta.dirname, { withFileTypes: true });
  const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const map = await readFile(join(root, 'AGENTS.md'), 'utf8');
  const named = Array.from(map.matchAll(/^\| `…\/src\/([a-z]+)\/` \|/gm), ([, room]) => room);
  expect(named.sort()).toEqual(rooms.sort());
});
