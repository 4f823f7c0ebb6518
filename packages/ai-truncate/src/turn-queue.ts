import { now } from './deadlines.ts';

/** How much work may run at the same time. */
interface TurnQueueLimits {
  most: number;
  /** Limits one scope with hundreds of tickets, so that others have room. */
  mostOfScope: number;
  /** Longer than any turn may take. A turn that is not seen for this time never ends, because its request is gone. */
  maxTurnMs: number;
}

/** A waiting ticket that is not seen for this time is gone too. */
const MAX_UNSEEN_MS = 5000;
const MAX_PAUSE_MS = 100;

export interface Ticket {
  scope: string;
  /** The ticket counts until this time, unless it is seen before. */
  goneAt: number;
}

/**
 * A queue of turns. It holds only numbers, and each waiter checks for its own turn, because in Cloudflare Workers a promise
 * belongs to the request that made it. Work whose client has disconnected neither ends its turn nor wakes the next waiter.
 */
export class TurnQueue {
  readonly #limits: TurnQueueLimits;
  readonly #running = new Set<Ticket>();
  /** The scope that was served longest ago comes first. */
  readonly #waiting = new Map<string, Set<Ticket>>();

  constructor(limits: TurnQueueLimits) {
    this.#limits = limits;
  }

  join(scope: string): Ticket {
    const ticket = { scope, goneAt: now() + MAX_UNSEEN_MS };
    this.#wait(ticket);
    return ticket;
  }

  isTurnOf(ticket: Ticket): boolean {
    if (!this.#running.has(ticket)) {
      ticket.goneAt = now() + MAX_UNSEEN_MS;
      // The ticket counted as gone if the whole process was blocked for longer than that.
      this.#wait(ticket);
      this.#admit();
    }
    if (!this.#running.has(ticket)) return false;
    ticket.goneAt = now() + this.#limits.maxTurnMs;
    return true;
  }

  /** When to check again. A ticket further back in its scope checks less often. */
  pauseMsOf(ticket: Ticket): number {
    let ahead = 0;
    for (const each of this.#waiting.get(ticket.scope) ?? []) {
      if (each === ticket || ahead === MAX_PAUSE_MS) break;
      ahead++;
    }
    return Math.max(1, ahead);
  }

  leave(ticket: Ticket): void {
    this.#running.delete(ticket);
    this.#stopWaiting(ticket);
  }

  #admit(): void {
    const time = now();
    for (const ticket of this.#running) if (ticket.goneAt <= time) this.#running.delete(ticket);
    // A scope that is served moves to the end, and the loop visits it once more.
    for (const [scope, tickets] of this.#waiting) {
      if (this.#running.size >= this.#limits.most) return;
      const [ticket] = tickets;
      const runningOfScope = [...this.#running].filter((each) => each.scope === scope);
      if (!ticket || runningOfScope.length >= this.#limits.mostOfScope) continue;
      this.#stopWaiting(ticket);
      if (ticket.goneAt > time) this.#running.add(ticket);
      if (this.#waiting.delete(scope)) this.#waiting.set(scope, tickets);
    }
  }

  #wait(ticket: Ticket): void {
    const tickets = this.#waiting.get(ticket.scope) ?? new Set();
    this.#waiting.set(ticket.scope, tickets.add(ticket));
  }

  #stopWaiting(ticket: Ticket): void {
    const tickets = this.#waiting.get(ticket.scope);
    if (tickets?.delete(ticket) && tickets.size === 0) this.#waiting.delete(ticket.scope);
  }
}
