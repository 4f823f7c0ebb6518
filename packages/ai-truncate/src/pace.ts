import { now, untilAborted } from './deadlines.ts';
import { bytePieces, textPieces } from './text/utf.ts';
import { SLICE_MS, sleep, slice, turnEventLoop } from './time-slice.ts';
import { TurnQueue } from './turn-queue.ts';

const MAX_PIECE_LENGTH = 128 * 1024;
const MAX_PIECE_BYTES = 1024 * 1024;

/** Options of `pace`. */
export type PaceOptions = {
  /** Ends the pace with the signal's reason, even while an asynchronous source keeps it waiting. */
  abortSignal?: AbortSignal | undefined;
};

/**
 * Passes on items in 8 ms slices that all work in the process shares. An `await` alone lets only other promises run, so a loop
 * over hundreds of megabytes would be one long turn of the event loop. With `pace`, the event loop turns between two items as
 * soon as the slice is used up, by this work or by other work.
 *
 * Items keep their order. Chunks of text or bytes join to the same content; empty chunks are dropped, and long chunks are
 * passed on in pieces. However the pace ends, its source is closed, but the closing is not awaited, because a hung source would
 * block the consumer forever.
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

  /**
   * The clock cannot distinguish an idle process from a busy one, so a small amount of work only counts how much work has
   * passed.
   */
  function mustWait(): boolean {
    const isSmall = spent < SMALL_SHARE && now() - startedAt <= SLICE_MS;
    return isSmall ? slice.isSpent : slice.isUsedUp;
  }
  function spendOn(share: number): void {
    spent += share;
    slice.spend(share);
  }

  try {
    while (true) {
      if (mustWait()) await slice.next();
      abortSignal?.throwIfAborted();
      spendOn(CALL_SHARE);
      const next = source.next();
      const result = isPromise(next) ? await untilAborted(next, abortSignal) : next;
      if (result.done) {
        isDone = true;
        return;
      }
      for (const piece of pieces(result.value)) {
        if (mustWait()) await slice.next();
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
 * Does a short piece of work when its turn comes. Each of thousands that start at once is quick, but together they would be one
 * long turn of the event loop. Use `pace` for longer work.
 */
export async function inTurn<Result>(work: () => Result): Promise<Awaited<Result>> {
  if (slice.isUsedUp) await slice.next();
  slice.spend(CALL_SHARE);
  return await work();
}

/** Work in short steps, so that its driver can let the event loop turn between two steps. */
export type Steps<Result> = Generator<void, Result>;

/** Runs all steps at once. */
export function finished<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Runs long work in steps, each when its turn comes. Returns the result of the last step. Only a few pieces of such work run at
 * the same time, because thousands that take turns would all hold their partial results.
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
 * Runs one piece of work after another, and lets the event loop turn between two pieces as soon as they have used up a slice.
 * It is for items that arrive at any time, because a thousand pieces from a fast source would otherwise be one long turn.
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
 * Runs work that must not wait for a turn. Returns `undefined` if much of such work was already done in this turn, so that a
 * crowd of callers cannot stop the event loop. All other work waits for the next turn.
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
  slice.spend(Math.max(CALL_SHARE, tookMs / SLICE_MS));
  return result;
}

/**
 * After this time, the event loop counts as turned, because in Cloudflare Workers a timer never fires once its request has
 * ended.
 */
const LONGEST_TURN_MS = 1000;
const urgent = { endedAt: 0, spentMs: 0 };
const MUCH_WORK_MS = SLICE_MS / 2;

// A slice also ends after this amount of work, whatever the clock says. The clocks of Cloudflare Workers do not advance during
// computation. Also, consumers that start at the same moment all pass before the first of them has worked.
const SLICE_CHARS = 1024 * 1024;
const SLICE_BYTES = 4 * 1024 * 1024;
const ITEM_SHARE = 1 / 32;
const CALL_SHARE = 1 / 256;
/** The work that a pace may do without reading the clock, so that a small output never waits for a turn. */
const SMALL_SHARE = 1 / 16;

function shareOf(piece: unknown): number {
  if (typeof piece === 'string') return CALL_SHARE + piece.length / SLICE_CHARS;
  if (piece instanceof Uint8Array) return CALL_SHARE + piece.length / SLICE_BYTES;
  return ITEM_SHARE;
}

type Source<Item> = Iterator<Item> | AsyncIterator<Item>;

function open<Item>(items: Iterable<Item> | AsyncIterable<Item>): Source<Item> {
  // A string is an iterable of its characters, and a byte array of its bytes, which could be a hundred million items.
  if (typeof items === 'string' || items instanceof Uint8Array) return [items as Item][Symbol.iterator]();
  if (isWebStream<Item>(items)) return readerOf<Item>(items);
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}

function isWebStream<Item>(items: object): items is ReadableStream<Item> {
  return 'getReader' in items && typeof items.getReader === 'function';
}

/**
 * Uses the reader, because the iterator of a stream cannot be closed while a read is pending, and a stalled stream would stay
 * open.
 */
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

/** Ignores errors of closing, because the consumer already has its items or its error. */
function close(source: Source<unknown>): void {
  try {
    const closed = source.return?.();
    if (closed && isPromise(closed)) closed.then(undefined, () => {});
  } catch {
    // The source cannot be closed.
  }
}
