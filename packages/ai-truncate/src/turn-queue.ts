import { now } from './deadlines.ts';

/** How much work is under way at the same time. */
interface TurnQueueLimits {
  most: number;
  /** So that one scope with hundreds of tickets leaves room for the others. */
  mostOfScope: number;
  /** Longer than any turn may take. A turn that is not seen for so long never ends: its request is gone. */
  maxTurnMs: number;
}

/** A ticket that waits and was not seen for so long is gone too. */
const MAX_UNSEEN_MS = 5000;
const MAX_PAUSE_MS = 100;

export interface Ticket {
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
 * that made it, and work whose client has left neither ends its turn nor wakes the next one.
 */
export class TurnQueue {
  readonly #limits: TurnQueueLimits;
  readonly #running = new Set<Ticket>();
  /** The scope that was served longest ago comes first. */
  readonly #waiting = new Map<string, ScopeQueue>();

  constructor(limits: TurnQueueLimits) {
    this.#limits = limits;
  }

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
    ticket.goneAt = now() + this.#limits.maxTurnMs;
    return true;
  }

  /** When to look again: a ticket further back in its scope looks less often. */
  pauseMsOf({ scope, number }: Ticket): number {
    const place = number - (this.#waiting.get(scope)?.left ?? number);
    return Math.min(MAX_PAUSE_MS, Math.max(1, place));
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
      if (this.#running.size >= this.#limits.most) return;
      if (this.#countOf(scope) >= this.#limits.mostOfScope) continue;
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
