import { now, untilAborted } from './deadlines.ts';
import { bytePieces, textPieces } from './text/utf.ts';
import { TurnQueue } from './turn-queue.ts';

const MAX_PIECE_LENGTH = 128 * 1024;
const MAX_PIECE_BYTES = 1024 * 1024;

/** How `pace` ends early. */
export type PaceOptions = {
  /** Ends the pace with the signal's reason, also while an asynchronous source keeps it waiting. */
  abortSignal?: AbortSignal | undefined;
};

/**
 * Drives items in 8 ms slices that all work in the process shares. An `await` alone lets only other promises run, so a
 * loop over hundreds of megabytes would be one long turn of the event loop; here the loop turns between two items as soon
 * as the slice is used up, by this work or by any other.
 *
 * Items keep their order. Chunks of text or bytes join to the same; empty ones are dropped, long ones handed on in pieces.
 * However the pace ends, its source is closed, but not waited for: a hung source would keep the consumer for ever.
 *
 * @example
 * for await (const chunk of pace(serialize(value).chunks, { abortSignal })) scan.push(chunk);
 */
export async function* pace<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  options: PaceOptions = {},
): AsyncGenerator<Item> {
  const { abortSignal } = options;
  const source = open(items);
  const startedAt = now();
  let spent = 0;
  let isDone = false;

  /** A clock cannot tell an idle process from a busy one, so that small work looks only at how much work was let through. */
  function mustWait(): boolean {
    const isSmall = spent < SMALL_SHARE && now() - startedAt <= SLICE_MS;
    return isSmall ? slice.spent >= 1 : isUsedUp();
  }
  function spendOn(share: number): void {
    spent += share;
    spend(share);
  }

  try {
    while (true) {
      if (mustWait()) await nextSlice();
      abortSignal?.throwIfAborted();
      spendOn(CALL_SHARE);
      const next = source.next();
      const result = isPromise(next) ? await untilAborted(next, abortSignal) : next;
      if (result.done) {
        isDone = true;
        return;
      }
      for (const piece of pieces(result.value)) {
        if (mustWait()) await nextSlice();
        abortSignal?.throwIfAborted();
        spendOn(shareOf(piece));
        yield piece;
      }
    }
  } finally {
    if (!isDone) close(source);
  }
}

/**
 * Does a short piece of work right when it is its turn: thousands that start at once are nothing each, but together they are
 * one long turn of the event loop. Longer work is a `pace`.
 *
 * @example
 * const found = await inTurn(() => findAll(line));
 */
export async function inTurn<Result>(work: () => Result): Promise<Awaited<Result>> {
  if (isUsedUp()) await nextSlice();
  spend(CALL_SHARE);
  return await work();
}

/** Work that is cut into short steps, so that whoever drives it can let the event loop turn between two. */
export type Steps<Result> = Generator<void, Result>;

/** All of the steps at once. */
export function finished<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Long work that is cut into steps: each is done when it is its turn. Returns what the last step returns. Only a few such works
 * are under way at the same time: thousands that take turns would each hold what they have made so far.
 *
 * @example
 * const shown = await inTurns(previewInSteps(scanned, options));
 */
export async function inTurns<Result>(steps: Iterator<unknown, Result>): Promise<Result> {
  const ticket = works.join('');
  try {
    while (!works.isTurnOf(ticket)) await sleep(works.pauseMsOf(ticket));
    for (;;) {
      const step = await inTurn(() => steps.next());
      if (step.done) return step.value;
      works.isTurnOf(ticket);
    }
  } finally {
    works.leave(ticket);
  }
}

const works = /* @__PURE__ */ new TurnQueue({ most: 8, mostOfScope: 8, maxTurnMs: 5000 });

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
    if (spentMs <= SLICE_MS) return result;
    spentMs = 0;
    await inTurn(() => {});
    return result;
  };
}

/**
 * Does work that must not wait for a turn; `undefined` where much of it was done in this turn already, so that a crowd of callers
 * cannot stop the event loop. All other work waits for the next turn.
 *
 * @example
 * const json = atOnce(() => JSON.stringify(value));
 */
export function atOnce<Result>(work: () => Result): Result | undefined {
  const startedAt = now();
  if (startedAt - urgent.endedAt > LONGEST_TURN_MS) urgent.spentMs = 0;
  if (urgent.spentMs > SLICE_MS) return undefined;
  const spentBefore = urgent.spentMs;
  const result = work();
  urgent.endedAt = now();
  const tookMs = urgent.endedAt - startedAt;
  urgent.spentMs += tookMs;
  // Only after much work, so that a small value starts no timer.
  if (spentBefore <= MUCH_WORK_MS && urgent.spentMs > MUCH_WORK_MS) {
    void turnEventLoop().then(() => {
      urgent.spentMs = 0;
    });
  }
  spend(Math.max(CALL_SHARE, tookMs / SLICE_MS));
  return result;
}

/** After this time the event loop counts as turned: in Cloudflare Workers, a timer never fires once its request has ended. */
const LONGEST_TURN_MS = 1000;
const urgent = { endedAt: 0, spentMs: 0 };

/** How long the event loop may stand still: half a frame, so that a page or a server stays responsive. */
const SLICE_MS = 8;
const MUCH_WORK_MS = SLICE_MS / 2;

// A slice also ends after so much work, whatever the clock says. The clocks of Cloudflare Workers stand still during
// computation. And consumers that start in the same moment are all let through before the first of them has worked.
const SLICE_CHARS = 1024 * 1024;
const SLICE_BYTES = 4 * 1024 * 1024;
const ITEM_SHARE = 1 / 32;
const CALL_SHARE = 1 / 256;
/** What a pace may do without a look at the clock, so that a small output never waits for a turn. */
const SMALL_SHARE = 1 / 16;

/**
 * The time since the event loop last turned, as far as this library knows. Numbers only: in Cloudflare Workers, a promise or a
 * timer belongs to the request that made it, and never settles once that request has ended.
 */
const slice = {
  number: 0,
  startedAt: 0,
  /** The share of the slice that was given to work. */
  spent: 0,
  /** Since which slice the first in line has waited. */
  firstInLine: Number.POSITIVE_INFINITY,
  /** The same for the next slice, as far as it is known. */
  longestWaiting: Number.POSITIVE_INFINITY,
  /** How many waiters there were so far: each has a number, which says how far back it is. */
  tickets: 0,
  /** The lowest number of those that looked in the slice before. */
  firstTicket: Number.POSITIVE_INFINITY,
  /** The same for this slice. */
  lowestTicket: Number.POSITIVE_INFINITY,
};

/** The first piece of work in a slice always passes, or a crowd that only asks could use the slice up. */
function isUsedUp(): boolean {
  return slice.spent > 0 && (slice.spent >= 1 || now() - slice.startedAt > SLICE_MS);
}

function spend(share: number): void {
  if (slice.spent === 0) slice.startedAt = now();
  slice.spent += share;
}

function shareOf(piece: unknown): number {
  if (typeof piece === 'string') return CALL_SHARE + piece.length / SLICE_CHARS;
  if (piece instanceof Uint8Array) return CALL_SHARE + piece.length / SLICE_BYTES;
  return ITEM_SHARE;
}

/** More waiters than this never pass in a millisecond. */
const WAITERS_PER_MS = 64;

/**
 * Each waiter turns the event loop for itself, and the longest waiting is first: otherwise the one that has just worked would
 * be first again. Only the number of the longest waiting is known, and each slice finds it again, so that a waiter that never
 * comes back costs the others one turn. A waiter far back in the line sleeps, because thousands that look in every slice would
 * use it up.
 */
async function nextSlice(): Promise<void> {
  const since = slice.number;
  const ticket = slice.tickets++;
  do {
    const ahead = ticket - Math.min(slice.firstTicket, slice.lowestTicket);
    if (ahead > WAITERS_PER_MS) await sleep(ahead / WAITERS_PER_MS);
    const { number } = slice;
    slice.longestWaiting = Math.min(slice.longestWaiting, since);
    slice.lowestTicket = Math.min(slice.lowestTicket, ticket);
    await turnEventLoop();
    if (slice.number === number) startNextSlice();
  } while (isUsedUp() || since > slice.firstInLine);
}

function startNextSlice(): void {
  slice.number++;
  slice.spent = 0;
  slice.firstInLine = slice.longestWaiting;
  slice.longestWaiting = Number.POSITIVE_INFINITY;
  slice.firstTicket = slice.lowestTicket;
  slice.lowestTicket = Number.POSITIVE_INFINITY;
}

// Found once: under fake timers that a test installs later, a pace would otherwise wait for ever.
const { setTimeout: startTimer } = globalThis as Partial<typeof globalThis>;
const waysToTurn = /* @__PURE__ */ findWaysToTurn();
/** The first one that works: in the edge runtime of Next.js `setImmediate` and `MessageChannel` throw when they are called. */
let workingWay = 0;

function turnEventLoop(): Promise<void> {
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
    // A durable workflow cannot turn: its work is done in one.
    resolve();
  });
}

function sleep(milliseconds: number): Promise<void> {
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
  // Browsers stretch nested timeouts to 4 ms, a message they deliver at once.
  if (MessageChannel) ways.push((onTurn) => postToSelf(new MessageChannel() as unknown as Channel, onTurn));
  if (startTimer) ways.push((onTurn) => void startTimer(onTurn, 0));
  return ways;
}

/** What browsers and Node have in common of a port; the types of Node know no `onmessage`. */
type Port = { onmessage: (() => void) | null; postMessage(message: unknown): void; close(): void };
type Channel = { port1: Port; port2: Port };

function postToSelf({ port1, port2 }: Channel, onMessage: () => void): void {
  port1.onmessage = () => {
    // An open port keeps a process alive.
    port1.close();
    onMessage();
  };
  port2.postMessage(undefined);
}

type Source<Item> = Iterator<Item> | AsyncIterator<Item>;

function open<Item>(items: Iterable<Item> | AsyncIterable<Item>): Source<Item> {
  // A string is an iterable of its characters, an array of bytes one of its bytes: a hundred million items.
  if (typeof items === 'string' || items instanceof Uint8Array) return [items as Item][Symbol.iterator]();
  if (isWebStream<Item>(items)) return readerOf<Item>(items);
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}

function isWebStream<Item>(items: object): items is ReadableStream<Item> {
  return 'getReader' in items && typeof items.getReader === 'function';
}

/** By its reader: the iterator of a stream cannot be closed while a read is pending, and a stalled one would stay open. */
function readerOf<Item>(stream: ReadableStream<Item>): AsyncIterator<Item> {
  const reader = stream.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Item>>,
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

function pieces<Item>(item: Item): Iterable<Item> {
  if (typeof item === 'string') return textPieces(item, MAX_PIECE_LENGTH) as Iterable<Item & string>;
  if (item instanceof Uint8Array) return bytePieces(item, MAX_PIECE_BYTES) as Iterable<Item & Uint8Array>;
  return [item];
}

function isPromise<Result>(next: Result | Promise<Result>): next is Promise<Result> {
  return typeof (next as { then?: unknown }).then === 'function';
}

/** What closing throws is dropped: the consumer has what it wanted, or the reason why not. */
function close(source: Source<unknown>): void {
  try {
    const closed = source.return?.();
    if (closed && isPromise(closed)) closed.then(undefined, () => {});
  } catch {
    // A source that cannot be closed is its own affair.
  }
}
