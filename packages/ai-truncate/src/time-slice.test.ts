import { afterEach, describe, expect, test, vi } from 'vitest';
import { spin, watchEventLoop } from '../fixtures/event-loop.ts';
import { inTurn, pace } from './pace.ts';

const PIECE = 128 * 1024;

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const importWith = async (globals: Record<string, unknown>): Promise<typeof import('./pace.ts')> => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  vi.resetModules();
  const fresh = await import('./pace.ts');
  vi.unstubAllGlobals();
  return fresh;
};

describe('a turn of the event loop under pace', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  const runWith = async (globals: Record<string, unknown>): Promise<void> => {
    const fresh = await importWith(globals);
    for await (const _ of fresh.pace(['a', 'b', 'c'])) spin(10);
  };

  /** Like in the edge runtime of Next.js. */
  const throwing = vi.fn(function stub() {
    throw new Error('not supported');
  });
  afterEach(() => throwing.mockClear());

  test('is a message if there is no setImmediate', async () => {
    const post = vi.spyOn(MessagePort.prototype, 'postMessage');
    await runWith({ setImmediate: undefined });
    expect(post).toHaveBeenCalledTimes(3);
    post.mockRestore();
  });

  const timeouts = async (globals: Record<string, unknown>): Promise<number> => {
    const setTimeout = vi.spyOn(globalThis, 'setTimeout');
    await runWith(globals);
    const { length } = setTimeout.mock.calls.filter(([, ms]) => ms === 0);
    setTimeout.mockRestore();
    return length;
  };

  test('is a timeout if there is no MessageChannel either', async () => {
    expect(await timeouts({ setImmediate: undefined, MessageChannel: undefined })).toBe(3);
  });

  test('is a timeout if both throw when they are called', async () => {
    expect(await timeouts({ setImmediate: throwing, MessageChannel: throwing })).toBe(3);
    expect(throwing).toHaveBeenCalledTimes(2);
  });

  test('works again after a moment in which no way worked', async () => {
    let turns = 0;
    let isAllowed = false;
    const fresh = await importWith({
      setImmediate: (onTurn: () => void) => {
        if (!isAllowed) throw new Error('not at the start of a worker');
        turns++;
        setImmediate(onTurn);
      },
      MessageChannel: undefined,
      setTimeout: undefined,
    });
    for (isAllowed of [false, true]) for await (const _ of fresh.pace(['a', 'b', 'c'])) spin(10);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  test.each([
    ['are missing', undefined],
    ['throw', throwing],
  ])('is skipped if all ways %s', async (_, way) => {
    await runWith({ setImmediate: way, MessageChannel: way, setTimeout: way });
  });

  test('is skipped if all ways throw and hundreds wait', async () => {
    const fresh = await importWith({ setImmediate: throwing, MessageChannel: throwing, setTimeout: throwing });
    const all = Array.from({ length: 500 }, () => collect(fresh.pace(['x'.repeat(30_000), 'y'.repeat(30_000)])));
    expect(await Promise.all(all)).toHaveLength(500);
  });

  test('does not need performance', async () => {
    const fresh = await import('./pace.ts');
    vi.stubGlobal('performance', undefined);
    expect(await collect(fresh.pace(['a', 'b']))).toEqual(['a', 'b']);
    expect(await fresh.inTurn(() => 'done')).toBe('done');
  });

  test('belongs to each waiter: a waiter whose turn never comes does not block the others', async () => {
    let lost = 0;
    const fresh = await importWith({
      setImmediate: (onTurn: () => void) => {
        // Like in a worker whose client has disconnected.
        if (lost < 3) lost++;
        else setImmediate(onTurn);
      },
    });
    await fresh.inTurn(() => spin(10));
    for (let count = 0; count < 3; count++) void fresh.inTurn(() => {});
    const others = [fresh.inTurn(() => 'a'), fresh.inTurn(() => 'b'), collect(fresh.pace(['x'.repeat(9 * PIECE)]))];
    expect(await Promise.all(others)).toMatchObject(['a', 'b', { length: 9 }]);
    expect(lost).toBe(3);
  });

  test('belongs to each waiter: hundreds whose turn never comes do not block a later waiter', async () => {
    let isLost = true;
    const fresh = await importWith({
      setImmediate: (onTurn: () => void) => {
        if (!isLost) setImmediate(onTurn);
      },
    });
    await fresh.inTurn(() => spin(10));
    for (let count = 0; count < 500; count++) void fresh.inTurn(() => {});
    isLost = false;
    expect(await Promise.all([fresh.inTurn(() => 'a'), fresh.inTurn(() => 'b')])).toEqual(['a', 'b']);
  });
});

describe('all work in the process', () => {
  const WORKERS = 100;

  test.each<[string, () => Promise<unknown>]>([
    ['short work', () => inTurn(() => spin(1))],
    ['short work that follows other work', async () => await inTurn(async () => inTurn(() => spin(1)))],
    ['a pace', () => collect(workingPace())],
  ])('shares one slice: %s', async (_, work) => {
    spin(10);
    const loop = watchEventLoop();
    await Promise.all(Array.from({ length: WORKERS }, work));
    const { turns, longestMs } = loop.stop();
    expect(turns).toBeGreaterThan(10);
    expect(longestMs).toBeLessThan(50);
  });

  async function* workingPace(): AsyncGenerator<undefined> {
    for await (const _ of pace([1, 2, 3, 4])) {
      spin(1);
      yield;
    }
  }

  test('takes turns, so that a busy worker does not starve another', async () => {
    const order: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let count = 0; count < 8; count++) {
        await inTurn(() => {
          order.push(name);
          spin(10);
        });
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(work));
    for (let round = 0; round < order.length; round += 4)
      expect(order.slice(round, round + 4).sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('checks for its turn less often, the further back it waits', async () => {
    let looks = 0;
    const fresh = await importWith({
      setImmediate: (onTurn: () => void) => {
        looks++;
        setImmediate(onTurn);
      },
    });
    const outputs = Array.from({ length: 4000 }, () => ['x'.repeat(30_000), 'y'.repeat(30_000)]);
    await Promise.all(outputs.map((output) => collect(fresh.pace(output))));
    // A waiter that checks in every slice checks about two hundred times.
    expect(looks / outputs.length).toBeLessThan(80);
  });

  test('passes at once while the slice has time left', async () => {
    // Uses up the slice, so that a new slice begins.
    await inTurn(() => spin(10));
    await inTurn(() => {});
    let hasTurned = false;
    const immediate = setImmediate(() => {
      hasTurned = true;
    });
    await inTurn(() => {});
    clearImmediate(immediate);
    expect(hasTurned).toBe(false);
  });

  test('passes on the result and the error of short work', async () => {
    expect(await inTurn(async () => 'done')).toBe('done');
    await expect(
      inTurn(() => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
  });
});

describe('with a clock that does not advance, as in Cloudflare Workers', () => {
  afterEach(() => vi.restoreAllMocks());

  const stopClock = async (): Promise<void> => {
    await inTurn(() => spin(10));
    const stopped = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(stopped);
    await inTurn(() => {});
  };

  test.each<[string, () => Promise<unknown>]>([
    ['text', () => collect(pace(['x'.repeat(100 * PIECE)]))],
    ['bytes', () => collect(pace([new Uint8Array(50 * 1024 * 1024)]))],
    ['items', () => collect(pace(Array.from({ length: 400 }, (_, id) => ({ id }))))],
    ['empty chunks', () => collect(pace(Array.from({ length: 3000 }, () => '')))],
    [
      'short work',
      async () => {
        for (let count = 0; count < 3000; count++) await inTurn(() => {});
      },
    ],
  ])('the event loop turns during %s', async (_, work) => {
    await stopClock();
    const loop = watchEventLoop();
    await work();
    expect(loop.stop().turns).toBeGreaterThan(5);
  });

  test('a small amount of work does not turn the event loop', async () => {
    await stopClock();
    const loop = watchEventLoop();
    await collect(pace(['a', 'b', 'c']));
    await inTurn(() => {});
    expect(loop.stop().turns).toBe(0);
  });
});
