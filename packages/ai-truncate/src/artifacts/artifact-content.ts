import { requireOption } from '../options.ts';
import { pace } from '../pace.ts';
import type { StoreBody } from '../stores/artifact-store.ts';
import { type ChunkPool, createChunkPool, withChunkPool } from '../stores/shared/chunk-pool.ts';
import { isHighSurrogate } from '../text/utf.ts';

/** Content that can be saved: a text, bytes, or a stream of either. Bytes must not change until they are saved. */
export type ArtifactContent =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>
  | ReadableStream<string | Uint8Array>;

export interface ToBytesOptions {
  abortSignal?: AbortSignal | undefined;
  /** Called with each chunk before it is passed on. An error that it throws ends the content. */
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Called when the consumer has requested more than there is. */
  onEnd?: () => void;
}

/** In UTF-8 bytes. With less room than this, a buffer is full. */
const LONGEST_CODE_POINT = 4;

/**
 * Any content as bytes in chunks of 64 KiB to 1 MiB: text as UTF-8 (a lone surrogate as U+FFFD), bytes of a stream as a copy,
 * because their owner may fill the same buffer again. Small chunks are collected, so a tool that prints byte by byte does not
 * cause a write for each. The consumer may leave while it waits.
 */
export function toBytes(content: ArtifactContent, options: ToBytesOptions): StoreBody {
  const pool = createChunkPool();
  return withChunkPool(leavable(chunksOf(content, { ...options, pool })), pool);
}

async function* chunksOf(
  content: ArtifactContent,
  { abortSignal, onBytes, onEnd, pool }: ToBytesOptions & { pool: ChunkPool },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const whole = content instanceof ArrayBuffer ? new Uint8Array(content) : content;
  if (whole instanceof Uint8Array && whole.buffer instanceof ArrayBuffer) {
    // A `Buffer` is a `Uint8Array` with other behavior, which a store should not see.
    const plain = new Uint8Array(whole.buffer, whole.byteOffset, whole.length);
    for await (const bytes of pace([plain], { abortSignal })) {
      onBytes(bytes);
      yield bytes;
    }
    onEnd?.();
    return;
  }
  const encoder = new TextEncoder();
  /** Made when it is first needed, because most contents need only one. */
  let buffer: Uint8Array<ArrayBuffer> | undefined;
  let filled = 0;
  /** The first half of a pair whose second half is in the next chunk. */
  let heldBack = '';

  const items = whole instanceof Blob ? whole.stream() : whole;
  try {
    for await (const chunk of pace(items as AsyncIterable<string | Uint8Array>, { abortSignal })) {
      if (chunk instanceof Uint8Array) {
        yield* put(heldBack);
        heldBack = '';
        yield* put(chunk);
      } else {
        requireOption(typeof chunk === 'string', { option: 'content', value: chunk, expected: CONTENT_FORMS });
        const text = heldBack + chunk;
        const end = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
        heldBack = text.slice(end);
        yield* put(text.slice(0, end));
      }
    }
    yield* put(heldBack);
    if (buffer) yield handOn(buffer);
    onEnd?.();
  } finally {
    pool.end();
  }

  /** Fills buffers, and yields full ones. */
  function* put(part: string | Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
    for (let rest = part; rest.length > 0; ) {
      buffer ??= pool.next();
      const room = buffer.subarray(filled);
      const taken = typeof rest === 'string' ? encoder.encodeInto(rest, room) : copyInto(room, rest);
      filled += taken.written;
      rest = typeof rest === 'string' ? rest.slice(taken.read) : rest.subarray(taken.read);
      if (buffer.length - filled < LONGEST_CODE_POINT) yield handOn(buffer);
    }
  }

  function handOn(full: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const bytes = full.subarray(0, filled);
    buffer = undefined;
    filled = 0;
    onBytes(bytes);
    return bytes;
  }
}

function copyInto(room: Uint8Array, bytes: Uint8Array): { read: number; written: number } {
  const part = bytes.subarray(0, room.length);
  room.set(part);
  return { read: part.length, written: part.length };
}

const CONTENT_FORMS =
  'a string, bytes, or a stream of either: `response.body`, a `Blob`, a Node `Readable`; for a value, `JSON.stringify(value)`';
const CONTENT_METHODS = ['getReader', Symbol.asyncIterator, Symbol.iterator];

/** Throws unless this can be read as content. Its chunks can be checked only when they arrive. */
export function requireContent(content: unknown): asserts content is ArtifactContent {
  if (typeof content === 'string') return;
  const source: Record<string, unknown> = Object(content);
  const { readableEnded, destroyed, locked } = source;
  const isFree = readableEnded !== true && destroyed !== true && locked !== true;
  requireOption(isFree, { option: 'content', value: content, expected: 'a stream that nothing else reads' });
  const isBlock = content instanceof ArrayBuffer || content instanceof Blob;
  const isKnown = isBlock || CONTENT_METHODS.some((method) => method in source);
  requireOption(isKnown, { option: 'content', value: content, expected: CONTENT_FORMS });
}

/** The same iterable, whose consumer may leave while it waits. A later rejection of that wait is not unhandled. */
function leavable<Item>(items: AsyncGenerator<Item>): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const next = items.next();
        next.catch(() => {});
        return next;
      },
      return: () => items.return(undefined),
    }),
  };
}

/**
 * Closes a source that is no longer read. Otherwise it would hold its file or connection forever, or wait for a reader. Its
 * errors are ignored, because the caller knows why the content is not wanted.
 */
export function abandon(content: unknown): void {
  if (typeof content !== 'object' || content === null) return;
  const { cancel, destroy, return: end } = content as Record<string, unknown>;
  const close = [cancel, destroy, end].find((method) => typeof method === 'function') as (() => unknown) | undefined;
  try {
    Promise.resolve(close?.call(content)).catch(() => {});
  } catch {
    // Nothing more can be done for it.
  }
}
