import { describe, expect, test, vi } from 'vitest';
import type { ArtifactStore, StoredEntry } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { type ArtifactNameParts, parseArtifactName } from './artifact-name.ts';
import type { Artifacts } from './artifacts.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';
import { formatAgePlace, keysOf, listStored, parseAgePlace } from './stored-artifacts.ts';

const call = { toolName: 'readServerLogs', toolCallId: 'call_123' };
const name = (second: number, id = '0123456789abcdef') => `tool_20260105_1000${second}_logs_call_${id}.txt`;
const [one, two, three] = [name(11), name(12), name(13)] as const;
const info = (artifact: string) => `${artifact}.info.json`;

/** A store with these keys. */
async function storeOf(...keys: string[]): Promise<ArtifactStore> {
  const store = memoryStore();
  for (const key of keys) {
    await store.put(key, ReadableStream.from([new Uint8Array(key.length)]), { contentType: 'text/plain' });
  }
  return store;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the artifacts under a prefix', () => {
  const found = async (store: ArtifactStore, options: { prefix: string; after?: string }) =>
    (await collect(listStored(store, options))).map((stored) => [stored.key, ...keysOf(stored)]);

  test('have both parts, the artifact and its side-car', async () => {
    const store = await storeOf(`a/${one}`, `a/${info(one)}`, `a/${two}`, `a/${info(two)}`);
    const [first] = await collect(listStored(store, { prefix: 'a/' }));
    expect(first).toMatchObject({ key: `a/${one}`, name: one, parts: { tool: 'logs', call: 'call' } });
    expect([first?.artifact?.bytes, first?.info?.bytes]).toEqual([one.length + 2, info(one).length + 2]);
    expect(await found(store, { prefix: 'a/' })).toEqual([
      [`a/${one}`, `a/${info(one)}`, `a/${one}`],
      [`a/${two}`, `a/${info(two)}`, `a/${two}`],
    ]);
  });

  test('may have one part, while they are written or as orphans', async () => {
    const store = await storeOf(`a/${one}`, `a/${info(two)}`, `a/${three}`);
    expect(await found(store, { prefix: 'a/' })).toEqual([
      [`a/${one}`, `a/${one}`],
      [`a/${two}`, `a/${info(two)}`],
      [`a/${three}`, `a/${three}`],
    ]);
  });

  test('are only artifacts of the prefix, without foreign keys', async () => {
    const foreign = ['a/notes.txt', `a/${one}.bak`, `a/x${one}`, `a/${info(info(one))}`];
    const store = await storeOf(...foreign, `a/${two}`, `ab/${two}`);
    expect(await found(store, { prefix: 'a/' })).toEqual([[`a/${two}`, `a/${two}`]]);
    expect(await found(store, { prefix: '' })).toEqual([
      [`a/${two}`, `a/${two}`],
      [`ab/${two}`, `ab/${two}`],
    ]);
  });

  test('start after a key, and not with the side-car of that key', async () => {
    const store = await storeOf(`a/${one}`, `a/${info(one)}`, `a/${two}`);
    expect(await found(store, { prefix: 'a/', after: `a/${one}` })).toEqual([[`a/${two}`, `a/${two}`]]);
    expect(await found(store, { prefix: 'a/', after: `a/${two}` })).toEqual([]);
  });

  test('do not exist in an empty store', async () => {
    expect(await found(await storeOf(), { prefix: '' })).toEqual([]);
  });
});

test('the side-car is deleted first, because an artifact without one does not exist', () => {
  const entry = (key: string): StoredEntry => ({ key, bytes: 1, writtenAt: new Date(0) });
  const parts = parseArtifactName(one) as ArtifactNameParts;
  const stored = { key: 'k', name: one, parts, artifact: entry('artifact'), info: entry('info') };
  expect(keysOf(stored)).toEqual(['info', 'artifact']);
});

describe('a place in the order of ages', () => {
  test('is read as it was written', () => {
    const place = parseAgePlace(`${one}:1767607211123`);
    expect(place).toMatchObject({ name: one, writtenAt: 1767607211123, createdAt: new Date('2026-01-05T10:00:11Z') });
    expect(formatAgePlace(place as NonNullable<typeof place>)).toBe(`${one}:1767607211123`);
  });

  test.each([
    ...[
      '',
      ':',
      one,
      `${one}:`,
      `${one}:-1`,
      `${one}:1:2`,
      `${one}:1 `,
      `x:${one}:1`,
      'notes.txt:5',
      `${one}:${'9'.repeat(16)}`,
    ],
    ...[undefined, null, 7, {}],
  ])('is refused in any other form: %j', (cursor) => {
    expect(parseAgePlace(cursor)).toBeUndefined();
  });
});

describe('a list', () => {
  test('yields the newest first within one second too', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const [milliseconds, toolName] of ['zebra', 'apple', 'mango'].entries()) {
      vi.setSystemTime(new Date('2026-01-01T12:00:00Z').getTime() + milliseconds);
      await artifacts.save('x', { toolName, toolCallId: 'call_1' });
    }
    vi.useRealTimers();
    expect((await collect(artifacts.list())).map(({ tool }) => tool)).toEqual(['mango', 'apple', 'zebra']);
  });

  const start = new Date('2026-01-01T00:00:00Z').getTime();
  /** Saves a number of artifacts in each second. */
  async function saveEverySecond(
    artifacts: Artifacts,
    { count, perSecond = 1 }: { count: number; perSecond?: number },
  ) {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (let index = 0; index < count; index++) {
      const second = Math.floor(index / perSecond);
      vi.setSystemTime(start + second * 1000 + (index % perSecond));
      await artifacts.save('x', { ...call, toolName: `n${index}` });
    }
    vi.useRealTimers();
  }
  const newestToOldest = (count: number) => Array.from({ length: count }, (_, index) => `n${count - 1 - index}`);

  test.each([
    ['one in each second', { count: 5100 }],
    ['700 in each second', { count: 5100, perSecond: 700 }],
    ['all in one second', { count: 2100, perSecond: 2100 }],
  ])('continues beyond 1,000 to the oldest, %s', async (_, saves) => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    await saveEverySecond(artifacts, saves);
    expect((await collect(artifacts.list())).map(({ tool }) => tool)).toEqual(newestToOldest(saves.count));
    expect(await artifacts.usage()).toEqual({ count: saves.count, bytes: saves.count });
  });

  test('needs one listing for the newest 1,000, and reads no artifact', async () => {
    const verbs: string[] = [];
    const inner = memoryStore();
    const store: ArtifactStore = {
      ...inner,
      get(...asked) {
        verbs.push('get');
        return inner.get(...asked);
      },
      list(...asked) {
        verbs.push('list');
        return inner.list(...asked);
      },
    };
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    await saveEverySecond(artifacts, { count: 3100 });
    verbs.length = 0;
    let count = 0;
    for await (const _ of artifacts.list()) if (++count === 1000) break;
    expect(verbs).toEqual(['list']);
    expect(await collect(artifacts.list())).toHaveLength(3100);
    expect(verbs).toEqual(['list', 'list', 'list', 'list']);
  });

  test('continues after the cursor of any artifact, deleted or not, and after newer ones were saved', async () => {
    const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    await saveEverySecond(artifacts, { count: 2050, perSecond: 3 });
    const all = await collect(artifacts.list());
    await artifacts.save('new', call);
    const deleted = new Set<string>();
    for (const index of [0, 1, 2, 999, 1000, 1700, 2048, 2049]) {
      const { cursor = '', name = '' } = all[index] ?? {};
      const older = all.slice(index + 1).map((each) => each.name);
      const rest = older.filter((each) => !deleted.has(each));
      expect((await collect(artifacts.list({ cursor }))).map((each) => each.name)).toEqual(rest);
      await artifacts.delete(name);
      deleted.add(name);
      expect((await collect(artifacts.list({ cursor }))).map((each) => each.name)).toEqual(rest);
    }
  });
});
