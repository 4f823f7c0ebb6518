import { now } from '../deadlines.ts';
import { inTurn } from '../pace.ts';

const AT_ONCE_MS = 8;

/**
 * Does one piece of work after another, and lets the event loop turn between two as soon as they have used up a slice. For work
 * on items that come at any time: of a source that never waits, a thousand pieces would otherwise be one long turn.
 */
export function workInTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let spentMs = 0;
  return async (work) => {
    const startedAt = now();
    const result = await work();
    spentMs += now() - startedAt;
    if (spentMs <= AT_ONCE_MS) return result;
    spentMs = 0;
    await inTurn(() => {});
    return result;
  };
}
