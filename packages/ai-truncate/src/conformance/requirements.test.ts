import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const page = await readFile(join(import.meta.dirname, '../../../../docs/requirements.md'), 'utf8');
const NAME = /^ *(?:it|test)\(\s*'([^']+)'/gm;
const files = (await readdir(import.meta.dirname)).filter((name) => name.startsWith('seed-'));
const tests = new Map(await Promise.all(files.map(async (name) => [name, await testsOf(name)] as const)));
const all = [...tests.values()].flat();

async function testsOf(name: string): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, name), 'utf8');
  return [...text.matchAll(NAME)].map(([, title = '']) => title);
}

/** A test that asserts nothing would prove nothing. */
async function testsWithoutAssertion(name: string): Promise<string[]> {
  const [, ...bodies] = (await readFile(join(import.meta.dirname, name), 'utf8')).split(/^ *(?:it|test)\(/m);
  return bodies.filter((body) => !/\bexpect\(/.test(body)).map((body) => body.slice(0, 80));
}

/** The cells of the rows of a table. */
const rowsOf = (text: string) =>
  (text.match(/^\| (?!the document|---).*$/gm) ?? []).map((row) => row.slice(2, -2).split(' | '));

/** Names of tests, which are in code marks. */
const namesIn = (text: string) => [...text.matchAll(/`(00\d [^`]+)`/g)].map(([, name = '']) => name);

describe('the page of requirements', () => {
  test.each(files)('has a row for each test of %s, in its order, and no other', (name) => {
    const section = page.split('\n## ').find((part) => part.includes(`\`${name}\``)) ?? '';
    expect(namesIn(section)).toEqual(tests.get(name));
    // A row has the words of the document, and the test.
    for (const cells of rowsOf(section)) expect(cells).toEqual([expect.stringMatching(/\S{2}/), expect.any(String)]);
  });

  test.each(files)('%s has an assertion in each test', async (name) => {
    expect(await testsWithoutAssertion(name)).toEqual([]);
  });

  test('knows five documents, and each test has a unique name', () => {
    expect(files).toHaveLength(5);
    expect(new Set(all).size).toBe(all.length);
  });

  test('lists each deviation with the test that proves it', () => {
    const rows = rowsOf(page.split('## Where we differ')[1]?.split('\n## ')[0] ?? '');
    expect(rows.length).toBeGreaterThanOrEqual(15);
    for (const [document = '', reason = '', setting = '', name = ''] of rows) {
      expect(document).toMatch(/^(?:00\d|`Task`)/);
      expect(reason.length).toBeGreaterThan(20);
      expect(setting).not.toBe('');
      expect(all).toContain(namesIn(name)[0]);
    }
  });

  test('explains each row that is marked as different', () => {
    const [before = '', after = ''] = page.split('\n## Where we differ');
    const marked = rowsOf(before).filter(([document]) => document?.includes('[differs]'));
    const explained = rowsOf(after).map(([document = '']) => document);
    expect(marked.length).toBeGreaterThanOrEqual(5);
    for (const [, name = ''] of marked) {
      const seed = /`(00\d) /.exec(name)?.[1] ?? '';
      expect(explained.some((document) => document.includes(seed))).toBe(true);
    }
  });
});
