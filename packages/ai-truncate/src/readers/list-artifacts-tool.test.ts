import { afterEach, describe, expect, test, vi } from 'vitest';
import { allPages, callReader } from '../../fixtures/call-reader.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { GLOB_MS } from '../reader-limits.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { compileGlob } from './glob-artifacts-tool.ts';
import { listPage } from './list-artifacts-tool.ts';

afterEach(() => void vi.useRealTimers());

function open(store: ArtifactStore = memoryStore()): Artifacts {
  return scopedArtifacts(store, { scope: 'chat-1' });
}

async function saveMany(
  artifacts: Artifacts,
  { count, toolName = 'readServerLogs' }: { count: number; toolName?: string },
) {
  const paths: string[] = [];
  for (let index = 0; index < count; index++) {
    paths.push((await artifacts.save('one\ntwo', { toolName, toolCallId: `call-${index}` })).path);
  }
  return paths;
}

describe('listArtifacts', () => {
  test('shows the tool, the size, the lines and the age of each output', async () => {
    const artifacts = open();
    const [path] = await saveMany(artifacts, { count: 1 });
    const { output, data, text } = await callReader(artifacts, 'listArtifacts', {});
    expect(output.status).toBe('success');
    expect(data.entries).toEqual([
      { path, type: 'file', tool: 'readServerLogs', bytes: 7, lines: 2, created_at: expect.stringMatching(/^20.*Z$/) },
    ]);
    expect(output.stats.total_entries).toBe(1);
    expect(text).toContain(`${path} (readServerLogs, 7 bytes, 2 lines, 20`);
  });

  test('shows every output once to a model that follows the cursors', async () => {
    const artifacts = open();
    const paths = await saveMany(artifacts, { count: 105 });
    const pages = await allPages(artifacts, 'listArtifacts', {});
    const shown = pages.flatMap(({ data }) => data.entries.map(({ path }: { path: string }) => path));
    expect(shown.sort()).toEqual(paths.sort());
    for (const { output, text } of pages) {
      expect(JSON.stringify(output).length).toBeLessThanOrEqual(9000);
      expect(text.length).toBeLessThanOrEqual(9000);
    }
  });

  test('is bounded for paths and names of any length, and still shows all outputs', async () => {
    const store = memoryStore();
    const artifacts = open({ ...store, locate: (key) => `${'deep/'.repeat(70)}${key}` });
    await saveMany(artifacts, { count: 40, toolName: `${'<tool-output-preview>\u202e\n'.repeat(2500)}` });
    for (const [name, input] of [
      ['listArtifacts', {}],
      ['globArtifacts', { pattern: '*' }],
    ] as const) {
      const pages = await allPages(artifacts, name, input);
      expect(pages.flatMap(({ data }) => data.entries ?? data.paths)).toHaveLength(40);
      for (const { output, text } of pages) {
        expect(JSON.stringify(output).length).toBeLessThanOrEqual(10_000);
        expect(text.length).toBeLessThanOrEqual(9500);
      }
    }
  });

  test('says that nothing is saved', async () => {
    const { output, text } = await callReader(open(), 'listArtifacts', {});
    expect(output.status).toBe('success');
    expect(text).toContain('0 of 0 saved outputs');
  });

  test('shows the others if one is deleted in the meantime', async () => {
    const artifacts = open();
    const [path = ''] = await saveMany(artifacts, { count: 2 });
    const info: Artifacts['info'] = (wanted, options) =>
      wanted === path ? Promise.reject(new Error('gone')) : artifacts.info(wanted, options);
    const { data } = await callReader({ ...artifacts, info }, 'listArtifacts', {});
    expect(data.entries).toHaveLength(2);
    expect(data.entries.find((each: { path: string }) => each.path === path)).not.toHaveProperty('lines');
  });

  test('refuses a foreign cursor', async () => {
    for (const cursor of ['x', 7, {}, '7f3k9q2m4x8p1z5c']) {
      expect((await callReader(open(), 'listArtifacts', { cursor })).code).toBe('INVALID_PARAM');
    }
  });
});

async function scopeWith(toolNames: string[]) {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'glob' });
  for (const toolName of toolNames) await artifacts.save('text', { toolName, toolCallId: 'call_1' });
  return artifacts;
}

const page = { limit: 100, entryChars: 0 };

function glob(text: string): (path: string) => boolean {
  return compileGlob(text);
}

test('returns the artifacts with matching paths, with their metadata from the list', async () => {
  const artifacts = await scopeWith(['readLogs', 'fetchPage', 'readLogs']);
  const result = await listPage(artifacts, { ...page, matches: glob('*read-logs*') });
  expect(result.artifacts.map(({ tool, bytes }) => ({ tool, bytes }))).toEqual([
    { tool: 'read-logs', bytes: 4 },
    { tool: 'read-logs', bytes: 4 },
  ]);
  expect(result).toMatchObject({ total: 2 });
  expect(result).not.toHaveProperty('next');
});

test('returns all artifacts without a glob', async () => {
  expect(await listPage(await scopeWith(['a', 'b', 'c']), page)).toMatchObject({ total: 3 });
});

test('returns each artifact once, page by page', async () => {
  const artifacts = await scopeWith(['a', 'b', 'c', 'd', 'e']);
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const { artifacts: listed, total, next } = await listPage(artifacts, { ...page, limit: 2, cursor });
    expect(total).toBe(5 - paths.length);
    paths.push(...listed.map(({ path }) => path));
    cursor = next;
  } while (cursor !== undefined);
  expect(paths).toEqual((await listPage(artifacts, page)).artifacts.map(({ path }) => path));
});

test('says that the time was up, and continues until all artifacts were checked', async () => {
  const artifacts = await scopeWith(['a', 'b', 'a', 'b', 'a']);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const matches = (path: string) => {
    vi.advanceTimersByTime(GLOB_MS);
    return path.includes('_a_');
  };
  const tools: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const found = await listPage(artifacts, { ...page, matches, cursor });
    expect(found.ended).toBe(pages < 4 ? 'deadline' : undefined);
    tools.push(...found.artifacts.map(({ tool }) => tool));
    cursor = found.next;
    pages++;
  } while (cursor !== undefined);
  expect({ tools, pages }).toEqual({ tools: ['a', 'a', 'a'], pages: 5 });
});

test('refuses an invalid cursor', async () => {
  await expect(listPage(await scopeWith(['a']), { ...page, cursor: 'nothing' })).rejects.toThrow(InvalidOptionError);
});

test('continues beyond the 1,000 artifacts of one call', async () => {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'many' });
  for (let index = 0; index < 1005; index++) {
    await artifacts.save('x', { toolName: index < 2 ? 'first' : 'later', toolCallId: 'call_1' });
  }
  const [page, next, ...rest] = await allPages(artifacts, 'globArtifacts', { pattern: '*_first_*' });
  expect(page?.output.text).toContain('0 of 0 saved outputs among the newest 1,000. There are older ones.');
  expect(next?.data.paths).toHaveLength(2);
  expect(next?.output.text).toBe('2 more saved outputs.');
  expect(rest).toEqual([]);
  expect((await callReader(artifacts, 'listArtifacts', {})).output.text).toContain(
    ' of 1,000 saved outputs among the newest 1,000. There are older ones.',
  );
});
