import { pace } from '../pace.ts';
import { bytePieces, codePointBorder } from '../text/utf.ts';
import { type LineIndex, markAfter, markBefore } from './line-index.ts';

/** Some lines of an artifact. */
export interface LineWindow {
  lines: ArtifactLine[];
  /** Lines of the whole artifact. */
  totalLines: number;
  /** Where the next window starts; absent at the end. */
  nextLine?: number;
}

export interface ArtifactLine {
  /** Counted from 1. */
  number: number;
  /** Without its newline. Less than the line when that has more bytes than the window may have. */
  text: string;
  /** The byte at which it starts. */
  start: number;
  /** The bytes of the whole line, without its newline. */
  bytes: number;
  /** How many of them `text` holds. With less than `bytes`, `readBytes` reads on at `start + shownBytes`. */
  shownBytes: number;
}

/** Lines as the index counts them, from 0. */
export interface WantedLines {
  first: number;
  count: number;
  /** What a window may cover of the artifact. */
  maxBytes: number;
  /** What is shown of one line. */
  maxLineBytes: number;
}

const NEWLINE = 10;
const PIECE_BYTES = 32 * 1024;

/**
 * The range of bytes that holds the wanted lines: it starts at the mark before them, and however large the artifact or its
 * lines are, it is at most a few intervals longer than `maxBytes`.
 */
export function rangeOf(index: LineIndex, { first, count, maxBytes }: WantedLines): { start: number; end: number } {
  const start = markBefore(index.marks, first).offset;
  const end = markAfter(index.marks, first + count)?.offset ?? index.bytes;
  // The first line starts within two intervals. When it does not end within one more, its end is known from the index.
  return { start, end: Math.min(end, start + 2 * index.interval + Math.max(index.interval, maxBytes)) };
}

/** Reads the wanted lines from the bytes of `rangeOf`. */
export async function readLineWindow(
  bytes: AsyncIterable<Uint8Array>,
  { index, wanted }: { index: LineIndex; wanted: WantedLines },
): Promise<LineWindow> {
  const collector = createCollector(index, wanted);
  let offset = rangeOf(index, wanted).start;
  for await (const chunk of pace(inSmallPieces(bytes))) {
    collector.push(chunk, offset);
    offset += chunk.length;
    if (collector.isFull()) break;
  }
  return collector.finish();
}

/** A megabyte of nothing but newlines is a megabyte of lines: too many for one step. */
async function* inSmallPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) yield* bytePieces(chunk, PIECE_BYTES);
}

/** Cuts bytes into lines and keeps those that are wanted, no more of each than may be shown. */
function createCollector(index: LineIndex, wanted: WantedLines) {
  const { first, maxBytes } = wanted;
  const maxLineBytes = Math.min(wanted.maxLineBytes, maxBytes);
  const last = Math.min(first + wanted.count, index.lines) - 1;
  const lines: ArtifactLine[] = [];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The line that is being read: which, where it starts, and as much of it as is kept. */
  let current = markBefore(index.marks, first).line;
  let start = markBefore(index.marks, first).offset;
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let windowStart = -1;
  let isFull = current > last;

  function push(chunk: Uint8Array, offset: number): void {
    for (let from = 0; from <= chunk.length && !isFull; ) {
      const found = chunk.indexOf(NEWLINE, from);
      const to = found === -1 ? chunk.length : found;
      if (current >= first) keep(chunk.subarray(from, to));
      if (found === -1) return;
      endLine(offset + found);
      from = found + 1;
    }
  }

  function keep(part: Uint8Array): void {
    // A little more than is shown, so that the cut can be moved to the border of a code point.
    const room = maxLineBytes + 4 - keptBytes;
    if (room <= 0) return;
    kept.push(part.slice(0, room));
    keptBytes += Math.min(room, part.length);
  }

  /** The newline, or the end of the artifact, is at byte `end`. */
  function endLine(end: number): void {
    if (current >= first) {
      if (windowStart === -1) windowStart = start;
      // Past what the window may cover; its first line is shown in any case.
      if (lines.length > 0 && end - windowStart > maxBytes) {
        isFull = true;
        return;
      }
      lines.push(toLine(end));
    }
    current++;
    start = end + 1;
    kept = [];
    keptBytes = 0;
    isFull = current > last || (windowStart !== -1 && start - windowStart > maxBytes);
  }

  function toLine(end: number): ArtifactLine {
    const all = concat(kept, keptBytes);
    const shownBytes = all.length <= maxLineBytes ? all.length : codePointBorder(all, maxLineBytes);
    const text = decoder.decode(all.subarray(0, shownBytes));
    return { number: current + 1, text, start, bytes: end - start, shownBytes };
  }

  function finish(): LineWindow {
    if (!isFull) {
      // The last line, or one that does not end within the range: then the line after it has a mark.
      const next = markAfter(index.marks, current + 1);
      endLine(next?.line === current + 1 ? next.offset - 1 : index.bytes);
    }
    const nextLine = (lines.at(-1)?.number ?? index.lines) + 1;
    return { lines, totalLines: index.lines, ...(nextLine <= index.lines ? { nextLine } : {}) };
  }

  return { push, isFull: () => isFull, finish };
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
