import { afterEach, describe, expect, it, test, vi } from 'vitest';
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
  it('tells of each output its tool, its size, its lines and its age', async () => {
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

  it('shows every output once to who follows the cursors', async () => {
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

  it('is bounded for paths and names of any length, and still shows all', async () => {
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

  it('says that nothing is saved', async () => {
    const { output, text } = await callReader(open(), 'listArtifacts', {});
    expect(output.status).toBe('success');
    expect(text).toContain('0 of 0 saved outputs');
  });

  it('tells of the others when one is gone meanwhile', async () => {
    const artifacts = open();
    const [path = ''] = await saveMany(artifacts, { count: 2 });
    const info: Artifacts['info'] = (wanted, options) =>
      wanted === path ? Promise.reject(new Error('gone')) : artifacts.info(wanted, options);
    const { data } = await callReader({ ...artifacts, info }, 'listArtifacts', {});
    expect(data.entries).toHaveLength(2);
    expect(data.entries.find((each: { path: string }) => each.path === path)).not.toHaveProperty('lines');
  });

  it('refuses a cursor that it did not give', async () => {
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

test('gives the artifacts whose path fits, with what the list tells of them', async () => {
  const artifacts = await scopeWith(['readLogs', 'fetchPage', 'readLogs']);
  const result = await listPage(artifacts, { ...page, matches: glob('*read-logs*') });
  expect(result.artifacts.map(({ tool, bytes }) => ({ tool, bytes }))).toEqual([
    { tool: 'read-logs', bytes: 4 },
    { tool: 'read-logs', bytes: 4 },
  ]);
  expect(result).toMatchObject({ total: 2 });
  expect(result).not.toHaveProperty('next');
});

test('gives all without a glob', async () => {
  expect(await listPage(await scopeWith(['a', 'b', 'c']), page)).toMatchObject({ total: 3 });
});

test('gives each once, page by page', async () => {
  const artifacts = await scopeWith(['a', 'b', 'c', 'd', 'e']);
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const { artifacts: listed, total, next } = await listPage(artifacts, { ...page, limit: 2, cursor });
    expect(total).toBe(5);
    paths.push(...listed.map(({ path }) => path));
    cursor = next;
  } while (cursor !== undefined);
  expect(paths).toEqual((await listPage(artifacts, page)).artifacts.map(({ path }) => path));
});

test('says that the time was up, and goes on behind what it looked at, until all were', async () => {
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
    expect(found).toMatchObject({ ended: 'deadline' });
    tools.push(...found.artifacts.map(({ tool }) => tool));
    cursor = found.next;
    pages++;
  } while (cursor !== undefined);
  expect({ tools, pages }).toEqual({ tools: ['a', 'a', 'a'], pages: 5 });
});

test('refuses a cursor of nothing', async () => {
  await expect(listPage(await scopeWith(['a']), { ...page, cursor: 'nothing' })).rejects.toThrow(InvalidOptionError);
});
