/** What a model waits for one answer. */
const DEADLINE_MS = 2000;

/**
 * A signal that aborts when the time is up; cleared when the work is over, so that it keeps no process alive, and nothing of the
 * request it was made in: `AbortSignal.timeout` holds that until its time is up.
 */
export function createDeadline(milliseconds: number = DEADLINE_MS): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
