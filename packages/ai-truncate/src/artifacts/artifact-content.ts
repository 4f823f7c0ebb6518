import { InvalidOptionError } from '../errors.ts';
import { pace } from '../pace.ts';
import { isHighSurrogate } from '../truncation/byte-length.ts';

/** What can be saved: a text, bytes, or a stream of either. */
export type ArtifactContent =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>
  | ReadableStream<string | Uint8Array>;

export interface ToBytesOptions {
  abortSignal?: AbortSignal | undefined;
  /** Called with each chunk before it is handed on; what it throws ends the content. */
  onBytes: (bytes: Uint8Array) => void;
}

/** Small at first, so that ten thousand can be saved at once; then larger, so that a store writes seldom. */
const FIRST_CHUNK_BYTES = 64 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** In bytes of UTF-8: with less room than that a buffer is full. */
const LONGEST_CODE_POINT = 4;

/**
 * Any content as bytes in chunks of 64 KiB to 1 MiB: text as UTF-8 (a lone surrogate as U+FFFD), bytes of a stream as a copy,
 * because their owner may fill the same buffer anew. Small chunks are gathered, so a tool that prints byte by byte costs no
 * write each.
 */
export async function* toBytes(content: ArtifactContent, options: ToBytesOptions): AsyncGenerator<Uint8Array> {
  const { abortSignal, onBytes } = options;
  if (content instanceof Uint8Array) {
    for await (const bytes of pace<Uint8Array>([content], { abortSignal })) {
      onBytes(bytes);
      yield bytes;
    }
    return;
  }
  const encoder = new TextEncoder();
  let buffer = new Uint8Array(FIRST_CHUNK_BYTES);
  let filled = 0;
  /** The first half of a pair whose second half comes with the next chunk. */
  let heldBack = '';

  for await (const chunk of pace<string | Uint8Array>(content as AsyncIterable<string | Uint8Array>, { abortSignal })) {
    for (let rest = withHeldBack(chunk); rest.length > 0; ) {
      rest = fill(rest);
      if (buffer.length - filled < LONGEST_CODE_POINT) yield takeBuffer();
    }
  }
  fill(heldBack);
  if (filled > 0) yield takeBuffer();

  function withHeldBack(chunk: string | Uint8Array): string | Uint8Array {
    const before = heldBack;
    heldBack = '';
    if (chunk instanceof Uint8Array) {
      fill(before);
      return chunk;
    }
    requireText(chunk);
    const text = before + chunk;
    if (!isHighSurrogate(text.charCodeAt(text.length - 1))) return text;
    heldBack = text.slice(-1);
    return text.slice(0, -1);
  }

  /** Takes as much as there is room for, and gives the rest. */
  function fill(chunk: string | Uint8Array): string | Uint8Array {
    const room = buffer.subarray(filled);
    if (typeof chunk === 'string') {
      const { read, written } = encoder.encodeInto(chunk, room);
      filled += written;
      return chunk.slice(read);
    }
    const part = chunk.subarray(0, room.length);
    room.set(part);
    filled += part.length;
    return chunk.subarray(part.length);
  }

  function takeBuffer(): Uint8Array {
    const bytes = buffer.subarray(0, filled);
    buffer = new Uint8Array(Math.min(2 * buffer.length, MAX_CHUNK_BYTES));
    filled = 0;
    onBytes(bytes);
    return bytes;
  }
}

/** Tells a source that nobody reads it: one that was never begun would hold its file or connection for ever. */
export function abandon(content: ArtifactContent): void {
  if (typeof content !== 'object') return;
  // What cancelling throws is dropped: the caller has the reason why the content is not wanted.
  if ('cancel' in content) content.cancel().catch(() => {});
  else if ('destroy' in content && typeof content.destroy === 'function') content.destroy();
}

/** Throws unless this can be read as content. What its chunks are shows only when they come. */
export function requireContent(content: unknown): void {
  if (typeof content === 'string') return;
  if (typeof content === 'object' && content !== null) {
    if (Symbol.asyncIterator in content || Symbol.iterator in content) return;
  }
  throw new InvalidOptionError({ option: 'content', value: content, expected: EXPECTED });
}

function requireText(chunk: unknown): asserts chunk is string {
  if (typeof chunk === 'string') return;
  throw new InvalidOptionError({ option: 'content', value: chunk, expected: EXPECTED });
}

const EXPECTED = 'a string, bytes, or a stream of either';
