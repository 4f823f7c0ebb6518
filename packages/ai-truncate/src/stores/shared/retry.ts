import { LONGEST_TIMER_MS, sleep, watchFor } from '../../deadlines.ts';
import { AiTruncateError } from '../../errors.ts';
import { requireWholeNumber } from '../../options.ts';

/** The most attempts for one request to a store, besides the retries of the backend's own client. */
const REQUEST_ATTEMPTS = 3;

/** How long to pause after this failed attempt. Random, so that requests that failed together do not retry together. */
export function toBackoffMs(firstMs: number, attempt: number): number {
  return firstMs * 2 ** (attempt - 1) * (1 + Math.random());
}

export interface RetryOptions {
  /** What is asked of the store, for the message of the deadline. */
  verb: string;
  timeoutMs: number;
  /**
   * What has to be over within `timeoutMs`: the whole request, with all attempts and the pauses between them, or each
   * attempt. An attempt, where a store is not told how much time the bytes of a request take on the line. @default 'request'
   */
  deadlineFor?: 'request' | 'attempt';
  signal?: AbortSignal | undefined;
  /**
   * How long to pause before the next attempt; `undefined` when another attempt would fail the same way.
   * @default one attempt only
   */
  toPauseMs?: (error: unknown, attempt: number) => number | undefined;
}

/** What is given to the code that sends a request. */
export interface Attempt {
  /** Aborts when the time is over, and with the signal of the caller; always with an `AbortError`. */
  signal: AbortSignal;
  /** Starts the time again, unless it is paused. */
  onProgress: () => void;
  /** Stops the time while something else than the backend is waited for. */
  pause: () => void;
  /** Starts the time again. */
  resume: () => void;
}

/**
 * Sends a request within a deadline, and again after a failure that passes.
 *
 * The request never receives the caller's signal: `@vercel/blob` takes every reason but an `AbortError` for a failure of the
 * network, so with a signal of `AbortSignal.timeout` it would try again for minutes. Nor is the request awaited once the deadline
 * is over or the signal aborted: some clients notice that late, and some never.
 */
export async function withRetries<T>(send: (attempt: Attempt) => Promise<T>, options: RetryOptions): Promise<T> {
  const { verb, timeoutMs, deadlineFor = 'request', signal, toPauseMs } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let stop = (_reason: unknown) => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      // First, so that no answer to the abort comes before the reason.
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
  /** `Promise.race` handles the promise that loses, so a later rejection of abandoned work is not an unhandled one. */
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
        // A pause that reaches beyond the deadline would only delay the same answer.
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
