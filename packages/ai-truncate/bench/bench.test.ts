import { expect, test } from 'vitest';
import { runPartProcess } from './part-process.ts';
import { parts } from './parts.ts';

test.each(Object.keys(parts))('%s gives tables of figures at small scale', async (name) => {
  const markdown = await runPartProcess(name, 'small');
  expect(markdown).toMatch(/^\| .*\d (ns|µs|ms|s|%)(?= )/m);
  expect(markdown).not.toMatch(/NaN|undefined|Infinity/);
});
