import { anySignal } from '../../deadlines.ts';
import type { SubAgentProgress, SubAgentResult } from '../task/sub-agent.ts';

/** Work that tells how far it is by calls, until it has its result. */
export type TellingWork = (call: {
  tell: (progress: SubAgentProgress) => void;
  abortSignal: AbortSignal;
}) => Promise<SubAgentResult>;

/**
 * The progress of some work, then its result. It begins with the first step of the loop; of progress that comes faster than the
 * loop goes, only the latest is there. Who leaves the loop, also while it waits, aborts the work.
 */
// No generator: the `return` of one waits for the step that is pending, which is what should end.
export function progressRun(
  work: TellingWork,
  { abortSignal }: { abortSignal: AbortSignal | undefined },
): AsyncIterable<SubAgentProgress | SubAgentResult> {
  return {
    [Symbol.asyncIterator]() {
      const left = new AbortController();
      const signal = anySignal([abortSignal, left.signal]);
      let latest: SubAgentProgress | undefined;
      let result: Promise<SubAgentResult> | undefined;
      let isOver = false;
      let wake = () => {};

      function begin(): Promise<SubAgentResult> {
        const tell = (progress: SubAgentProgress) => {
          latest = progress;
          wake();
        };
        const running = work({ tell, abortSignal: signal });
        running.then(end, end);
        return running;
      }
      function end(): void {
        isOver = true;
        wake();
      }

      return {
        async next() {
          if (left.signal.aborted) return { done: true, value: undefined };
          result ??= begin();
          if (latest === undefined && !isOver) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
          if (left.signal.aborted) return { done: true, value: undefined };
          if (latest !== undefined) {
            const value = latest;
            latest = undefined;
            return { done: false, value };
          }
          left.abort();
          return { done: false, value: await result };
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
