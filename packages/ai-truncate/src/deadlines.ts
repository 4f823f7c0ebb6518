import { AiTruncateError } from './errors.ts';

// Every time limit, every race with an abort signal, and every watch of this library.

/** A timer with a longer delay fires at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/**
 * Milliseconds since some moment, for durations. The virtual machine of a durable workflow has no `performance`. Its `Date`
 * stands still, and so does the clock of Cloudflare Workers during computation.
 */
export function now(): number {
  return globalThis.performance ? performance.now() : Date.now();
}

export interface Deadline {
  /** Aborts when the time is up, and with `abortSignal`. */
  readonly signal: AbortSignal;
  /** Call it when the work is done: a timer keeps its process alive, and a listener its signal. */
  clear(): void;
  /** Clears it, and aborts the signal, so that leftover work ends. */
  end(): void;
}

/**
 * A time limit that can be cleared. Never `AbortSignal.timeout`: in Node it holds the async context of its request until the time
 * is up, and with it the whole request.
 *
 * @example
 * const { signal, clear } = startDeadline(2000);
 * try { return await search(signal); } finally { clear(); }
 */
export function startDeadline(
  milliseconds: number,
  options: {
    /** Aborts the deadline too, with its reason. */
    abortSignal?: AbortSignal | undefined;
    /** What the signal aborts with when the time is up. @default an `AbortError` */
    toReason?: () => unknown;
    /** Asked when the time is up: `false` lets the work go on. */
    isNeeded?: () => boolean;
    /** Lets the process end earlier. */
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
 * The result of work, unless it takes too long or the signal aborts first. Work is not started after an abort. Work that is given up
 * receives an abort, and its later failure is ignored. After a result the signal aborts too, so that leftover work ends.
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

/** The result of a promise, or `undefined` when it needs longer. Its later failure is ignored. */
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
    // The call that made the promise may itself have aborted: no event follows then.
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    // One listener per wait: they would otherwise gather on a signal that lives as long as the chat.
    const settled = (): void => signal.removeEventListener('abort', onAbort);
    promise.then(resolve, reject).then(settled, settled);
  });
}

/**
 * Aborts with the first of the signals that aborts, and with its reason. The npm package `edge-runtime` has no `AbortSignal.any`:
 * there, each signal keeps a listener until the request ends.
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

/** Reports when something that began takes too long. */
export interface Watch {
  /** Starts the time, or starts it again. */
  begin(): void;
  end(): void;
  /** How long the work may still take. All of the time while none goes on; less than nothing when it is late. */
  leftMs(): number;
  /** The work that began still goes on, and takes too long. */
  isLate(): boolean;
  /** Ends the watch for good. */
  forget(): void;
}

/** One timer for a whole watch, because a stream begins and ends millions of times. */
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
