// What runtimes that this library supports may lack.

/**
 * Milliseconds since some moment, for durations. The virtual machine of a durable workflow has no `performance`. Its `Date`
 * stands still, and so does the clock of Cloudflare Workers during computation.
 */
export function now(): number {
  return globalThis.performance ? performance.now() : Date.now();
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

/** `URL.parse`, which Node has from 22.1. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
