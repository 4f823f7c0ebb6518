import { LONGEST_TIMER_MS, sleep, watchFor } from '../../deadlines.ts';
import { AiTruncateError } from '../../errors.ts';
import { requireWholeNumber } from '../../options.ts';

/** The most attempts for one request to a store, besides the retries of the backend's own client. */
const REQUEST_ATTEMPTS = 3;

/** How long to pause after this failed attempt. It is random, so that requests that failed together do not retry together. */
export function toBackoffMs(firstMs: number, attempt: number): number {
  return firstMs * 2 ** (attempt - 1) * (1 + Math.random());
}

export interface RetryOptions {
  /** The name of the request, for the error message of the deadline. */
  verb: string;
  timeoutMs: number;
  /**
   * The part that must end within `timeoutMs`: the whole request with all attempts and pauses, or each attempt. A store uses `attempt`
   * if it cannot know how long the transfer of a request takes. @default 'request'
   */
  deadlineFor?: 'request' | 'attempt';
  signal?: AbortSignal | undefined;
  /**
   * How long to pause before the next attempt; `undefined` if another attempt would fail in the same way.
   * @default only one attempt
   */
  toPauseMs?: (error: unknown, attempt: number) => number | undefined;
}

/** The parameters of the function that sends a request. */
export interface Attempt {
  /** Aborts when the time is over or the signal of the caller aborts, always with an `AbortError`. */
  signal: AbortSignal;
  /** Restarts the time, unless it is paused. */
  onProgress: () => void;
  /** Stops the time while the request does not wait for the backend. */
  pause: () => void;
  /** Restarts the time. */
  resume: () => void;
}

/**
 * Sends a request within a deadline, and again after a temporary failure.
 *
 * The request never receives the caller's signal: `@vercel/blob` treats every reason except an `AbortError` as a failure of the
 * network, so with a signal of `AbortSignal.timeout` it would retry for minutes. The request is not awaited once the deadline
 * has passed or the signal has aborted, because some clients react late or never.
 */
export async function withRetries<T>(send: (attempt: Attempt) => Promise<T>, options: RetryOptions): Promise<T> {
  const { verb, timeoutMs, deadlineFor = 'request', signal, toPauseMs } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let stop = (_reason: unknown) => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      // First, so that the reason is never preceded by a reaction to the abort.
      reject(reason);
      controller.abort();
    };
  });
  let failure: { cause: unknown } | undefined;
  let isPaused = false;

  const onAbort = () => stop(signal?.reason);
  const watch = watchFor(timeoutMs, () => {
    const message = `The store made no progress with \`${verb}\` within ${timeoutMs} ms. Try again later, or raise \`timeoutMs\`.`;
    stop(new AiTruncateError(message, { code: 'STORE_TIMEOUT', ...failure }));
  });
  /** `Promise.race` handles the promise that loses, so a later rejection of abandoned work is not unhandled. */
  const untilStopped = <Result>(work: Promise<Result>) => Promise.race([work, stopped]);
  const attempt: Attempt = {
    signal: controller.signal,
    onProgress() {
      if (!isPaused) watch.begin();
    },
    pause() {
      isPaused = true;
      watch.end();
    },
    resume() {
      isPaused = false;
      watch.begin();
    },
  };

  watch.begin();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (let attempts = 1; ; attempts++) {
      try {
        return await untilStopped(send(attempt));
      } catch (error) {
        if (controller.signal.aborted) throw error;
        failure = { cause: error };
        const pauseMs = attempts < REQUEST_ATTEMPTS ? toPauseMs?.(error, attempts) : undefined;
        if (pauseMs === undefined) throw error;
        // A pause that is longer than the remaining time would only delay the same error.
        if (deadlineFor === 'request' && pauseMs >= watch.leftMs()) throw error;
        if (deadlineFor === 'attempt') attempt.pause();
        await untilStopped(sleep(pauseMs, controller.signal));
        if (deadlineFor === 'attempt') attempt.resume();
      }
    }
  } finally {
    watch.forget();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Throws unless a timer can wait that long. */
export function requireTimeoutMs(timeoutMs: unknown): void {
  requireWholeNumber('timeoutMs', { value: timeoutMs, min: 1, max: LONGEST_TIMER_MS });
}
