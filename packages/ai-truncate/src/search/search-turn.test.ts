import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { meteredArtifacts } from '../agents/explore/metered-artifacts.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { inSearchTurn, searchTurn } from './search-turn.ts';

const never = new AbortController().signal;
const inStore = (store = memoryStore()) => {
  return (scope: string): Artifacts => scopedArtifacts(store, { scope });
};

/** Searches that record when they start, and end with `endAll`. */
function searches() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  let underWay = 0;
  let most = 0;
  const start = (artifacts: Artifacts, { name = '', signal = never } = {}): Promise<unknown> => {
    const work = async (): Promise<void> => {
      begun.push(name);
      most = Math.max(most, ++underWay);
      await new Promise<void>((resolve) => ends.push(resolve));
      underWay--;
    };
    return inSearchTurn(artifacts, { signal, work });
  };
  const endAll = async (all: Promise<unknown>[]): Promise<void> => {
    let isOver = false;
    const over = Promise.all(all).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      for (const end of ends.splice(0)) end();
      await nextTurn();
    }
    await over;
  };
  return { begun, start, endAll, most: () => most };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('searches of one store', () => {
  test('run at most 4 at once in one scope, and start about in the order of their arrival', async () => {
    const artifacts = inStore()('chat-1');
    const { begun, start, endAll, most } = searches();
    const names = Array.from({ length: 100 }, (_, index) => `${index}`);
    await endAll(names.map((name) => start(artifacts, { name })));
    expect(most()).toBe(4);
    // Each search checks for its turn by itself, so neighbors may change places.
    expect(begun.filter((name, index) => Math.abs(Number(name) - index) > 20)).toEqual([]);
  });

  test('run at most 8 at once in all scopes', async () => {
    const of = inStore();
    const { start, endAll, most } = searches();
    await endAll(Array.from({ length: 60 }, (_, index) => start(of(`chat-${index % 20}`))));
    expect(most()).toBe(8);
  });

  test('do not wait for hundreds of another scope that came before', async () => {
    const of = inStore();
    const { begun, start, endAll } = searches();
    const many = Array.from({ length: 300 }, () => start(of('chat-1'), { name: 'one of many' }));
    const other = start(of('chat-2'), { name: 'other' });
    await vi.waitUntil(() => begun.includes('other'));
    expect(begun).toHaveLength(5);
    await endAll([...many, other]);
  });

  test('take turns between scopes that all wait', async () => {
    const of = inStore();
    const { begun, start, endAll } = searches();
    const all = ['a', 'b', 'c', 'd'].flatMap((scope) =>
      Array.from({ length: 20 }, () => start(of(scope), { name: scope })),
    );
    await endAll(all);
    // Two scopes fill the store at first. After that, no scope is served twice before the others.
    expect(new Set(begun.slice(8, 16))).toEqual(new Set(['a', 'b', 'c', 'd']));
  });

  test('do not count searches of another store, even if the scope has the same name', async () => {
    const { begun, start, endAll } = searches();
    const many = Array.from({ length: 20 }, () => start(inStore()('chat-1')));
    await vi.waitUntil(() => begun.length === 20);
    await endAll(many);
  });

  test('count searches of artifacts whose reading is measured', async () => {
    const artifacts = inStore()('chat-1');
    const { start, endAll, most } = searches();
    const metered = () => meteredArtifacts(artifacts, { maxBytes: 1 }).artifacts;
    await endAll(Array.from({ length: 20 }, () => start(metered())));
    expect(most()).toBe(4);
  });

  test('that fail let the next one start', async () => {
    const artifacts = inStore()('chat-1');
    const work = () => Promise.reject(new Error('broken'));
    const all = Array.from({ length: 20 }, () => inSearchTurn(artifacts, { signal: never, work }));
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(all.map(() => 'rejected'));
  });
});

describe('a search that waits', () => {
  test('ends at once when its signal aborts, and leaves the queue', async () => {
    const artifacts = inStore()('chat-1');
    const { begun, start, endAll } = searches();
    const running = Array.from({ length: 4 }, () => start(artifacts, { name: 'running' }));
    const controller = new AbortController();
    const aborted = start(artifacts, { name: 'aborted', signal: controller.signal });
    const next = start(artifacts, { name: 'next' });
    controller.abort();
    await aborted;
    await endAll([...running, next]);
    expect(begun).toEqual([...running.map(() => 'running'), 'next']);
  });

  test('gives up after 20 seconds without a turn', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const artifacts = inStore()('chat-1');
    for (let count = 0; count < 4; count++) await searchTurn(artifacts).take(never);
    const work = vi.fn();
    const waiting = inSearchTurn(artifacts, { signal: undefined, work });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await waiting).toBeUndefined();
    expect(work).not.toHaveBeenCalled();
  });

  test('gets a turn even after the process was blocked for a minute', async () => {
    const artifacts = inStore()('chat-1');
    const { start, endAll, begun } = searches();
    const all = Array.from({ length: 20 }, () => start(artifacts));
    const { now } = performance;
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 60_000);
    await endAll(all);
    expect(begun).toHaveLength(20);
  });

  test('blocks no other search if it never checks again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const artifacts = inStore()('chat-1');
    const turns = Array.from({ length: 4 }, () => searchTurn(artifacts));
    for (const turn of turns) await turn.take(never);
    vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce(() => 0 as never);
    void searchTurn(artifacts).take(never);
    const next = searchTurn(artifacts).take(never);
    for (const turn of turns) turn.end();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await next).toBe(true);
  });

  test('starts when earlier searches never end their turn, as in a worker whose clients have disconnected', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const artifacts = inStore()('chat-1');
    for (let count = 0; count < 4; count++) await searchTurn(artifacts).take(never);
    let isStarted = false;
    void searchTurn(artifacts)
      .take(never)
      .then(() => {
        isStarted = true;
      });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(isStarted).toBe(false);
    await vi.advanceTimersByTimeAsync(6000);
    expect(isStarted).toBe(true);
  });
});
