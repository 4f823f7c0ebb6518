import { textPieces } from './truncation/text-pieces.ts';

/** How long the event loop may stand still: half a frame, so that a page or a server stays responsive. */
const SLICE_MS = 8;
const MAX_PIECE_LENGTH = 128 * 1024;
const MAX_PIECE_BYTES = 1024 * 1024;

/** How `pace` ends early. */
export type PaceOptions = {
  /** Ends the pace with the signal's reason, also while an asynchronous source keeps it waiting. */
  abortSignal?: AbortSignal | undefined;
};

/**
 * Drives items in 8 ms slices: the only clock and the only macrotask. An `await` alone lets only other promises run, so a
 * loop over hundreds of megabytes would be one long turn of the event loop; here the loop turns between two items as soon
 * as the slice is used up, by the source or by the consumer.
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
  const slice = new Slice();
  let isDone = false;
  try {
    while (true) {
      if (slice.isUsedUp()) await slice.startNext();
      abortSignal?.throwIfAborted();
      const next = source.next();
      const result = isPromise(next) ? await untilAborted(next, abortSignal) : next;
      if (result.done) {
        isDone = true;
        return;
      }
      for (const piece of pieces(result.value)) {
        if (slice.isUsedUp()) await slice.startNext();
        abortSignal?.throwIfAborted();
        yield piece;
      }
    }
  } finally {
    if (!isDone) close(source);
  }
}

/** The time since the event loop last turned, as far as this pace knows: the work of the consumer is part of it. */
class Slice {
  #startedAt = performance.now();

  isUsedUp(): boolean {
    return performance.now() - this.#startedAt > SLICE_MS;
  }

  async startNext(): Promise<void> {
    await turnEventLoop();
    this.#startedAt = performance.now();
  }
}

// Chosen once: under fake timers that a test installs later, a pace would otherwise wait for ever.
const turnEventLoop = chooseTurn();

function chooseTurn(): () => Promise<void> {
  const { setImmediate, MessageChannel, setTimeout } = globalThis as Partial<typeof globalThis>;
  if (setImmediate) return () => new Promise((resolve) => void setImmediate(resolve));
  // Browsers stretch nested timeouts to 4 ms, a message they deliver at once.
  if (MessageChannel)
    return () => new Promise((resolve) => postToSelf(new MessageChannel() as unknown as Channel, resolve));
  return () => new Promise((resolve) => void setTimeout?.(resolve, 0));
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

/**
 * The slice that short work shares, where thousands may start at once: each is nothing, together they are one long turn. Who
 * has such work does it right after this loop, without an `await` between, or all would be let through first and work then.
 *
 * @example
 * while (sharedSlice.isUsedUp()) await sharedSlice.next();
 * startOne();
 */
export const sharedSlice: { isUsedUp(): boolean; next(): Promise<void> } = {
  isUsedUp() {
    slice ??= new Slice();
    return slice.isUsedUp();
  },
  next() {
    // One turn for all who wait: each would otherwise start the slice anew.
    turning ??= slice?.startNext().finally(() => {
      turning = undefined;
    });
    return turning ?? Promise.resolve();
  },
};

let slice: Slice | undefined;
let turning: Promise<void> | undefined;

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
  if (item instanceof Uint8Array) return bytePieces(item) as Iterable<Item & Uint8Array>;
  return [item];
}

function* bytePieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_PIECE_BYTES) yield bytes.subarray(at, at + MAX_PIECE_BYTES);
}

function isPromise<Result>(next: Result | Promise<Result>): next is Promise<Result> {
  return typeof (next as { then?: unknown }).then === 'function';
}

/** A result, unless the signal aborts first: then its reason, at once. */
export function untilAborted<Result>(next: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return next;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    // Asking for the next chunk may itself have aborted: no event follows then.
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    // One listener per wait: they would otherwise gather on a signal that lives as long as the chat.
    const settled = (): void => signal.removeEventListener('abort', onAbort);
    next.then(resolve, reject).then(settled, settled);
  });
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
