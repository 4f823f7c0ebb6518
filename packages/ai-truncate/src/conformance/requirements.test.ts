import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const page = await readFile(join(import.meta.dirname, '../../../../docs/requirements.md'), 'utf8');
const files = (await readdir(import.meta.dirname)).filter((name) => name.startsWith('seed-'));
const tests = new Map(await Promise.all(files.map(async (name) => [name, await testsOf(name)] as const)));
const all = [...tests.values()].flat();

async function testsOf(name: string): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, name), 'utf8');
  return [...text.matchAll(/^ *it\(\s*'([^']+)'/gm)].map(([, title = '']) => title);
}

/** What stands in code marks and begins like the name of a test. */
const namesIn = (text: string) => [...text.matchAll(/`(00\d [^`]+)`/g)].map(([, name = '']) => name);

describe('the page of requirements', () => {
  it.each(files)('has a row for each test of %s, in its order, and no other', (name) => {
    const section = page.split('\n## ').find((part) => part.includes(`\`${name}\``)) ?? '';
    expect(namesIn(section)).toEqual(tests.get(name));
  });

  it('knows five documents, and no two tests of one name', () => {
    expect(files).toHaveLength(5);
    expect(new Set(all).size).toBe(all.length);
  });

  it('has each deviation with the test that proves it', () => {
    const rows =
      page
        .split('## Where we differ')[1]
        ?.split('\n## ')[0]
        ?.match(/^\| (?!the document|---).*$/gm) ?? [];
    expect(rows.length).toBeGreaterThanOrEqual(15);
    for (const row of rows) expect(all).toContain(namesIn(row)[0]);
  });
});
