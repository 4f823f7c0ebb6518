import { artifactOwner } from '../artifacts/artifact-owner.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { anySignal, now } from '../runtime.ts';
import { createDeadline } from './create-deadline.ts';

/** Searches and queries that read from one store at the same time. Each holds about a megabyte and an open file. */
const MOST_OF_STORE = 8;
/** So that one user who starts hundreds leaves room for the others. */
const MOST_OF_SCOPE = 4;
/** Apart from the time that the search itself may take: a slow answer is better than none. */
const MAX_WAIT_MS = 20_000;
/** Longer than any search or query may take. One that runs longer never ended its turn: its request is gone. */
const MAX_TURN_MS = 35_000;
/** One that waits and was not seen for so long is gone too. */
const MAX_UNSEEN_MS = 5000;
const MAX_PAUSE_MS = 100;

/** The place of one search in the queue of its store. */
export interface SearchTurn {
  /**
   * Waits until fewer searches are under way: in each scope the first to come is the first to go, and scopes take turns. Resolves
   * with `false` as soon as the signal aborts, without an error, because each caller ends a search in its own way.
   */
  take(signal: AbortSignal): Promise<boolean>;
  /** Lets the next one start. Does nothing without a turn. */
  end(): void;
}

/** A turn to search the store of these artifacts. */
export function searchTurn(artifacts: Artifacts): SearchTurn {
  const { store, scope } = artifactOwner(artifacts);
  const queue = queues.get(store) ?? new SearchQueue();
  queues.set(store, queue);
  let ticket: Ticket | undefined;
  return {
    async take(signal) {
      if (ticket) return true;
      const taken = queue.join(scope);
      ticket = taken;
      while (!signal.aborted && !queue.isTurnOf(taken)) await pause(queue.placeOf(taken), signal);
      if (signal.aborted) this.end();
      return !signal.aborted;
    },
    end() {
      if (ticket) queue.leave(ticket);
      ticket = undefined;
    },
  };
}

/** Does work in a turn of its own. Resolves with `undefined` if no turn came in 20 seconds, or before the signal aborted. */
export async function inSearchTurn<Result>(
  artifacts: Artifacts,
  { signal, work }: { signal: AbortSignal | undefined; work: () => Promise<Result> },
): Promise<Result | undefined> {
  const turn = searchTurn(artifacts);
  const wait = createDeadline(MAX_WAIT_MS);
  try {
    const isTaken = await turn.take(anySignal([signal, wait.signal])).finally(wait.clear);
    return isTaken ? await work() : undefined;
  } finally {
    turn.end();
  }
}

interface Ticket {
  scope: string;
  number: number;
  /** Until then it counts, unless it shows up before. */
  goneAt: number;
}

interface ScopeQueue {
  tickets: Set<Ticket>;
  joined: number;
  left: number;
}

/**
 * Numbers only, and each waiter looks by itself when its turn has come: in Cloudflare Workers a promise belongs to the request
 * that made it, and a search whose client has left neither ends its turn nor wakes the next one.
 */
class SearchQueue {
  readonly #running = new Set<Ticket>();
  /** The scope that was served longest ago comes first. */
  readonly #waiting = new Map<string, ScopeQueue>();

  join(scope: string): Ticket {
    const queue = this.#queueOf(scope);
    const ticket = { scope, number: queue.joined++, goneAt: now() + MAX_UNSEEN_MS };
    queue.tickets.add(ticket);
    return ticket;
  }

  isTurnOf(ticket: Ticket): boolean {
    if (!this.#running.has(ticket)) {
      ticket.goneAt = now() + MAX_UNSEEN_MS;
      // It was taken for gone if the whole process stood still for longer than that.
      this.#queueOf(ticket.scope).tickets.add(ticket);
      this.#admit();
    }
    if (!this.#running.has(ticket)) return false;
    ticket.goneAt = now() + MAX_TURN_MS;
    return true;
  }

  /** About how many of its scope are before it. */
  placeOf({ scope, number }: Ticket): number {
    return number - (this.#waiting.get(scope)?.left ?? number);
  }

  leave(ticket: Ticket): void {
    this.#running.delete(ticket);
    this.#stopWaiting(ticket);
  }

  #admit(): void {
    const time = now();
    for (const ticket of this.#running) if (ticket.goneAt <= time) this.#running.delete(ticket);
    // A scope that is served moves to the end, and is met there once more.
    for (const [scope, queue] of this.#waiting) {
      if (this.#running.size >= MOST_OF_STORE) return;
      if (this.#countOf(scope) >= MOST_OF_SCOPE) continue;
      const [ticket] = queue.tickets;
      if (!ticket) continue;
      this.#stopWaiting(ticket);
      if (ticket.goneAt > time) this.#running.add(ticket);
      if (this.#waiting.delete(scope)) this.#waiting.set(scope, queue);
    }
  }

  #queueOf(scope: string): ScopeQueue {
    const queue = this.#waiting.get(scope) ?? { tickets: new Set(), joined: 0, left: 0 };
    this.#waiting.set(scope, queue);
    return queue;
  }

  #countOf(scope: string): number {
    let count = 0;
    for (const ticket of this.#running) if (ticket.scope === scope) count++;
    return count;
  }

  #stopWaiting(ticket: Ticket): void {
    const queue = this.#waiting.get(ticket.scope);
    if (!queue?.tickets.delete(ticket)) return;
    queue.left++;
    if (queue.tickets.size === 0) this.#waiting.delete(ticket.scope);
  }
}

const queues = new WeakMap<object, SearchQueue>();

/** Those further back look less often. */
function pause(place: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const onEnd = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onEnd);
      resolve();
    };
    const timer = setTimeout(onEnd, Math.min(MAX_PAUSE_MS, Math.max(1, place)));
    signal.addEventListener('abort', onEnd, { once: true });
  });
}
