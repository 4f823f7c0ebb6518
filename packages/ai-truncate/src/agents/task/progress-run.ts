import { anySignal } from '../../deadlines.ts';
import type { SubAgentProgress, SubAgentResult } from './sub-agent.ts';

/** Work that calls `onProgress` until it has its result. */
export type WorkWithProgress = (call: {
  onProgress: (progress: SubAgentProgress) => void;
  abortSignal: AbortSignal;
}) => Promise<SubAgentResult>;

/**
 * The progress of some work, then its result. The work begins with the first step of the loop. A loop that is slower than the
 * progress gets only the latest, and only the result once there is one. Leaving the loop aborts the work, also while the loop waits.
 */
export function progressRun(
  work: WorkWithProgress,
  { abortSignal }: { abortSignal: AbortSignal | undefined },
): AsyncIterable<SubAgentProgress | SubAgentResult> {
  const left = new AbortController();
  let latest: SubAgentProgress | undefined;
  let result: Promise<SubAgentResult> | undefined;
  let isOver = false;
  let wake = () => {};

  function arrive(progress?: SubAgentProgress): void {
    latest = progress;
    isOver = progress === undefined;
    wake();
  }
  function start(): Promise<SubAgentResult> {
    const running = work({ onProgress: arrive, abortSignal: anySignal([abortSignal, left.signal]) });
    running.then(
      () => arrive(),
      () => arrive(),
    );
    return running;
  }

  // No generator, because the `return` of a generator waits for the pending step, which is the step that should end.
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (left.signal.aborted) return { done: true, value: undefined };
        result ??= start();
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (latest || isOver) resolve();
        });
        if (left.signal.aborted) return { done: true, value: undefined };
        const progress = latest;
        latest = undefined;
        if (!progress) left.abort();
        return { done: false, value: progress ?? (await result) };
      },
      async return() {
        left.abort();
        wake();
        return { done: true, value: undefined };
      },
    }),
  };
}
