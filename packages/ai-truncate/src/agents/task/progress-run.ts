import { anySignal, settledWithin } from '../../deadlines.ts';
import type { SubAgentProgress, SubAgentResult } from './sub-agent.ts';

/** Work that calls `onProgress` until it has its result. */
export type WorkWithProgress = (call: {
  onProgress: (progress: SubAgentProgress) => void;
  abortSignal: AbortSignal;
}) => Promise<SubAgentResult>;

/**
 * The progress of some work, then its result. The work begins with the first step of the loop. A loop that is slower than the
 * work gets only the latest progress, and only the result once there is one. With `everyMs`, each progress lasts for at least that
 * time, unless the work ends. Leaving the loop aborts the work.
 */
export async function* progressRun(
  work: WorkWithProgress,
  { abortSignal, everyMs }: { abortSignal: AbortSignal; everyMs?: number },
): AsyncGenerator<SubAgentProgress | SubAgentResult> {
  const left = new AbortController();
  let latest: SubAgentProgress | undefined;
  let isOver = false;
  let wake = () => {};
  const onProgress = (progress: SubAgentProgress) => {
    latest = progress;
    wake();
  };
  const running = work({ onProgress, abortSignal: anySignal([abortSignal, left.signal]) }).finally(() => {
    isOver = true;
    wake();
  });
  // Prevents an unhandled rejection after the loop was left.
  running.catch(() => {});
  try {
    while (!isOver) {
      const shown = latest;
      latest = undefined;
      if (shown) {
        yield shown;
        if (everyMs !== undefined) await settledWithin(everyMs, running);
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    yield await running;
  } finally {
    left.abort();
  }
}
