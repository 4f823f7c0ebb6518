import { now } from './deadlines.ts';

/** How long the event loop may be blocked: half a frame, so that a UI or a server stays responsive. */
export const SLICE_MS = 8;
/** More waiters than ever pass in a millisecond. */
const WAITERS_PER_MS = 64;

/**
 * The time since the event loop last turned, as far as this library knows. It holds only numbers, because in Cloudflare Workers
 * a promise or a timer belongs to the request that made it, and never settles once that request has ended.
 */
class TimeSlice {
  #number = 0;
  #startedAt = 0;
  /** The used share of the slice. */
  #spent = 0;
  /** The slice since which the first waiter in line has waited. */
  #firstInLine = Number.POSITIVE_INFINITY;
  /** The same for the next slice, as far as it is known. */
  #longestWaiting = Number.POSITIVE_INFINITY;
  /** The number of waiters so far. Each waiter has a number, which shows its place in the line. */
  #tickets = 0;
  /** The lowest number of the waiters that checked in the previous slice. */
  #firstTicket = Number.POSITIVE_INFINITY;
  /** The same for this slice. */
  #lowestTicket = Number.POSITIVE_INFINITY;

  /** Whether the whole slice is used by work, whatever the clock says. */
  get isSpent(): boolean {
    return this.#spent >= 1;
  }

  /** The first piece of work in a slice always passes. Otherwise a crowd that only asks could use up the slice. */
  get isUsedUp(): boolean {
    return this.#spent > 0 && (this.#spent >= 1 || now() - this.#startedAt > SLICE_MS);
  }

  /** Uses a share of the slice, from 0 to 1, for work. */
  spend(share: number): void {
    if (this.#spent === 0) this.#startedAt = now();
    this.#spent += share;
  }

  /**
   * Waits for a slice with time left. Each waiter turns the event loop for itself, and the longest waiting is first. Otherwise
   * the work that has just run would be first again. Only the number of the longest waiting is known, and each slice finds it
   * again, so that a waiter that never returns costs the others one turn. A waiter far back in the line sleeps, because
   * thousands that check in every slice would use it up.
   */
  async next(): Promise<void> {
    const since = this.#number;
    const ticket = this.#tickets++;
    do {
      const ahead = ticket - Math.min(this.#firstTicket, this.#lowestTicket);
      if (ahead > WAITERS_PER_MS) await sleep(ahead / WAITERS_PER_MS);
      const number = this.#number;
      this.#longestWaiting = Math.min(this.#longestWaiting, since);
      this.#lowestTicket = Math.min(this.#lowestTicket, ticket);
      await turnEventLoop();
      if (this.#number === number) this.#start();
    } while (this.isUsedUp || since > this.#firstInLine);
  }

  #start(): void {
    this.#number++;
    this.#spent = 0;
    this.#firstInLine = this.#longestWaiting;
    this.#longestWaiting = Number.POSITIVE_INFINITY;
    this.#firstTicket = this.#lowestTicket;
    this.#lowestTicket = Number.POSITIVE_INFINITY;
  }
}

/** The slice that all work in the process shares. */
export const slice: TimeSlice = new TimeSlice();

// How the event loop is turned, in every runtime.

// Found once, because under fake timers that a test installs later, a pace would otherwise wait forever.
const { setTimeout: startTimer } = globalThis as Partial<typeof globalThis>;
const waysToTurn = /* @__PURE__ */ findWaysToTurn();
/** The first way that works. In the edge runtime of Next.js, `setImmediate` and `MessageChannel` throw when they are called. */
let workingWay = 0;

/** Lets the event loop turn once. */
export function turnEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    for (const [index, turn] of waysToTurn.entries()) {
      if (index < workingWay) continue;
      try {
        turn(resolve);
        workingWay = index;
        return;
      } catch {
        // The next way may work.
      }
    }
    // A durable workflow has no turns, so its work is done in one step.
    resolve();
  });
}

/** Waits in real time, even if a test fakes timers. Does not wait if there are no timers. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    try {
      startTimer?.(resolve, milliseconds) ?? resolve();
    } catch {
      // A durable workflow has no timers.
      resolve();
    }
  });
}

function findWaysToTurn(): ((onTurn: () => void) => void)[] {
  const { setImmediate, MessageChannel } = globalThis as Partial<typeof globalThis>;
  const ways: ((onTurn: () => void) => void)[] = [];
  if (setImmediate) ways.push((onTurn) => void setImmediate(onTurn));
  // Browsers delay nested timeouts by at least 4 ms, but deliver a message at once.
  if (MessageChannel) ways.push((onTurn) => postToSelf(new MessageChannel() as unknown as Channel, onTurn));
  if (startTimer) ways.push((onTurn) => void startTimer(onTurn, 0));
  return ways;
}

/** The common part of a port in browsers and Node. The Node types have no `onmessage`. */
type Port = { onmessage: (() => void) | null; postMessage(message: unknown): void; close(): void };
type Channel = { port1: Port; port2: Port };

function postToSelf({ port1, port2 }: Channel, onMessage: () => void): void {
  port1.onmessage = () => {
    // An open port keeps the process alive.
    port1.close();
    onMessage();
  };
  port2.postMessage(undefined);
}
