import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  anySignal,
  LONGEST_TIMER_MS,
  now,
  settledWithin,
  sleep,
  startDeadline,
  untilAborted,
  watchFor,
  withTimeout,
} from './deadlines.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const never = new Promise<never>(() => {});

describe.each([
  ['with `AbortSignal.any`', AbortSignal.any],
  ['without `AbortSignal.any`', undefined],
])('anySignal %s', (_, any) => {
  const combine: typeof anySignal = (signals) => {
    const own = Object.getOwnPropertyDescriptor(AbortSignal, 'any') as PropertyDescriptor;
    Object.defineProperty(AbortSignal, 'any', { ...own, value: any });
    try {
      return anySignal(signals);
    } finally {
      Object.defineProperty(AbortSignal, 'any', own);
    }
  };

  test('aborts with the reason of the first signal that aborts', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const signal = combine([undefined, one.signal, other.signal]);
    expect(signal.aborted).toBe(false);
    other.abort('other');
    expect(signal.reason).toBe('other');
    one.abort('one');
    expect(signal).toMatchObject({ aborted: true, reason: 'other' });
  });

  test('is already aborted if one of its signals is', () => {
    const signals = [new AbortController().signal, AbortSignal.abort('first'), AbortSignal.abort('second')];
    expect(combine(signals)).toMatchObject({ aborted: true, reason: 'first' });
  });

  test('calls the listeners of the combined signal once', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const onAbort = vi.fn();
    combine([one.signal, other.signal]).addEventListener('abort', onAbort);
    one.abort();
    other.abort();
    expect(onAbort).toHaveBeenCalledTimes(1);
  });

  test('never aborts without a signal', () => {
    expect(combine([undefined]).aborted).toBe(false);
  });

  test('is the signal itself if there is only one', () => {
    const { signal } = new AbortController();
    expect(combine([undefined, signal])).toBe(signal);
  });
});

test('now works without `performance`', () => {
  vi.stubGlobal('performance', undefined);
  vi.spyOn(Date, 'now').mockReturnValue(7);
  expect(now()).toBe(7);
  vi.unstubAllGlobals();
});

describe('a deadline', () => {
  test('aborts with its reason when the time is up', () => {
    vi.useFakeTimers();
    const { signal } = startDeadline(50, { toReason: () => 'too late' });
    vi.advanceTimersByTime(49);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toBe('too late');
  });

  test.each([
    ['is cleared', (deadline: ReturnType<typeof startDeadline>) => deadline.clear(), {}],
    ['is no longer needed', () => {}, { isNeeded: () => false }],
  ])('that %s never aborts', (_, act, options) => {
    vi.useFakeTimers();
    const deadline = startDeadline(50, options);
    act(deadline);
    vi.advanceTimersByTime(100);
    expect(deadline.signal.aborted).toBe(false);
  });

  test('longer than a timer can hold does not end at once', () => {
    vi.useFakeTimers();
    const { signal } = startDeadline(2 * LONGEST_TIMER_MS);
    vi.advanceTimersByTime(1000);
    expect(signal.aborted).toBe(false);
  });
});

describe('work with a time limit', () => {
  test('that takes too long is aborted and fails with a clear message', async () => {
    vi.useFakeTimers();
    let given: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      given = signal;
      return never;
    };
    const result = withTimeout(50, { work, what: '`scope`' }).catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(50);
    expect(await result).toBe('`scope` did not answer within 50 ms.');
    expect(given?.aborted).toBe(true);
  });

  test('is not started after an abort', async () => {
    const work = vi.fn();
    const abortSignal = AbortSignal.abort('left');
    await expect(withTimeout(50, { work, abortSignal, what: 'The store' })).rejects.toBe('left');
    expect(work).not.toHaveBeenCalled();
  });

  test("ends with the caller's signal, and leaves no timer", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const result = withTimeout(50, { work: () => never, abortSignal: controller.signal, what: 'The store' });
    controller.abort('left');
    await expect(result).rejects.toBe('left');
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['gave its result', () => Promise.resolve('done')],
    ['failed', () => Promise.reject('broken')],
  ])('that %s gets an aborted signal, so that leftover work ends', async (_, settle) => {
    let given: AbortSignal | undefined;
    let wasAborted: boolean | undefined;
    const work = (signal: AbortSignal) => {
      given = signal;
      wasAborted = signal.aborted;
      return settle();
    };
    await withTimeout(50, { work, what: 'The store' }).catch(() => {});
    expect([wasAborted, given?.aborted]).toEqual([false, true]);
  });

  test.each([
    [12.345, '13 ms'],
    [-5, '0 ms'],
  ])('with a limit of %d ms reports whole milliseconds', async (milliseconds, named) => {
    const result = withTimeout(milliseconds, { work: () => never, what: 'The store' });
    await expect(result).rejects.toThrow(`The store did not answer within ${named}.`);
  });

  test('that fails after its limit causes no unhandled rejection', async () => {
    let fail = (_: Error) => {};
    const work = () => new Promise<never>((_, reject) => (fail = reject));
    await expect(withTimeout(1, { work, what: 'The store' })).rejects.toThrow('did not answer');
    fail(new Error('too late'));
    // Node reports an unhandled rejection at the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
  });
});

test('a promise that settles in time returns its result, a slow promise `undefined`', async () => {
  expect(await settledWithin(1000, Promise.resolve('done'))).toBe('done');
  expect(await settledWithin(1, never)).toBeUndefined();
});

test('a wait ends with the signal, even if it has already aborted', async () => {
  await expect(untilAborted(never, AbortSignal.abort('left'))).rejects.toBe('left');
  const controller = new AbortController();
  const wait = sleep(60_000, controller.signal);
  controller.abort('left');
  await expect(wait).rejects.toBe('left');
});

describe('a watch', () => {
  test('reports slow work once', () => {
    vi.useFakeTimers();
    const onTooLong = vi.fn();
    const watch = watchFor(50, onTooLong);
    watch.begin();
    vi.advanceTimersByTime(50);
    expect(onTooLong).toHaveBeenCalledTimes(1);
    expect(watch.isLate()).toBe(true);
    vi.advanceTimersByTime(500);
    expect(onTooLong).toHaveBeenCalledTimes(1);
  });

  test('needs one timer for many short pieces of work, and measures each from its own start', () => {
    vi.useFakeTimers();
    const onTooLong = vi.fn();
    const watch = watchFor(50, onTooLong);
    for (let work = 0; work < 20; work++) {
      watch.begin();
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(40);
      watch.end();
    }
    expect(onTooLong).not.toHaveBeenCalled();
    watch.forget();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('knows how much time is left', () => {
    vi.useFakeTimers();
    const watch = watchFor(50, () => {});
    expect(watch.leftMs()).toBe(50);
    watch.begin();
    vi.advanceTimersByTime(20);
    expect(watch.leftMs()).toBe(30);
    watch.begin();
    expect(watch.leftMs()).toBe(50);
    watch.forget();
  });

  test('that was ended starts no more timers', () => {
    vi.useFakeTimers();
    const watch = watchFor(50, () => {});
    watch.forget();
    watch.begin();
    expect(vi.getTimerCount()).toBe(0);
  });
});
