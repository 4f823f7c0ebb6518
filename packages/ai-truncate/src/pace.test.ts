import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serialize } from './json/serialize.ts';
import { atOnce, inTurn, inTurns, pace } from './pace.ts';

const PIECE = 128 * 1024;

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const spin = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

/** Counts the turns of the event loop, and the longest, until it is stopped. */
const watchEventLoop = (): { stop(): { turns: number; longestMs: number } } => {
  let turns = 0;
  let longestMs = 0;
  let last = performance.now();
  let processor = process.cpuUsage();
  const measure = (): void => {
    const { user, system } = process.cpuUsage(processor);
    // Whichever is less: a busy machine stretches the time on the wall.
    longestMs = Math.max(longestMs, Math.min(performance.now() - last, (user + system) / 1000));
    last = performance.now();
    processor = process.cpuUsage();
  };
  let next: NodeJS.Immediate;
  const turn = (): void => {
    measure();
    turns++;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  return {
    stop() {
      measure();
      clearImmediate(next);
      return { turns, longestMs };
    },
  };
};

/** A source that notes how often it was closed. */
const closable = (chunks: Iterable<string>) => {
  const source = {
    closed: 0,
    *[Symbol.iterator]() {
      try {
        yield* chunks;
      } finally {
        source.closed++;
      }
    },
  };
  return source;
};

const closableAsync = (chunks: Iterable<string>) => {
  const source = {
    closed: 0,
    async *[Symbol.asyncIterator]() {
      try {
        yield* chunks;
      } finally {
        source.closed++;
      }
    },
  };
  return source;
};

/** Neither `next` nor `return` ever answers. */
const hung = () => {
  const source = {
    returned: 0,
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<never>(() => {}),
      return: () => {
        source.returned++;
        return new Promise<never>(() => {});
      },
    }),
  };
  return source;
};

const forever = function* (chunk: string): Generator<string> {
  while (true) yield chunk;
};

describe('pace', () => {
  test.each([
    ['iterable', closable],
    ['async iterable', closableAsync],
  ])('hands on the chunks of an %s in order', async (_, source) => {
    expect(await collect(pace(source(['a', 'b', 'c'])))).toEqual(['a', 'b', 'c']);
  });

  test('does not hand on empty chunks', async () => {
    expect(await collect(pace(['', 'a', '', '', 'b', '']))).toEqual(['a', 'b']);
  });

  test('hands on a long chunk in pieces', async () => {
    const pieces = await collect(pace(['x'.repeat(PIECE), 'y'.repeat(2 * PIECE + 5)]));
    expect(pieces.map((piece) => piece.length)).toEqual([PIECE, PIECE, PIECE, 5]);
  });

  test('takes a text for one chunk, not for its characters', async () => {
    expect(await collect(pace('abc'))).toEqual(['abc']);
  });

  test('does not cut a piece between two surrogates', async () => {
    const text = `x${'😀'.repeat(PIECE)}`;
    const pieces = await collect(pace([text]));
    expect(pieces.join('')).toBe(text);
    expect(pieces.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([]);
  });

  test('asks an iterable for nothing before it is pulled', () => {
    const next = vi.fn(() => ({ done: true as const, value: undefined }));
    void pace({ [Symbol.iterator]: () => ({ next }) });
    expect(next).not.toHaveBeenCalled();
  });

  test('passes on the error of a source', async () => {
    const source = function* () {
      yield 'a';
      throw new Error('broken');
    };
    await expect(collect(pace(source()))).rejects.toThrow('broken');
  });

  test('passes on the error of an asynchronous source', async () => {
    const source = async function* () {
      yield 'a';
      throw new Error('broken');
    };
    await expect(collect(pace(source(), { abortSignal: new AbortController().signal }))).rejects.toThrow('broken');
  });
});

describe('the event loop under pace', () => {
  test('turns while a large value is serialized', async () => {
    const rows = Array.from({ length: 270_000 }, (_, id) => ({
      id,
      name: `user ${id}`,
      email: `u${id}@example.com`,
      active: id % 2 === 0,
      score: id * 1.5,
      tag: 'xx',
    }));
    const watch = watchEventLoop();
    let length = 0;
    for await (const chunk of pace(serialize(rows).chunks)) length += chunk.length;
    const { longestMs, turns } = watch.stop();
    expect(length).toBeGreaterThan(25_000_000);
    expect(turns).toBeGreaterThan(4);
    // In one turn it takes some hundred; the bound leaves room for a busy machine.
    expect(longestMs).toBeLessThan(80);
  });

  test('turns while a source yields nothing but empty chunks', async () => {
    const controller = new AbortController();
    setImmediate(() => setImmediate(() => controller.abort(new Error('enough'))));
    await expect(collect(pace(forever(''), { abortSignal: controller.signal }))).rejects.toThrow('enough');
  });

  test('turns when the consumer uses up the slice', async () => {
    const watch = watchEventLoop();
    for await (const _ of pace(['a', 'b', 'c', 'd', 'e', 'f'])) spin(10);
    expect(watch.stop().turns).toBeGreaterThanOrEqual(5);
  });

  test('turns between the pieces of one chunk', async () => {
    const watch = watchEventLoop();
    for await (const _ of pace(['x'.repeat(6 * PIECE)])) spin(10);
    expect(watch.stop().turns).toBeGreaterThanOrEqual(5);
  });

  test('turns when an asynchronous source is always ready', async () => {
    const source = async function* () {
      for (let count = 0; count < 6; count++) {
        spin(10);
        yield 'a';
      }
    };
    const watch = watchEventLoop();
    await collect(pace(source()));
    expect(watch.stop().turns).toBeGreaterThanOrEqual(5);
  });

  test('does not turn for a small output', async () => {
    let hasTurned = false;
    const immediate = setImmediate(() => {
      hasTurned = true;
    });
    await collect(pace(['a', 'b', 'c']));
    clearImmediate(immediate);
    expect(hasTurned).toBe(false);
  });
});

describe('ending a pace early', () => {
  test.each([
    ['iterable', closable],
    ['async iterable', closableAsync],
  ])('closes an %s when the consumer stops', async (_, make) => {
    const source = make(['a', 'b']);
    for await (const _ of pace(source)) break;
    await Promise.resolve();
    expect(source.closed).toBe(1);
  });

  test('closes the source when the consumer throws', async () => {
    const source = closable(['a', 'b']);
    await expect(
      (async () => {
        for await (const _ of pace(source)) throw new Error('full');
      })(),
    ).rejects.toThrow('full');
    expect(source.closed).toBe(1);
  });

  test('closes the source and throws the reason when it is aborted', async () => {
    const source = closable(forever('a'));
    const controller = new AbortController();
    const reason = new Error('stopped');
    const run = (async () => {
      for await (const _ of pace(source, { abortSignal: controller.signal })) controller.abort(reason);
    })();
    await expect(run).rejects.toBe(reason);
    expect(source.closed).toBe(1);
  });

  test('hands on no further piece of a chunk once it is aborted', async () => {
    const controller = new AbortController();
    const pieces: string[] = [];
    const run = async (): Promise<void> => {
      for await (const piece of pace(['x'.repeat(3 * PIECE)], { abortSignal: controller.signal })) {
        pieces.push(piece);
        controller.abort(new Error('stopped'));
      }
    };
    await expect(run()).rejects.toThrow('stopped');
    expect(pieces).toHaveLength(1);
  });

  test('asks nothing of a source when the signal is aborted already', async () => {
    const next = vi.fn();
    const run = collect(
      pace({ [Symbol.iterator]: () => ({ next }) }, { abortSignal: AbortSignal.abort(new Error('too late')) }),
    );
    await expect(run).rejects.toThrow('too late');
    expect(next).not.toHaveBeenCalled();
  });

  test('does not wait for a hung source when it is aborted', async () => {
    const source = hung();
    const controller = new AbortController();
    const run = collect(pace(source, { abortSignal: controller.signal }));
    setImmediate(() => controller.abort(new Error('stopped')));
    await expect(run).rejects.toThrow('stopped');
    expect(source.returned).toBe(1);
  });

  test('does not wait for a hung source that aborts while it is asked', async () => {
    const controller = new AbortController();
    const next = (): Promise<never> => {
      controller.abort(new Error('stopped'));
      return new Promise(() => {});
    };
    const run = collect(pace({ [Symbol.asyncIterator]: () => ({ next }) }, { abortSignal: controller.signal }));
    await expect(run).rejects.toThrow('stopped');
  });

  test('does not wait for the return of a source', async () => {
    const onReturn = vi.fn(() => new Promise<never>(() => {}));
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ value: 'a' }),
        return: onReturn,
      }),
    };
    let hasEnded = false;
    const reading = async (): Promise<void> => {
      for await (const _ of pace(source)) break;
      hasEnded = true;
    };
    void reading();
    await vi.waitFor(() => expect(hasEnded).toBe(true));
    expect(onReturn).toHaveBeenCalledOnce();
  });

  test.each([
    [
      'throws',
      {
        [Symbol.iterator]: () => ({
          next: () => ({ value: 'a' }),
          return: () => {
            throw new Error('cannot close');
          },
        }),
      },
    ],
    [
      'rejects',
      {
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ value: 'a' }),
          return: async () => {
            throw new Error('cannot close');
          },
        }),
      },
    ],
  ])('keeps to itself what the return of a source %s', async (_, source) => {
    for await (const _ of pace(source as Iterable<string>)) break;
  });

  test('does not close a source that has ended', async () => {
    const onReturn = vi.fn();
    const source = {
      [Symbol.iterator]: () => ({ next: () => ({ done: true as const, value: undefined }), return: onReturn }),
    };
    await collect(pace(source));
    expect(onReturn).not.toHaveBeenCalled();
  });

  test('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const counts: number[] = [];
    for await (const _ of pace(closableAsync(['a', 'b', 'c']), { abortSignal: signal }))
      counts.push(getEventListeners(signal, 'abort').length);
    await Promise.resolve();
    expect([...counts, getEventListeners(signal, 'abort').length]).toEqual([0, 0, 0, 0]);
  });
});

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

  /** As in the edge runtime of Next.js. */
  const throwing = vi.fn(function stub() {
    throw new Error('not supported');
  });
  afterEach(() => throwing.mockClear());

  test('is a message where there is no setImmediate', async () => {
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

  test('is a timeout where there is no MessageChannel either', async () => {
    expect(await timeouts({ setImmediate: undefined, MessageChannel: undefined })).toBe(3);
  });

  test('is a timeout where both throw when they are called', async () => {
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
  ])('is left out where all ways %s', async (_, way) => {
    await runWith({ setImmediate: way, MessageChannel: way, setTimeout: way });
  });

  test('is left out where all ways throw and hundreds wait', async () => {
    const fresh = await importWith({ setImmediate: throwing, MessageChannel: throwing, setTimeout: throwing });
    const all = Array.from({ length: 500 }, () => collect(fresh.pace(['x'.repeat(30_000), 'y'.repeat(30_000)])));
    expect(await Promise.all(all)).toHaveLength(500);
  });

  test('needs no performance', async () => {
    const fresh = await import('./pace.ts');
    vi.stubGlobal('performance', undefined);
    expect(await collect(fresh.pace(['a', 'b']))).toEqual(['a', 'b']);
    expect(await fresh.inTurn(() => 'done')).toBe('done');
  });

  test('belongs to each waiter: one whose turn never comes does not hold up the others', async () => {
    let lost = 0;
    const fresh = await importWith({
      setImmediate: (onTurn: () => void) => {
        // As in a worker whose client has left.
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

  test('belongs to each waiter: hundreds whose turn never comes do not hold up one that comes later', async () => {
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

  test('comes in turns, so that a busy worker does not starve another', async () => {
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

  test('looks for its turn less often, the further back it waits', async () => {
    let looks = 0;
    const fresh = await importWith({
      setImmediate: (onTurn: () => void) => {
        looks++;
        setImmediate(onTurn);
      },
    });
    const outputs = Array.from({ length: 4000 }, () => ['x'.repeat(30_000), 'y'.repeat(30_000)]);
    await Promise.all(outputs.map((output) => collect(fresh.pace(output))));
    // Each that looks in every slice looks some two hundred times.
    expect(looks / outputs.length).toBeLessThan(80);
  });

  test('passes at once while the slice lasts', async () => {
    // The slice is used up, so that a new one begins.
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

  test('hands on the result and the error of short work', async () => {
    expect(await inTurn(async () => 'done')).toBe('done');
    await expect(
      inTurn(() => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
  });
});

describe('under a clock that stands still, as in Cloudflare Workers', () => {
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

  test('little work does not turn the event loop', async () => {
    await stopClock();
    const loop = watchEventLoop();
    await collect(pace(['a', 'b', 'c']));
    await inTurn(() => {});
    expect(loop.stop().turns).toBe(0);
  });
});

describe('work in steps', () => {
  let underWay = 0;
  let most = 0;

  function* steps(result: number): Generator<void, number> {
    most = Math.max(most, ++underWay);
    try {
      for (let step = 0; step < 5; step++) yield;
      return result;
    } finally {
      underWay--;
    }
  }

  test('is under way for at most 8 of hundreds that start at once, so that few hold what they have made so far', async () => {
    const works = Array.from({ length: 300 }, (_, index) => inTurns(steps(index)));

    expect(await Promise.all(works)).toEqual(Array.from({ length: 300 }, (_, index) => index));
    expect(most).toBe(8);
  });

  test('that fails lets the next one start', async () => {
    // biome-ignore lint/correctness/useYield: the first step fails.
    function* failing(): Generator<void, number> {
      throw new Error('no document');
    }

    const failed = await Promise.allSettled(Array.from({ length: 20 }, () => inTurns(failing())));

    expect(failed.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'rejected'));
    expect(await inTurns(steps(1))).toBe(1);
  });
});

describe('work that does not wait for a turn', () => {
  let time = performance.now();

  /** A clock that only the work moves. */
  function pass(milliseconds: number): void {
    time += milliseconds;
  }

  beforeEach(() => {
    pass(2000);
    vi.spyOn(performance, 'now').mockImplementation(() => time);
  });

  afterEach(() => void vi.restoreAllMocks());

  const long = (): string => {
    pass(1500);
    return 'done';
  };

  test('is not done twice in a turn of the event loop', async () => {
    expect([atOnce(long), atOnce(long)]).toEqual(['done', undefined]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(atOnce(long)).toBe('done');
  });

  test('is done again after a second where no turn is seen', () => {
    expect([atOnce(long), atOnce(long)]).toEqual(['done', undefined]);
    pass(1001);
    expect(atOnce(long)).toBe('done');
  });

  test('is done at most for a slice in a row', () => {
    const short = (): string => {
      pass(2);
      return 'done';
    };
    expect(Array.from({ length: 8 }, () => atOnce(short)).filter((result) => result !== undefined)).toHaveLength(5);
  });
});
