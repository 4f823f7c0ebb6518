import { afterEach, describe, expect, it, test, vi } from 'vitest';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { type GrepArtifactsResult, grepArtifacts } from './grep-artifacts.ts';
import { compileSearchPattern, type SearchPattern } from './pattern.ts';
import { searchTurn } from './search-turn.ts';

afterEach(() => {
  vi.useRealTimers();
});

function compile(source: string): SearchPattern {
  const result = compileSearchPattern(source);
  if (!result.ok) throw new Error(result.message);
  return result.pattern;
}

const pattern = compile('hit');

/** A scope of its own with these artifacts, in this order. */
async function scopeWith(contents: (string | Uint8Array)[], store: ArtifactStore = memoryStore()) {
  const artifacts = scopedArtifacts(store, { scope: 'search' });
  const paths: string[] = [];
  for (const content of contents) {
    paths.push((await artifacts.save(content, { toolName: 'read', toolCallId: 'call_1' })).path);
  }
  return { artifacts, paths };
}

async function allPages(
  artifacts: Artifacts,
  options: { paths?: string[]; maxMatches: number },
): Promise<GrepArtifactsResult[]> {
  const pages: GrepArtifactsResult[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await grepArtifacts(artifacts, { ...options, pattern, cursor });
    pages.push(page);
    if (page.next === undefined) return pages;
    expect(pages.length).toBeLessThan(100);
    cursor = page.next;
  }
}

describe('a search in several artifacts', () => {
  it('finds in each of them, in their order, and counts by artifact', async () => {
    const { artifacts, paths } = await scopeWith(['hit', 'nothing', 'x\nhit\nhit']);
    const [first = '', , third = ''] = paths;
    expect(await grepArtifacts(artifacts, { paths, pattern })).toMatchObject({
      matches: [
        { file: first, line: 1 },
        { file: third, line: 2 },
        { file: third, line: 3 },
      ],
      count: 3,
      files: [
        { path: first, count: 1 },
        { path: third, count: 2 },
      ],
      searched: 3,
      failed: [],
      isComplete: true,
    });
  });

  it('is one in all of the scope when none are named', async () => {
    const { artifacts, paths } = await scopeWith(['hit', 'hit', 'hit']);
    const { matches } = await grepArtifacts(artifacts, { pattern });
    expect(matches.map((match) => match.file).sort()).toEqual(paths.sort());
  });

  it('goes on where it ended, artifact after artifact, and finds each match once', async () => {
    const { artifacts, paths } = await scopeWith(['hit\n'.repeat(7), 'nothing', 'hit\n'.repeat(5), 'hit']);
    const pages = await allPages(artifacts, { paths, maxMatches: 2 });
    const found = pages.flatMap((page) => page.matches.map((match) => `${paths.indexOf(match.file)}:${match.line}`));
    const expected = [7, 0, 5, 1].flatMap((count, file) =>
      Array.from({ length: count }, (_, line) => `${file}:${line + 1}`),
    );
    expect(found).toEqual(expected);
  });

  it('tells of all matches on its first page, also of those in artifacts that had no room', async () => {
    const { artifacts, paths } = await scopeWith(['hit\n'.repeat(7), 'hit\n'.repeat(5)]);
    expect(await grepArtifacts(artifacts, { paths, pattern, maxMatches: 3 })).toMatchObject({
      count: 12,
      isComplete: true,
    });
  });

  it('has one limit for what it shows of all of them', async () => {
    const { artifacts, paths } = await scopeWith(Array.from({ length: 5 }, () => `hit ${'x'.repeat(200)}\n`.repeat(5)));
    const { matches } = await grepArtifacts(artifacts, { paths, pattern, maxChars: 2000 });
    expect(matches.map((match) => match.text).join('').length).toBeLessThanOrEqual(2000);
    expect(new Set(matches.map((match) => match.file)).size).toBe(2);
  });

  it('reads no more of all of them than it may, and says where to go on', async () => {
    const { artifacts, paths } = await scopeWith(['x\n'.repeat(1000), 'hit', 'hit']);
    const first = await grepArtifacts(artifacts, { paths, pattern, maxScanBytes: 1000 });
    expect(first).toMatchObject({ searched: 1, count: 0, isComplete: false });
    const rest = await grepArtifacts(artifacts, { paths, pattern, cursor: first.next });
    expect(rest).toMatchObject({ searched: 2, count: 2, isComplete: true });
  });

  it('names an artifact that is gone, and finds in the others', async () => {
    const { artifacts, paths } = await scopeWith(['hit', 'hit', 'hit']);
    const [, gone = ''] = paths;
    await artifacts.delete(gone);
    expect(await grepArtifacts(artifacts, { paths, pattern })).toMatchObject({
      count: 2,
      failed: [{ path: gone, reason: 'gone' }],
      isComplete: true,
    });
  });

  it('names one that is no text, and what it is', async () => {
    const { artifacts, paths } = await scopeWith(['hit', Uint8Array.of(0, 1, 2)]);
    const { count, failed } = await grepArtifacts(artifacts, { paths, pattern });
    expect({ count, failed }).toEqual({ count: 1, failed: [{ path: paths[1], reason: 'unreadable', kind: 'binary' }] });
  });

  it('names one that the store cannot give, with the error', async () => {
    const store = memoryStore();
    const { paths } = await scopeWith(['hit', 'hit'], store);
    const error = new Error('the disk is broken');
    const broken: ArtifactStore = {
      ...store,
      async get(key, options) {
        if (key.endsWith(paths[0]?.split('/')[1] ?? '?')) throw error;
        return store.get(key, options);
      },
    };
    const artifacts = scopedArtifacts(broken, { scope: 'search' });
    const { count, failed } = await grepArtifacts(artifacts, { paths, pattern });
    expect({ count, failed }).toEqual({ count: 1, failed: [{ path: paths[0], reason: 'error', error }] });
  });

  it('is partial when the time is up, and gone on with where it stood', async () => {
    const { artifacts, paths } = await scopeWith(['hit', 'hit']);
    const result = await grepArtifacts(artifacts, { paths, pattern, deadline: AbortSignal.abort() });
    expect(result).toMatchObject({ count: 0, isComplete: false });
    expect(await grepArtifacts(artifacts, { paths, pattern, cursor: result.next })).toMatchObject({ count: 2 });
  });

  test('that waited for its turn has its whole time limit', async () => {
    const { artifacts, paths } = await scopeWith(['hit', 'hit']);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const turns = Array.from({ length: 4 }, () => searchTurn(artifacts));
    for (const turn of turns) await turn.take(new AbortController().signal);
    const result = grepArtifacts(artifacts, { paths, pattern });
    await vi.advanceTimersByTimeAsync(10_000);
    for (const turn of turns) turn.end();
    await vi.advanceTimersByTimeAsync(100);
    expect(await result).toMatchObject({ count: 2, isComplete: true });
  });

  it('that its caller gives up has no answer', async () => {
    const { artifacts, paths } = await scopeWith(['hit']);
    const reason = new Error('closed');
    await expect(grepArtifacts(artifacts, { paths, pattern, abortSignal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  it('searches an artifact that is named twice once', async () => {
    const { artifacts, paths } = await scopeWith(['hit']);
    expect(await grepArtifacts(artifacts, { paths: [...paths, ...paths], pattern })).toMatchObject({
      count: 1,
      searched: 1,
    });
  });
});

describe('hostile arguments of a search', () => {
  it.each([
    ['no paths', { paths: [] }],
    ['too many paths', { paths: Array.from({ length: 101 }, (_, index) => `${index}`) }],
    ['paths that are no texts', { paths: [1] as unknown as string[] }],
    ['a cursor of nothing', { cursor: '' }],
    ['a cursor of a megabyte', { cursor: '1:'.repeat(500_000) }],
    ['a cursor of another artifact', { cursor: '0123456789abcdef:1:1:0' }],
    ['a cursor with a place that cannot be', { cursor: '0123456789abcdef:9:1:0' }],
    ['a cursor with a number beyond all', { cursor: '0123456789abcdef:1:1:9999999999999999' }],
    ['a cursor that is none', { cursor: {} as unknown as string }],
  ])('are refused: %s', async (_, options) => {
    const { artifacts, paths } = await scopeWith(['hit']);
    await expect(grepArtifacts(artifacts, { paths, ...options, pattern })).rejects.toThrow(InvalidOptionError);
  });

  it.each(['../../etc/passwd', '/etc/passwd', 'https://example.com', '__proto__', '\0', 'x'.repeat(100_000)])(
    'as a path find nothing: %.40s',
    async (path) => {
      const { artifacts } = await scopeWith(['hit']);
      expect(await grepArtifacts(artifacts, { paths: [path], pattern })).toMatchObject({
        count: 0,
        failed: [{ reason: 'gone' }],
      });
    },
  );
});
