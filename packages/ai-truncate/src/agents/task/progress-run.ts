import { anySignal } from '../../deadlines.ts';
import type { SubAgentProgress, SubAgentResult } from './sub-agent.ts';

/** Work that calls `onProgress` until it has its result. */
export type WorkWithProgress = (call: {
  onProgress: (progress: SubAgentProgress) => void;
  abortSignal: AbortSignal;
}) => Promise<SubAgentResult>;

/**
 * The progress of some work, then its result. The work begins with the first step of the loop. A loop that is slower than the
 * progress gets only the latest. Leaving the loop aborts the work, also while the loop waits.
 */
export function progressRun(
  work: WorkWithProgress,
  { abortSignal }: { abortSignal: AbortSignal | undefined },
): AsyncIterable<SubAgentProgress | SubAgentResult> {
  return {
    // No generator, because the `return` of a generator waits for the pending step, which is the step that should end.
    [Symbol.asyncIterator]() {
      const left = new AbortController();
      let latest: SubAgentProgress | undefined;
      let result: Promise<SubAgentResult> | undefined;
      let isOver = false;
      let wake = () => {};

      function start(): Promise<SubAgentResult> {
        const onProgress = (progress: SubAgentProgress) => {
          latest = progress;
          wake();
        };
        const onEnd = () => {
          isOver = true;
          wake();
        };
        const running = work({ onProgress, abortSignal: anySignal([abortSignal, left.signal]) });
        running.then(onEnd, onEnd);
        return running;
      }
      function arrival(): Promise<void> {
        return new Promise((resolve) => {
          wake = resolve;
          if (latest || isOver) resolve();
        });
      }

      return {
        async next() {
          if (left.signal.aborted) return { done: true, value: undefined };
          result ??= start();
          await arrival();
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
      };
    },
  };
}
