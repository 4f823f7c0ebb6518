import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test('the root entry has at most 80 names', async () => {
  const source = await readFile(new URL('./index.ts', import.meta.url), 'utf8');
  const lists = source.matchAll(/^export (?:type )?\{([^}]*)\} from/gm);
  const names = [...lists].flatMap(([, list = '']) => list.split(',').map((name) => name.trim())).filter(Boolean);
  expect(names).toContain('truncateToolOutputs');
  expect(names.length).toBeLessThanOrEqual(80);
});
