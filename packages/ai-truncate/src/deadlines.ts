import { AiTruncateError } from './errors.ts';

// Every time limit, every race with an abort signal, and every watch of this library.

/** A timer with a longer delay fires at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/**
 * Milliseconds since some moment, to measure durations. The virtual machine of a durable workflow has no `performance`, and its
 * `Date` does not advance. The clock of Cloudflare Workers does not advance during computation.
 */
export function now(): number {
  return globalThis.performance ? performance.now() : Date.now();
}

export interface Deadline {
  /** Aborts when the time is up, or when `abortSignal` aborts. */
  readonly signal: AbortSignal;
  /** Call it when the work is done, because a timer keeps its process alive, and a listener its signal. */
  clear(): void;
  /** Clears the timer and aborts the signal, so that leftover work ends. */
  end(): void;
}

/**
 * A time limit that can be cleared. Never `AbortSignal.timeout`: in Node it holds the async context of its request until the time
 * is up, and with it the whole request.
 */
export function startDeadline(
  milliseconds: number,
  options: {
    /** Also aborts the deadline, with its reason. */
    abortSignal?: AbortSignal | undefined;
    /** Makes the reason of the abort when the time is up. @default an `AbortError` */
    toReason?: () => unknown;
    /** Called when the time is up. If it returns `false`, the work continues. */
    isNeeded?: () => boolean;
    /** Does not prevent the process from ending. */
    isBackground?: boolean;
  } = {},
): Deadline {
  const { abortSignal, toReason, isNeeded = () => true, isBackground = false } = options;
  const controller = new AbortController();
  const timer = setTimeout(() => isNeeded() && controller.abort(toReason?.()), timerMs(milliseconds));
  if (isBackground) (timer as { unref?: () => void }).unref?.();
  const onAbort = (): void => controller.abort(abortSignal?.reason);
  const clear = (): void => {
    clearTimeout(timer);
    abortSignal?.removeEventListener('abort', onAbort);
  };
  if (abortSignal?.aborted) onAbort();
  abortSignal?.addEventListener('abort', onAbort, { once: true });
  const end = (): void => {
    clear();
    controller.abort();
  };
  return { signal: controller.signal, clear, end };
}

/**
 * The result of work, unless it takes too long or the signal aborts first. Work is not started after an abort. Abandoned work
 * receives an abort, and its later failure is ignored. The signal also aborts after a result, so that leftover work ends.
 */
export async function withTimeout<Result>(
  milliseconds: number,
  {
    work,
    abortSignal,
    what,
  }: {
    work: (signal: AbortSignal) => Result | PromiseLike<Result>;
    abortSignal?: AbortSignal | undefined;
    /** For the error: "`scope` did not answer within 50 ms". */
    what: string;
  },
): Promise<Result> {
  abortSignal?.throwIfAborted();
  const toReason = () =>
    new AiTruncateError(`${what} did not answer within ${timerMs(milliseconds)} ms.`, { code: 'STORE_TIMEOUT' });
  const { signal, end } = startDeadline(milliseconds, { abortSignal, toReason });
  try {
    return await untilAborted(Promise.resolve(work(signal)), signal);
  } finally {
    end();
  }
}

/** The result of a promise, or `undefined` if it takes longer. Its later failure is ignored. */
export async function settledWithin<Result>(
  milliseconds: number,
  promise: Promise<Result>,
): Promise<Result | undefined> {
  const stop = new AbortController();
  const over = sleep(milliseconds, stop.signal).catch(() => {});
  return Promise.race([promise, over.then(() => undefined)]).finally(() => stop.abort());
}

/** The result of a promise, or the reason of the signal as soon as it aborts. */
export function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    // The call that made the promise may itself have caused the abort. Then no event follows.
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    // One listener per wait. Otherwise listeners would accumulate on a signal that exists as long as the chat.
    const settled = (): void => signal.removeEventListener('abort', onAbort);
    promise.then(resolve, reject).then(settled, settled);
  });
}

/**
 * Aborts with the first signal that aborts, and with its reason. The npm package `edge-runtime` has no `AbortSignal.any`, so
 * there each signal has a listener until the request ends.
 */
export function anySignal(signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const given = signals.filter((signal) => signal !== undefined);
  const [first, second] = given;
  if (first && !second) return first;
  if (typeof AbortSignal.any === 'function') return AbortSignal.any(given);
  const controller = new AbortController();
  for (const signal of given) {
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  }
  return controller.signal;
}

/** Waits, and rejects with the reason of the signal as soon as it aborts. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timerMs(milliseconds));
  });
  await untilAborted(over, signal).finally(() => clearTimeout(timer));
}

/** Reports work that takes too long. */
export interface Watch {
  /** Starts or restarts the time. */
  begin(): void;
  end(): void;
  /** The remaining time of the work. It is the full time while no work is running, and negative when the work is late. */
  leftMs(): number;
  /** Whether the work is still running and takes too long. */
  isLate(): boolean;
  /** Ends the watch permanently. */
  forget(): void;
}

/** Uses one timer for the whole watch, because a stream begins and ends millions of times. */
export function watchFor(milliseconds: number, onTooLong: () => void): Watch {
  let begunAt: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isForgotten = false;

  function check(): void {
    timer = undefined;
    if (begunAt === undefined) return;
    if (leftMs() > 0) timer = setTimeout(check, timerMs(leftMs()));
    else onTooLong();
  }

  function leftMs(): number {
    return begunAt === undefined ? milliseconds : begunAt + milliseconds - now();
  }

  function end(): void {
    begunAt = undefined;
  }

  return {
    begin() {
      if (isForgotten) return;
      begunAt = now();
      timer ??= setTimeout(check, timerMs(milliseconds));
    },
    end,
    leftMs,
    isLate: () => begunAt !== undefined && leftMs() <= 0,
    forget() {
      isForgotten = true;
      end();
      clearTimeout(timer);
    },
  };
}

function timerMs(milliseconds: number): number {
  return Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil(milliseconds)));
}
