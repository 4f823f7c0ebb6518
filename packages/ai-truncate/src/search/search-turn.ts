import type { Artifacts } from '../artifacts/artifacts.ts';
import { artifactOwner } from '../artifacts/scoped-artifacts.ts';
import { anySignal, sleep, startDeadline } from '../deadlines.ts';
import { type Ticket, TurnQueue } from '../turn-queue.ts';

/** In addition to the time of the search itself, because a slow answer is better than none. */
const MAX_WAIT_MS = 20_000;
/** Searches and queries that read from one store at the same time. Each holds about a megabyte and an open file. */
const SEARCHES = { most: 8, mostOfScope: 4, maxTurnMs: 35_000 };

/** The place of one search in the queue of its store. */
export interface SearchTurn {
  /**
   * Waits until fewer searches are running. Each scope serves its searches in order, and scopes take turns. Resolves to `false`
   * as soon as the signal aborts, without an error, because each caller ends a search in its own way.
   */
  take(signal: AbortSignal): Promise<boolean>;
  /** Lets the next search start. Does nothing without a turn. */
  end(): void;
}

/** A turn to search the store of these artifacts. */
export function searchTurn(artifacts: Artifacts): SearchTurn {
  const { store, scope } = artifactOwner(artifacts);
  const queue = queues.get(store) ?? new TurnQueue(SEARCHES);
  queues.set(store, queue);
  let ticket: Ticket | undefined;
  return {
    async take(signal) {
      if (ticket) return true;
      const taken = queue.join(scope);
      ticket = taken;
      while (!signal.aborted && !queue.isTurnOf(taken)) await sleep(queue.pauseMsOf(taken), signal).catch(() => {});
      if (signal.aborted) this.end();
      return !signal.aborted;
    },
    end() {
      if (ticket) queue.leave(ticket);
      ticket = undefined;
    },
  };
}

/** Does work in its own turn. Resolves with `undefined` if no turn came in 20 seconds, or before the signal aborted. */
export async function inSearchTurn<Result>(
  artifacts: Artifacts,
  { signal, work }: { signal: AbortSignal | undefined; work: () => Promise<Result> },
): Promise<Result | undefined> {
  const turn = searchTurn(artifacts);
  const wait = startDeadline(MAX_WAIT_MS);
  try {
    const isTaken = await turn.take(anySignal([signal, wait.signal])).finally(wait.clear);
    return isTaken ? await work() : undefined;
  } finally {
    turn.end();
  }
}

const queues = new WeakMap<object, TurnQueue>();
