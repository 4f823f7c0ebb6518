import { LONGEST_TIMER_MS, sleep, watchFor } from '../../deadlines.ts';
import { AiTruncateError } from '../../errors.ts';
import { requireWholeNumber } from '../../options.ts';

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
  /** How often a request is sent at most. @default 1 */
  attempts?: number;
  /** How long to pause before the next attempt; `undefined` when another attempt would fail the same way. */
  toPauseMs?: (error: unknown, attempt: number) => number | undefined;
  /** What to do when the deadline passed before anything was heard. @default 'Try again later, or raise `timeoutMs`.' */
  silenceAdvice?: string | undefined;
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

const DEFAULT_ADVICE = 'Try again later, or raise `timeoutMs`.';

type Send<T> = (attempt: Attempt, leftMs: () => number) => Promise<T>;

/**
 * Sends a request within a deadline, and again after a failure that passes.
 *
 * The request never receives the caller's signal: `@vercel/blob` takes every reason but an `AbortError` for a failure of the
 * network, so with a signal of `AbortSignal.timeout` it would try again for minutes. Nor is the request awaited once the deadline
 * is over or the signal aborted: some clients notice that late, and some never.
 */
export async function withRetries<T>(send: (attempt: Attempt) => Promise<T>, options: RetryOptions): Promise<T> {
  const { verb, timeoutMs, deadlineFor = 'request', signal, attempts = 1, silenceAdvice = DEFAULT_ADVICE } = options;
  let failure: { cause: unknown } | undefined;

  function toPauseMs(error: unknown, attempt: number): number | undefined {
    failure = { cause: error };
    return options.toPauseMs?.(error, attempt);
  }

  /** The backend did not answer in time. What failed before, if anything, is the cause. */
  function toTimeoutError(): AiTruncateError {
    const advice = failure ? DEFAULT_ADVICE : silenceAdvice;
    const message = `The store made no progress with \`${verb}\` within ${timeoutMs} ms. ${advice}`;
    return new AiTruncateError(message, { code: 'STORE_TIMEOUT', ...failure });
  }

  const limits = { timeoutMs, signal, toTimeoutError };
  if (deadlineFor === 'attempt') {
    const leftMs = () => Number.POSITIVE_INFINITY;
    return repeat(() => sendInTime(send, limits), { attempts, signal, toPauseMs, leftMs });
  }
  return sendInTime(
    (attempt, leftMs) => repeat(() => send(attempt), { attempts, signal: attempt.signal, toPauseMs, leftMs }),
    limits,
  );
}

/** Throws unless a timer can wait that long. */
export function requireTimeoutMs(timeoutMs: unknown): void {
  requireWholeNumber('timeoutMs', { value: timeoutMs, min: 1, max: LONGEST_TIMER_MS });
}

/** Rejects when the time is over or the signal aborts, whether or not the request ever ends. */
async function sendInTime<T>(
  send: Send<T>,
  { timeoutMs, signal, toTimeoutError }: Pick<RetryOptions, 'timeoutMs' | 'signal'> & { toTimeoutError: () => Error },
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let isPaused = false;
  let stop = (_reason: unknown) => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      // First, so that no answer to the abort comes before the reason.
      reject(reason);
      controller.abort();
    };
  });
  const onAbort = () => stop(signal?.reason);
  const watch = watchFor(timeoutMs, () => stop(toTimeoutError()));
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
    // The loser of a race is handled by it: what the abandoned request rejects with later is not an unhandled rejection.
    return await Promise.race([send(attempt, watch.leftMs), stopped]);
  } finally {
    watch.forget();
    signal?.removeEventListener('abort', onAbort);
  }
}

interface Repetition {
  attempts: number;
  signal: AbortSignal | undefined;
  toPauseMs: (error: unknown, attempt: number) => number | undefined;
  /** Progress moves the deadline. */
  leftMs: () => number;
}

async function repeat<T>(send: () => Promise<T>, { attempts, signal, toPauseMs, leftMs }: Repetition): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      const pauseMs = attempt < attempts ? toPauseMs(error, attempt) : undefined;
      // A pause that reaches beyond the deadline would only delay the same answer.
      if (pauseMs === undefined || pauseMs >= leftMs()) throw error;
      await sleep(pauseMs, signal);
    }
  }
}
