import { codePointBorder, concat } from './line-window.ts';

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

type OpenRange = (range: { start: number; end: number }) => Promise<ReadableStream<Uint8Array>>;

/** Reads a window in one read; in text with both its ends moved back to the borders of code points. */
export async function readByteWindow(open: OpenRange, wanted: WantedBytes): Promise<ByteWindow> {
  const { totalBytes, isText } = wanted;
  const start = Math.min(wanted.start, totalBytes);
  const end = Math.min(wanted.end, totalBytes);
  if (start === end) return { bytes: new Uint8Array(), start, end, totalBytes };
  const reach = isText ? REACH : 0;
  const from = Math.max(0, start - reach);
  const bytes = await gather(await open({ start: from, end: Math.min(totalBytes, end + reach + 1) }));
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

async function gather(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
  }
  return concat(chunks, length);
}
