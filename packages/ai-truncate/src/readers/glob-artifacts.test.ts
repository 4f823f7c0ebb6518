import { expect, it } from 'vitest';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { globArtifacts } from './glob-artifacts.ts';
import { compileGlob, type GlobMatcher } from './glob-pattern.ts';

async function scopeWith(toolNames: string[]) {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'glob' });
  for (const toolName of toolNames) await artifacts.save('text', { toolName, toolCallId: 'call_1' });
  return artifacts;
}

function glob(text: string): GlobMatcher {
  const compiled = compileGlob(text);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.matches;
}

it('gives the artifacts whose path fits, with what the list tells of them', async () => {
  const artifacts = await scopeWith(['readLogs', 'fetchPage', 'readLogs']);
  const result = await globArtifacts(artifacts, { matches: glob('*read-logs*') });
  expect(result.artifacts.map(({ tool, bytes }) => ({ tool, bytes }))).toEqual([
    { tool: 'read-logs', bytes: 4 },
    { tool: 'read-logs', bytes: 4 },
  ]);
  expect(result).toMatchObject({ total: 2 });
  expect(result).not.toHaveProperty('next');
});

it('gives all without a glob', async () => {
  expect(await globArtifacts(await scopeWith(['a', 'b', 'c']), {})).toMatchObject({ total: 3 });
});

it('gives each once, page by page', async () => {
  const artifacts = await scopeWith(['a', 'b', 'c', 'd', 'e']);
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await globArtifacts(artifacts, { limit: 2, cursor });
    expect(page.total).toBe(5);
    paths.push(...page.artifacts.map(({ path }) => path));
    cursor = page.next;
  } while (cursor !== undefined);
  expect(paths).toEqual((await globArtifacts(artifacts, {})).artifacts.map(({ path }) => path));
});

it('says that the time was up, and goes on behind what it looked at, until all were', async () => {
  const artifacts = await scopeWith(['a', 'b', 'a', 'b', 'a']);
  const deadline = AbortSignal.abort();
  const matches = glob('*_a_*');
  const tools: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await globArtifacts(artifacts, { matches, cursor, deadline });
    expect(page).toMatchObject({ ended: 'deadline' });
    tools.push(...page.artifacts.map(({ tool }) => tool));
    cursor = page.next;
    pages++;
  } while (cursor !== undefined);
  expect({ tools, pages }).toEqual({ tools: ['a', 'a', 'a'], pages: 5 });
});

it.each([{ limit: 0 }, { limit: 1001 }, { limit: Number.NaN }, { cursor: 'nothing' }])(
  'refuses %o',
  async (options) => {
    await expect(globArtifacts(await scopeWith(['a']), options)).rejects.toThrow(InvalidOptionError);
  },
);
