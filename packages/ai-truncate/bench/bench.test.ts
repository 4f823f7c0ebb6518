import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runPartProcess } from './part-process.ts';
import { parts } from './parts.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/figures.md'), 'utf8');

test.each(Object.entries(parts))('%s has its place in docs/figures.md', (_, { section }) => {
  expect(page).toContain(`<!-- ${section} -->\n\n`);
  expect(page).toContain(`<!-- /${section} -->`);
});

test.each(Object.keys(parts))('%s returns tables of figures at small scale', async (name) => {
  const markdown = await runPartProcess(name, 'small');
  expect(markdown).toMatch(/^\| .*\d (ns|µs|ms|s|%)(?= )/m);
  expect(markdown).not.toMatch(/NaN|undefined|Infinity/);
});
