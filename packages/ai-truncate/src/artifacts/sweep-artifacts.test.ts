import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';
import { sweepArtifacts } from './sweep-artifacts.ts';

const call = { toolName: 'read', toolCallId: 'call_1' };
const hour = 3_600_000;
const day = 24 * hour;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Saves at an earlier time, by the clocks of the process and of the store. */
async function saveAgo(store: ArtifactStore, ageMs: number, scope = 'chat-1'): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - ageMs });
  const { name } = await scopedArtifacts(store, { scope }).save('text', call);
  vi.useRealTimers();
  return `${scope}/${name}`;
}

async function put(store: ArtifactStore, key: string): Promise<void> {
  await store.put(key, ReadableStream.from([new Uint8Array(3)]), { contentType: 'text/plain' });
}

async function putAgo(store: ArtifactStore, key: string, ageMs: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - ageMs });
  await put(store, key);
  vi.useRealTimers();
}

async function keysOf(store: ArtifactStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

describe('sweepArtifacts', () => {
  test('deletes artifacts of every scope that are older than the retention, with their side-cars, and nothing younger', async () => {
    const store = memoryStore();
    await saveAgo(store, 7 * day + hour);
    await saveAgo(store, 30 * day, 'chat-2');
    const young = [await saveAgo(store, 7 * day - hour), await saveAgo(store, 0, 'chat-2')];
    expect(await sweepArtifacts(store)).toEqual({
      examined: 4,
      deletedArtifacts: 2,
      deletedOrphans: 0,
      failed: 0,
    });
    expect(await keysOf(store)).toEqual(young.flatMap((key) => [key, `${key}.info.json`]).toSorted());
  });

  test('respects a longer retention of artifacts', async () => {
    const store = memoryStore();
    await saveAgo(store, 29 * day);
    expect(await sweepArtifacts(store, { retentionDays: 30 })).toMatchObject({ deletedArtifacts: 0 });
    expect(await sweepArtifacts(store, { retentionDays: 28 })).toMatchObject({ deletedArtifacts: 1 });
  });

  test('deletes halves of artifacts after an hour, of either kind', async () => {
    const store = memoryStore();
    const [first, second, third] = [
      await saveAgo(store, 2 * hour),
      await saveAgo(store, 2 * hour),
      await saveAgo(store, hour / 2),
    ];
    await store.delete([`${first}.info.json`, second, `${third}.info.json`]);
    expect(await sweepArtifacts(store)).toMatchObject({ examined: 3, deletedArtifacts: 0, deletedOrphans: 2 });
    expect(await keysOf(store)).toEqual([third]);
  });

  test('touches nothing that is not named like an artifact, however old', async () => {
    const store = memoryStore();
    const foreign = [
      'chat-1/notes.txt',
      'chat-1/tool_20200101_000000_read_call-1_7f3k9q2m4x8p1z5c.html',
      'con/tool_20200101_000000_read_call-1_7f3k9q2m4x8p1z5c.txt',
      '_x/tool_20200101_000000_read_call-1_7f3k9q2m4x8p1z5c.txt.info.json',
    ];
    for (const key of foreign) await putAgo(store, key, 400 * day);
    expect(await sweepArtifacts(store)).toMatchObject({ examined: 0, deletedOrphans: 0 });
    expect(await keysOf(store)).toEqual(foreign.toSorted());
  });

  test.each([
    ['the clock of the saving process was years late', 'tool_20160101_000000_read_call-1_7f3k9q2m4x8p1z5c.txt', 0],
    ['the clock of the store is years late', undefined, 3650 * day],
  ])('preserves fresh artifacts though %s', async (_, oldName, storeAgeMs) => {
    const store = memoryStore();
    const name = oldName ?? (await saveAgo(memoryStore(), 0)).split('/')[1];
    await putAgo(store, `chat-1/${name}`, storeAgeMs);
    await putAgo(store, `chat-1/${name}.info.json`, storeAgeMs);
    expect(await sweepArtifacts(store)).toMatchObject({ examined: 1, deletedArtifacts: 0, deletedOrphans: 0 });
  });

  test.each([10 * 365 * day, -10 * 365 * day])(
    'deletes nothing fresh after the clock jumped by %d ms',
    async (jumpMs) => {
      const store = memoryStore();
      await saveAgo(store, 0);
      const half = await saveAgo(store, 0);
      await store.delete([`${half}.info.json`]);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jumpMs });
      expect(await sweepArtifacts(store)).toMatchObject({ examined: 2, deletedArtifacts: 0, deletedOrphans: 0 });
    },
  );

  test('stops at its limit of deletions, says so, and the next pass continues', async () => {
    const store = memoryStore();
    for (let index = 0; index < 25; index++) await saveAgo(store, 10 * day);
    const first = await sweepArtifacts(store, { maxDeletes: 10 });
    const second = await sweepArtifacts(store, { maxDeletes: 10, ...(first.next && { after: first.next }) });
    const third = await sweepArtifacts(store, { maxDeletes: 10, ...(second.next && { after: second.next }) });
    expect([first, second, third].map(({ deletedArtifacts }) => deletedArtifacts)).toEqual([10, 10, 5]);
    expect([first, second, third].map(({ next }) => next !== undefined)).toEqual([true, true, false]);
  });

  test('continues where the last pass stopped, so that fresh artifacts do not block it', async () => {
    const store = memoryStore();
    for (let index = 0; index < 5; index++) await saveAgo(store, 0, 'aaa');
    const old = await saveAgo(store, 10 * day, 'zzz');
    const [, , third = ''] = (await keysOf(store)).filter((key) => !key.endsWith('.info.json'));
    expect(await sweepArtifacts(store, { after: third })).toMatchObject({ deletedArtifacts: 1 });
    expect(await keysOf(store)).not.toContain(old);
  });

  test('does not mistake a side-car for an orphan because its artifact comes before the start of the pass', async () => {
    const store = memoryStore();
    const key = await saveAgo(store, 2 * hour);
    for (const after of [key, `${key}.info`, `${key}~`]) {
      expect(await sweepArtifacts(store, { after })).toMatchObject({ examined: 0, deletedOrphans: 0 });
    }
    expect(await keysOf(store)).toHaveLength(2);
    await expect(sweepArtifacts(store, { after: null as never })).rejects.toThrow('`after` must be');
  });

  test('does not mistake an artifact for an orphan if its other half was written after the listing', async () => {
    const inner = memoryStore();
    await saveAgo(inner, 2 * hour);
    const store: ArtifactStore = {
      ...inner,
      async *list(prefix, options) {
        for await (const entry of inner.list(prefix, options)) if (!entry.key.endsWith('.info.json')) yield entry;
      },
    };
    expect(await sweepArtifacts(store)).toMatchObject({ examined: 1, deletedOrphans: 0 });
  });

  test('does not claim to be complete if nothing was checked', async () => {
    const store: ArtifactStore = {
      ...memoryStore(),
      list: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    };
    await expect(sweepArtifacts(store, { maxMs: 20 })).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
    await expect(sweepArtifacts(store, { maxMs: 20, after: 'a/b' })).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
  });

  test('preserves an artifact whose side-car cannot be read, and deletes the others', async () => {
    const inner = memoryStore();
    const unreadable = await saveAgo(inner, 10 * day);
    for (let index = 0; index < 3; index++) await saveAgo(inner, 10 * day);
    const store: ArtifactStore = {
      ...inner,
      get: (key, options) => (key.startsWith(unreadable) ? Promise.reject(new Error('EIO')) : inner.get(key, options)),
    };
    expect(await sweepArtifacts(store)).toMatchObject({ deletedArtifacts: 3, failed: 1 });
  });

  test('respects the promise of a newer version, which writes its side-cars in another format', async () => {
    const store = memoryStore();
    const key = await saveAgo(store, 10 * day);
    const info = new TextEncoder().encode(JSON.stringify({ version: 2, expiresAt: new Date(Date.now() + day) }));
    await store.delete([`${key}.info.json`]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10 * day });
    await store.put(`${key}.info.json`, ReadableStream.from([info]), { contentType: 'application/json' });
    vi.useRealTimers();
    expect(await sweepArtifacts(store)).toMatchObject({ examined: 1, deletedArtifacts: 0 });
  });

  test('ends with its signal while the store fails to delete, artifact by artifact', async () => {
    const inner = memoryStore();
    for (let index = 0; index < 40; index++) await saveAgo(inner, 10 * day);
    const onDelete = vi.fn();
    const controller = new AbortController();
    const store: ArtifactStore = {
      ...inner,
      async delete() {
        onDelete();
        if (onDelete.mock.calls.length === 3) controller.abort(new Error('stopped'));
        throw new Error('503');
      },
    };
    await expect(sweepArtifacts(store, { abortSignal: controller.signal })).rejects.toThrow('stopped');
    expect(onDelete).toHaveBeenCalledTimes(3);
  });

  test('stops when its time is over, even while the listing hangs, and deletes the artifacts found so far', async () => {
    const inner = memoryStore();
    for (let index = 0; index < 5; index++) await saveAgo(inner, 10 * day);
    const store: ArtifactStore = {
      ...inner,
      async *list(prefix, options) {
        let count = 0;
        for await (const entry of inner.list(prefix, options)) {
          if (++count > 6) await new Promise(() => {});
          yield entry;
        }
      },
    };
    const { next, ...result } = await sweepArtifacts(store, { maxMs: 50 });
    expect(result).toEqual({ examined: 2, deletedArtifacts: 2, deletedOrphans: 0, failed: 0 });
    expect(await sweepArtifacts(inner, { ...(next && { after: next }) })).toMatchObject({ deletedArtifacts: 3 });
  });

  test('respects a longer promise than its own retention', async () => {
    const store = memoryStore();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10 * day });
    await scopedArtifacts(store, { scope: 'long', retentionDays: 30 }).save('text', call);
    vi.useRealTimers();
    await saveAgo(store, 10 * day);
    expect(await sweepArtifacts(store)).toMatchObject({ examined: 2, deletedArtifacts: 1 });
    expect((await keysOf(store))[0]).toMatch(/^long/);
  });

  test('deletes the others if one artifact cannot be deleted, and returns how many stayed', async () => {
    const inner = memoryStore();
    const stuck = await saveAgo(inner, 10 * day, 'aaa');
    for (let index = 0; index < 3; index++) await saveAgo(inner, 10 * day);
    const store: ArtifactStore = {
      ...inner,
      delete: (keys, options) =>
        keys.includes(stuck) ? Promise.reject(new Error('forbidden')) : inner.delete(keys, options),
    };
    expect(await sweepArtifacts(store)).toMatchObject({ deletedArtifacts: 3, failed: 1 });
    expect(await keysOf(inner)).toEqual([stuck, `${stuck}.info.json`]);
  });

  test('ends with the reason of its signal', async () => {
    const store = memoryStore();
    await saveAgo(store, 0);
    const reason = new Error('stopped');
    await expect(sweepArtifacts(store, { abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('deletes thousands in batches that a store takes', async () => {
    const inner = memoryStore();
    const batches: number[] = [];
    const store: ArtifactStore = {
      ...inner,
      delete(keys) {
        batches.push(keys.length);
        return inner.delete(keys);
      },
    };
    for (let index = 0; index < 1200; index++) await saveAgo(inner, 10 * day);
    expect(await sweepArtifacts(store)).toMatchObject({ deletedArtifacts: 1200 });
    expect(Math.max(...batches)).toBeLessThanOrEqual(1000);
    expect(await keysOf(inner)).toEqual([]);
  });

  test('names an invalid option', async () => {
    await expect(sweepArtifacts(memoryStore(), { retentionDays: 0 })).rejects.toThrow('`retentionDays` must be');
    await expect(sweepArtifacts(memoryStore(), { maxMs: Number.NaN })).rejects.toThrow('`maxMs` must be');
    await expect(sweepArtifacts(undefined as never)).rejects.toThrow('`store` must be an artifact store');
  });
});
