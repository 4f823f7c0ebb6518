import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { untilAborted } from '../../deadlines.ts';
import { withRetries } from './retry.ts';

const options = { verb: 'head', timeoutMs: 1000, toPauseMs: () => 100 };
const failure = new Error('no connection');

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('withRetries', () => {
  test('leaves no timer and no listener, however it ends', async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    const added = vi.spyOn(signal, 'addEventListener');
    await withRetries(async () => 'answer', { ...options, signal });
    await expect(
      withRetries(() => Promise.reject(failure), { ...options, signal, toPauseMs: () => undefined }),
    ).rejects.toBe(failure);
    const repeated = expect(withRetries(() => Promise.reject(failure), { ...options, signal })).rejects.toBe(failure);
    await vi.advanceTimersByTimeAsync(300);
    await repeated;
    const ended = expect(
      withRetries(() => Promise.reject(failure), { ...options, signal, deadlineFor: 'attempt' }),
    ).rejects.toBe(failure);
    await vi.advanceTimersByTimeAsync(300);
    await ended;
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });

  test('ends a request that is never answered at the deadline, and aborts it', async () => {
    let given: AbortSignal | undefined;
    const ended = expect(
      withRetries(({ signal }) => {
        given = signal;
        return new Promise(() => {});
      }, options),
    ).rejects.toMatchObject({ code: 'STORE_TIMEOUT', message: expect.stringMatching(/`head` within 1000 ms/) });
    await vi.advanceTimersByTimeAsync(999);
    expect(given?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(given?.reason).toMatchObject({ name: 'AbortError' });
  });

  test('ends a pause when the signal aborts', async () => {
    const controller = new AbortController();
    const toPauseMs = () => {
      setTimeout(() => controller.abort(new Error('stopped')), 10);
      return 900;
    };
    const send = vi.fn(() => Promise.reject(failure));
    const ended = expect(withRetries(send, { ...options, signal: controller.signal, toPauseMs })).rejects.toThrow(
      'stopped',
    );
    await vi.advanceTimersByTimeAsync(10);
    await ended;
    expect(send).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('sends nothing when the signal is already aborted', async () => {
    const send = vi.fn(async () => 'answer');
    await expect(withRetries(send, { ...options, signal: AbortSignal.abort(failure) })).rejects.toBe(failure);
    expect(send).not.toHaveBeenCalled();
  });

  test('ignores later results of an abandoned attempt', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    let rejectLate = (_: Error) => {};
    const late = new Promise<never>((_, reject) => {
      rejectLate = reject;
    });
    const ended = expect(withRetries(() => late, options)).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(1000);
    await ended;
    rejectLate(failure);
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('aborts a request without the reason of the caller, who gets the reason at once', async () => {
    const controller = new AbortController();
    let given: AbortSignal | undefined;
    const ended = expect(
      withRetries(
        ({ signal }) => {
          given = signal;
          // Most clients reject like this. Their rejection must not be mistaken for the reason.
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        },
        { ...options, signal: controller.signal },
      ),
    ).rejects.toBe(failure);
    controller.abort(failure);
    await ended;
    expect(given?.reason).toMatchObject({ name: 'AbortError' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('waits as long as a timer can if the deadline is later', async () => {
    const sent = withRetries(() => new Promise((resolve) => setTimeout(() => resolve('answer'), 5000)), {
      verb: 'put',
      timeoutMs: 2 ** 32,
    });
    await vi.advanceTimersByTimeAsync(5000);
    expect(await sent).toBe('answer');
  });
});

test('the error of a deadline says what to do, and has the previous failure as its cause', async () => {
  const send = vi.fn(() => new Promise<never>(() => {})).mockRejectedValueOnce(failure);
  const ended = expect(withRetries(send, options)).rejects.toMatchObject({
    message: 'The store made no progress with `head` within 1000 ms. Try again later, or raise `timeoutMs`.',
    cause: failure,
  });
  await vi.advanceTimersByTimeAsync(1000);
  await ended;
});

describe('unlessAborted', () => {
  test('resolves like the promise, and leaves no listener', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    expect(await untilAborted(Promise.resolve('answer'), signal)).toBe('answer');
    await expect(untilAborted(Promise.reject(failure), signal)).rejects.toBe(failure);
    expect(await untilAborted(Promise.resolve('answer'), undefined)).toBe('answer');
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });

  test('does not wait once the signal has aborted, before or during the call', async () => {
    const never = new Promise<never>(() => {});
    await expect(untilAborted(never, AbortSignal.abort(failure))).rejects.toBe(failure);
    const controller = new AbortController();
    const ended = expect(untilAborted(never, controller.signal)).rejects.toBe(failure);
    controller.abort(failure);
    await ended;
  });
});

describe('a deadline for the whole request', () => {
  test('covers all attempts and pauses, and reports the previous failure', async () => {
    const send = vi.fn(() => new Promise<never>((_, reject) => setTimeout(() => reject(failure), 500)));
    const ended = expect(withRetries(send, options)).rejects.toMatchObject({ code: 'STORE_TIMEOUT', cause: failure });
    await vi.advanceTimersByTimeAsync(1000);
    await ended;
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('does not wait for a pause that is longer than the remaining time', async () => {
    const send = vi.fn(() => Promise.reject(failure));
    await expect(withRetries(send, { ...options, toPauseMs: () => 1000 })).rejects.toBe(failure);
    expect(send).toHaveBeenCalledOnce();
  });

  test('starts no attempt after it has passed', async () => {
    const send = vi.fn(() => new Promise<never>((_, reject) => setTimeout(() => reject(failure), 1001)));
    const ended = expect(withRetries(send, options)).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(5000);
    await ended;
    expect(send).toHaveBeenCalledOnce();
  });
});

describe('a deadline for each attempt', () => {
  const perAttempt = { ...options, deadlineFor: 'attempt' } as const;

  test('restarts with each attempt, and does not run in the pauses', async () => {
    const send = vi.fn(() => new Promise<never>((_, reject) => setTimeout(() => reject(failure), 900)));
    const ended = expect(withRetries(send, { ...perAttempt, toPauseMs: () => 2000 })).rejects.toBe(failure);
    await vi.advanceTimersByTimeAsync(3 * 900 + 2 * 2000);
    await ended;
    expect(send).toHaveBeenCalledTimes(3);
  });

  test('reports the previous failure', async () => {
    const send = vi.fn(() => new Promise<never>(() => {})).mockRejectedValueOnce(failure);
    const toPauseMs = (error: unknown) => (error === failure ? 100 : undefined);
    const ended = expect(withRetries(send, { ...perAttempt, toPauseMs })).rejects.toMatchObject({
      code: 'STORE_TIMEOUT',
      cause: failure,
    });
    await vi.advanceTimersByTimeAsync(1100);
    await ended;
  });

  test('lets only the signal end a pause', async () => {
    const controller = new AbortController();
    const ended = expect(
      withRetries(() => Promise.reject(failure), { ...perAttempt, signal: controller.signal, toPauseMs: () => 5000 }),
    ).rejects.toThrow('stopped');
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(new Error('stopped'));
    await ended;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a deadline with reported progress', () => {
  test('restarts at each report', async () => {
    const ended = expect(
      withRetries(({ onProgress }) => {
        setTimeout(onProgress, 900);
        return new Promise(() => {});
      }, options),
    ).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(1899);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
  });

  test('allows another attempt after a failure that is later than the first deadline', async () => {
    let attempts = 0;
    const sent = withRetries(({ onProgress }) => {
      attempts++;
      if (attempts === 2) return Promise.resolve('answer');
      setTimeout(onProgress, 900);
      return new Promise<string>((_, reject) => setTimeout(() => reject(failure), 1500));
    }, options);
    await vi.advanceTimersByTimeAsync(1600);
    expect(await sent).toBe('answer');
  });

  test('does not run while it is paused, even if progress is reported', async () => {
    const ended = expect(
      withRetries(({ pause, resume, onProgress }) => {
        pause();
        setTimeout(onProgress, 1000);
        setTimeout(resume, 5000);
        return new Promise(() => {});
      }, options),
    ).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(5999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
  });

  test('stays ended once the request is over', async () => {
    let resume = () => {};
    await withRetries(async (deadline) => {
      resume = deadline.resume;
    }, options);
    resume();
    expect(vi.getTimerCount()).toBe(0);
  });
});
