import { isResult, type SubAgentProgress, type SubAgentResult } from './sub-agent.ts';

/** At most four a second: each one is sent to the page. */
const INTERVAL_MS = 250;

/**
 * The same, with no more progress than a page needs: of what comes too fast the latest, when its time has come. The result
 * comes at once, and ends it. Neither an abort nor whoever leaves early waits for the source.
 */
export async function* pacedProgress(
  source: AsyncIterable<SubAgentProgress | SubAgentResult>,
  { abortSignal }: { abortSignal: AbortSignal },
): AsyncGenerator<SubAgentProgress | SubAgentResult> {
  const iterator = source[Symbol.asyncIterator]();
  let waiting: SubAgentProgress | undefined;
  let freeAt = 0;
  let isDone = false;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortSignal.reason);
    abortSignal.addEventListener('abort', onAbort, { once: true });
  });
  aborted.catch(() => {});
  try {
    abortSignal.throwIfAborted();
    let next = iterator.next();
    while (true) {
      const turn = waiting ? startTimer(freeAt - performance.now()) : undefined;
      const arrived = await Promise.race([next, aborted, ...(turn ? [turn.over] : [])]).finally(() => turn?.clear());
      if (arrived !== undefined) {
        if (arrived.done || isResult(arrived.value)) {
          isDone = arrived.done === true;
          if (!arrived.done) yield arrived.value;
          return;
        }
        waiting = arrived.value;
        next = iterator.next();
      }
      if (waiting && performance.now() >= freeAt) {
        const progress = waiting;
        waiting = undefined;
        freeAt = performance.now() + INTERVAL_MS;
        yield progress;
      }
    }
  } finally {
    abortSignal.removeEventListener('abort', onAbort);
    if (!isDone) Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

function startTimer(milliseconds: number): { over: Promise<undefined>; clear(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, milliseconds));
  });
  return { over, clear: () => clearTimeout(timer) };
}
