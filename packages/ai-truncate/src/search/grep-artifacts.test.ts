import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { compileSearchPattern, type SearchPattern } from '../text/pattern.ts';
import { type GrepArtifactsResult, grepArtifacts } from './grep-artifacts.ts';
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

/** A new scope with these artifacts, in this order. */
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
  test('finds matches in each of them, in their order, and counts them for each artifact', async () => {
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

  test('searches the whole scope if no artifact is named', async () => {
    const { artifacts, paths } = await scopeWith(['hit', 'hit', 'hit']);
    const { matches } = await grepArtifacts(artifacts, { pattern });
    expect(matches.map((match) => match.file).sort()).toEqual(paths.sort());
  });

  test('continues where it ended, artifact after artifact, and finds each match once', async () => {
    const { artifacts, paths } = await scopeWith(['hit\n'.repeat(7), 'nothing', 'hit\n'.repeat(5), 'hit']);
    const pages = await allPages(artifacts, { paths, maxMatches: 2 });
    const found = pages.flatMap((page) => page.matches.map((match) => `${paths.indexOf(match.file)}:${match.line}`));
    const expected = [7, 0, 5, 1].flatMap((count, file) =>
      Array.from({ length: count }, (_, line) => `${file}:${line + 1}`),
    );
    expect(found).toEqual(expected);
  });

  test('counts all matches on its first page, even in artifacts whose matches did not fit', async () => {
    const { artifacts, paths } = await scopeWith(['hit\n'.repeat(7), 'hit\n'.repeat(5)]);
    expect(await grepArtifacts(artifacts, { paths, pattern, maxMatches: 3 })).toMatchObject({
      count: 12,
      isComplete: true,
    });
  });

  test('has one limit for everything that it shows', async () => {
    const { artifacts, paths } = await scopeWith(Array.from({ length: 5 }, () => `hit ${'x'.repeat(200)}\n`.repeat(5)));
    const { matches } = await grepArtifacts(artifacts, { paths, pattern, maxChars: 2000 });
    expect(matches.map((match) => match.text).join('').length).toBeLessThanOrEqual(2000);
    expect(new Set(matches.map((match) => match.file)).size).toBe(2);
  });

  test('reads no more bytes than the limit for all artifacts, and says where to continue', async () => {
    const { artifacts, paths } = await scopeWith(['x\n'.repeat(1000), 'hit', 'hit']);
    const first = await grepArtifacts(artifacts, { paths, pattern, maxScanBytes: 1000 });
    expect(first).toMatchObject({ searched: 1, count: 0, isComplete: false });
    const rest = await grepArtifacts(artifacts, { paths, pattern, cursor: first.next });
    expect(rest).toMatchObject({ searched: 2, count: 2, isComplete: true });
  });

  test('names a missing artifact, and searches the others', async () => {
    const { artifacts, paths } = await scopeWith(['hit', 'hit', 'hit']);
    const [, gone = ''] = paths;
    await artifacts.delete(gone);
    expect(await grepArtifacts(artifacts, { paths, pattern })).toMatchObject({
      count: 2,
      failed: [{ path: gone, reason: 'gone' }],
      isComplete: true,
    });
  });

  test('names an artifact that is not text, and its kind', async () => {
    const { artifacts, paths } = await scopeWith(['hit', Uint8Array.of(0, 1, 2)]);
    const { count, failed } = await grepArtifacts(artifacts, { paths, pattern });
    expect({ count, failed }).toEqual({ count: 1, failed: [{ path: paths[1], reason: 'unreadable', kind: 'binary' }] });
  });

  test('names an artifact that the store cannot read, with the error', async () => {
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

  test('is partial when its time is up, and continues at its last position', async () => {
    const { artifacts, paths } = await scopeWith(['hit', 'hit']);
    const result = await grepArtifacts(artifacts, { paths, pattern, deadline: AbortSignal.abort() });
    expect(result).toMatchObject({ count: 0, isComplete: false });
    expect(await grepArtifacts(artifacts, { paths, pattern, cursor: result.next })).toMatchObject({ count: 2 });
  });

  test('has its whole time limit after it waited for its turn', async () => {
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

  test('has no answer if its caller aborts', async () => {
    const { artifacts, paths } = await scopeWith(['hit']);
    const reason = new Error('closed');
    await expect(grepArtifacts(artifacts, { paths, pattern, abortSignal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  test('searches an artifact only once if it is named twice', async () => {
    const { artifacts, paths } = await scopeWith(['hit']);
    expect(await grepArtifacts(artifacts, { paths: [...paths, ...paths], pattern })).toMatchObject({
      count: 1,
      searched: 1,
    });
  });
});

describe('hostile arguments of a search', () => {
  test.each([
    ['no paths', { paths: [] }],
    ['too many paths', { paths: Array.from({ length: 101 }, (_, index) => `${index}`) }],
    ['paths that are not texts', { paths: [1] as unknown as string[] }],
    ['a cursor of nothing', { cursor: '' }],
    ['a cursor of a megabyte', { cursor: '1:'.repeat(500_000) }],
    ['a cursor of another artifact', { cursor: '0123456789abcdef:1:1:0' }],
    ['a cursor with an impossible place', { cursor: '0123456789abcdef:9:1:0' }],
    ['a cursor with a huge number', { cursor: '0123456789abcdef:1:1:9999999999999999' }],
    ['a text that is not a cursor', { cursor: {} as unknown as string }],
  ])('are refused: %s', async (_, options) => {
    const { artifacts, paths } = await scopeWith(['hit']);
    await expect(grepArtifacts(artifacts, { paths, ...options, pattern })).rejects.toThrow(InvalidOptionError);
  });

  test.each(['../../etc/passwd', '/etc/passwd', 'https://example.com', '__proto__', '\0', 'x'.repeat(100_000)])(
    'find nothing as a path: %.40s',
    async (path) => {
      const { artifacts } = await scopeWith(['hit']);
      expect(await grepArtifacts(artifacts, { paths: [path], pattern })).toMatchObject({
        count: 0,
        failed: [{ reason: 'gone' }],
      });
    },
  );
});
