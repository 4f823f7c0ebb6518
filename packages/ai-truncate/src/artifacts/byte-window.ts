import { AiTruncateError } from '../errors.ts';
import { codePointBorder } from '../text/utf.ts';

/** Some bytes of an artifact. */
export interface ByteWindow {
  bytes: Uint8Array<ArrayBuffer>;
  /** The first byte, counted from 0. */
  start: number;
  /** The byte after the last one: where the next window starts. */
  end: number;
  /** Bytes of the whole artifact. */
  totalBytes: number;
}

export interface WantedBytes {
  start: number;
  end: number;
  totalBytes: number;
  /** Text is not cut inside a code point. */
  isText: boolean;
}

/** As far as the border of a code point can be from any byte of it. */
const REACH = 3;

type OpenRange = (range: { start: number; end: number }) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;

/** Reads a window in one read; in text with both its ends moved back to the borders of code points. */
export async function readByteWindow(open: OpenRange, wanted: WantedBytes): Promise<ByteWindow> {
  const { totalBytes, isText } = wanted;
  const start = Math.min(wanted.start, totalBytes);
  const end = Math.min(wanted.end, totalBytes);
  if (start === end) return { bytes: new Uint8Array(), start, end, totalBytes };
  const reach = isText ? REACH : 0;
  const from = Math.max(0, start - reach);
  const stream = await open({ start: from, end: Math.min(totalBytes, end + reach + 1) });
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const window = isText ? atBorders(bytes, { start: start - from, end: end - from }) : { start: 0, end: end - from };
  return {
    bytes: bytes.slice(window.start, window.end),
    start: from + window.start,
    end: from + window.end,
    totalBytes,
  };
}

function atBorders(bytes: Uint8Array, range: { start: number; end: number }): { start: number; end: number } {
  const start = codePointBorder(bytes, range.start);
  const end = codePointBorder(bytes, range.end);
  if (end > start) return { start, end };
  // All of the window lies within one code point: it is given whole, or reading would never move on.
  let next = range.end;
  while (next < bytes.length && codePointBorder(bytes, next) <= start) next++;
  return { start, end: next };
}

export interface WholeStreamOptions {
  name: string;
  /** As many as must come, and no more. */
  bytes: number;
  signal: AbortSignal | undefined;
}

/**
 * The stream, ending with an error when fewer or more bytes come than there must be, and with the reason of the signal also
 * while the store stands still. Reads only when asked.
 */
export function wholeStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  { name, bytes: expected, signal }: WholeStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  let bytes = 0;
  let onAbort = () => {};
  const settled = () => signal?.removeEventListener('abort', onAbort);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        onAbort = () => {
          controller.error(signal?.reason);
          // What cancelling throws is dropped: the consumer has the reason.
          reader.cancel(signal?.reason).catch(() => {});
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (signal?.aborted) return;
        if (!done) {
          bytes += value.length;
          if (bytes <= expected) return controller.enqueue(value);
          const error = incompleteRead(name, { bytes, expected });
          settled();
          reader.cancel(error).catch(() => {});
          throw error;
        }
        settled();
        if (bytes < expected) throw incompleteRead(name, { bytes, expected });
        controller.close();
      },
      cancel(reason) {
        settled();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The store sends fewer or more bytes than it acknowledged: the value was changed, or something else answered. */
function incompleteRead(name: string, { bytes, expected }: { bytes: number; expected: number }): AiTruncateError {
  const message = `The store gave ${bytes} bytes in place of ${expected} bytes of \`${name}\`: it was cut off or changed. Read it again.`;
  return new AiTruncateError(message, { code: 'INCOMPLETE_READ' });
}
