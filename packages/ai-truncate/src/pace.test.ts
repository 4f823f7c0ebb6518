import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { spin, watchEventLoop } from '../fixtures/event-loop.ts';
import { serialize } from './json/serialize.ts';
import { atOnce, inTurn, inTurns, pace } from './pace.ts';

const PIECE = 128 * 1024;

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** A source that counts how often it was closed. */
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

/** Neither `next` nor `return` ever resolves. */
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
  ])('passes on the chunks of an %s in order', async (_, source) => {
    expect(await collect(pace(source(['a', 'b', 'c'])))).toEqual(['a', 'b', 'c']);
  });

  test('drops empty chunks', async () => {
    expect(await collect(pace(['', 'a', '', '', 'b', '']))).toEqual(['a', 'b']);
  });

  test('passes on a long chunk in pieces', async () => {
    const pieces = await collect(pace(['x'.repeat(PIECE), 'y'.repeat(2 * PIECE + 5)]));
    expect(pieces.map((piece) => piece.length)).toEqual([PIECE, PIECE, PIECE, 5]);
  });

  test('treats a text as one chunk, not as its characters', async () => {
    expect(await collect(pace('abc'))).toEqual(['abc']);
  });

  test('does not cut a piece between two surrogates', async () => {
    const text = `x${'😀'.repeat(PIECE)}`;
    const pieces = await collect(pace([text]));
    expect(pieces.join('')).toBe(text);
    expect(pieces.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([]);
  });

  test('requests nothing from an iterable before it is pulled', () => {
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
    // Without `pace`, the turn takes a few hundred milliseconds. The bound leaves room for a busy machine.
    expect(longestMs).toBeLessThan(80);
  });

  test('turns while a source yields only empty chunks', async () => {
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

  test('passes on no further piece of a chunk once it is aborted', async () => {
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

  test('requests nothing from a source when the signal is already aborted', async () => {
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

  test('does not wait for a hung source whose request causes the abort', async () => {
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
  ])('hides the error when the return of a source %s', async (_, source) => {
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

  test('runs at most 8 of hundreds that start at once, so that few hold partial results', async () => {
    // In a new slice, whose time does not pass.
    await inTurn(() => {});
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const works = Array.from({ length: 300 }, (_, index) => inTurns(steps(index)));
    clock.mockRestore();

    expect(await Promise.all(works)).toEqual(Array.from({ length: 300 }, (_, index) => index));
    expect(most).toBe(8);
  });

  test('that fails lets the next work start', async () => {
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

  /** A clock that only the work advances. */
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

  test('is done again after a second if no turn is seen', () => {
    expect([atOnce(long), atOnce(long)]).toEqual(['done', undefined]);
    pass(1001);
    expect(atOnce(long)).toBe('done');
  });

  test('is done for at most a slice in a row', () => {
    const short = (): string => {
      pass(2);
      return 'done';
    };
    expect(Array.from({ length: 8 }, () => atOnce(short)).filter((result) => result !== undefined)).toHaveLength(5);
  });
});
