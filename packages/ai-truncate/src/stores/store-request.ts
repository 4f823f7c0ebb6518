import { LONGEST_TIMER_MS, now, sleep } from '../deadlines.ts';
import { AiTruncateError } from '../errors.ts';
import { requireWholeNumber } from '../options.ts';

const MAX_ATTEMPTS = 3;

export interface RequestOptions {
  /** What is asked of the store, for the message of the deadline. */
  verb: string;
  timeoutMs: number;
  /**
   * What has to be over within `timeoutMs`: the whole request, with all attempts and the pauses between them, or each
   * attempt. An attempt, where a store is not told how much time the bytes of a request take on the line. @default 'request'
   */
  deadlineFor?: 'request' | 'attempt';
  signal?: AbortSignal | undefined;
  /** How long to pause before the next attempt; `undefined` when another attempt would fail the same way. */
  toPauseMs?: (error: unknown, attempt: number) => number | undefined;
  /** What to do when the deadline passed before anything was heard. @default 'Try again later, or raise `timeoutMs`.' */
  silenceAdvice?: string | undefined;
}

/** What an attempt is given. */
export interface Deadline {
  /** Aborts when the time is over, and with the signal of the caller; always with an `AbortError`. */
  signal: AbortSignal;
  /** Starts anew, unless it is paused. */
  onProgress: () => void;
  /** While something else than the backend is waited for. */
  pause: () => void;
  /** Starts anew. */
  resume: () => void;
}

/**
 * Sends a request within a deadline, up to three times where that helps.
 *
 * What is sent never sees the caller's signal: `@vercel/blob` takes every reason but an `AbortError` for a failure of the
 * network, so with a signal of `AbortSignal.timeout` it would try again for minutes. Nor is it waited for once the deadline
 * is over or the signal aborted: some clients notice that late, and some never.
 */
export async function request<T>(send: (deadline: Deadline) => Promise<T>, options: RequestOptions): Promise<T> {
  const { verb, timeoutMs, deadlineFor = 'request', signal, silenceAdvice } = options;
  let failure: { cause: unknown } | undefined;

  function toPauseMs(error: unknown, attempt: number): number | undefined {
    failure = { cause: error };
    return options.toPauseMs?.(error, attempt);
  }

  const toTimeoutError = () => new StoreTimeoutError(verb, { timeoutMs, ...(failure ?? { advice: silenceAdvice }) });
  const bounds = { timeoutMs, signal, toTimeoutError };
  if (deadlineFor === 'attempt') return repeated(() => bounded(send, bounds), { signal, toPauseMs });
  return bounded((deadline) => {
    const toPauseWithinMs = (error: unknown, attempt: number) => {
      const pauseMs = toPauseMs(error, attempt);
      // A pause that reaches beyond the deadline would only delay the same answer.
      return pauseMs !== undefined && pauseMs < deadline.leftMs() ? pauseMs : undefined;
    };
    return repeated(() => send(deadline), { signal: deadline.signal, toPauseMs: toPauseWithinMs });
  }, bounds);
}

/** Throws unless a timer can wait that long. */
export function requireTimeoutMs(timeoutMs: unknown): void {
  requireWholeNumber('timeoutMs', { value: timeoutMs, min: 1, max: LONGEST_TIMER_MS });
}

interface Bounds {
  timeoutMs: number;
  signal: AbortSignal | undefined;
  toTimeoutError: () => Error;
}

/** Rejects when the time is over or the signal aborts, whether or not what was sent ever ends. */
async function bounded<T>(
  send: (deadline: Deadline & { leftMs: () => number }) => Promise<T>,
  { timeoutMs, signal, toTimeoutError }: Bounds,
): Promise<T> {
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
  const onAbort = () => stop(signal?.reason);
  const { end, ...timer } = startTimer(timeoutMs, () => stop(toTimeoutError()));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    // The loser of a race is handled by it: what the abandoned request rejects with later is not an unhandled rejection.
    return await Promise.race([send({ ...timer, signal: controller.signal }), stopped]);
  } finally {
    end();
    signal?.removeEventListener('abort', onAbort);
  }
}

function startTimer(timeoutMs: number, onOver: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endsAt = 0;
  let isPaused = false;
  let hasEnded = false;

  function restart(): void {
    clearTimeout(timer);
    // A stream of an upload that was given up may still be pulled.
    if (isPaused || hasEnded) return;
    endsAt = now() + timeoutMs;
    timer = setTimeout(onOver, Math.min(timeoutMs, LONGEST_TIMER_MS));
  }

  function setPaused(paused: boolean): void {
    isPaused = paused;
    restart();
  }

  restart();
  return {
    leftMs: () => endsAt - now(),
    onProgress: restart,
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    end() {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}

async function repeated<T>(
  send: () => Promise<T>,
  { signal, toPauseMs }: Required<Pick<RequestOptions, 'toPauseMs'>> & { signal: AbortSignal | undefined },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      const pauseMs = attempt < MAX_ATTEMPTS ? toPauseMs(error, attempt) : undefined;
      if (pauseMs === undefined) throw error;
      await sleep(pauseMs, signal);
    }
  }
}

interface StoreTimeout {
  timeoutMs: number;
  advice?: string | undefined;
  cause?: unknown;
}

/** The backend did not answer in time. What failed before, if anything, is the cause. */
class StoreTimeoutError extends AiTruncateError {
  constructor(verb: string, { timeoutMs, advice, ...options }: StoreTimeout) {
    const nextStep = advice ?? 'Try again later, or raise `timeoutMs`.';
    super(`The store made no progress with \`${verb}\` within ${timeoutMs} ms. ${nextStep}`, {
      code: 'STORE_TIMEOUT',
      ...options,
    });
    this.name = 'StoreTimeoutError';
  }
}
