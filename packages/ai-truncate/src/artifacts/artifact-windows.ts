import { LONGEST_CODE_POINT, LONGEST_ESCAPE, ViewDecoder, type ViewOffsets } from '../json/text-view.ts';
import { pace } from '../pace.ts';
import { bytePieces, codePointBorder, decodeText } from '../text/utf.ts';
import type { ArtifactLine, ByteWindow, LineWindow } from './artifacts.ts';
import { findLine, type LineFinder } from './line-finder.ts';
import { type LineIndex, markAfter, markBefore } from './line-index.ts';
import { withTextView } from './text-views.ts';

export interface ByteRange {
  /** The first byte. */
  start: number;
  /** The byte after the last one. */
  end: number;
}

type OpenRange = (range: ByteRange) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;

/** Lines as the index counts them, from 0. */
export interface WantedLines {
  index: LineIndex;
  first: number;
  count: number;
  /** The most bytes of the artifact in a window. */
  maxBytes: number;
  /** The most bytes to show of one line. */
  maxLineBytes: number;
}

const NEWLINE = 10;
/** A megabyte of only newlines is a million lines, too many for one step. */
const STEP_BYTES = 32 * 1024;
/** The largest distance from any byte to the border of a code point. */
const REACH = 3;

/**
 * Reads lines in one read, which starts at the mark before them. For artifacts and lines of any size, the read is at most a few
 * intervals longer than `maxBytes`, and at most `maxBytes` are in memory. In a text view, the text of a line is decoded, and its
 * places refer to the stored bytes.
 */
export async function readLineWindow(open: OpenRange, wanted: WantedLines): Promise<LineWindow> {
  const { index, first, count, maxBytes } = wanted;
  const { marks, interval, lines: totalLines, isView } = index;
  const maxLineBytes = Math.min(wanted.maxLineBytes, maxBytes);
  const lastLine = Math.min(first + count, totalLines) - 1;
  const lines: ArtifactLine[] = [];
  if (first >= totalLines) return { lines, totalLines };
  const mark = markBefore(marks, first);
  const end = markAfter(marks, first + count)?.offset ?? index.bytes;
  // The first line starts within two intervals. When it does not end within one more, its end is known from the index.
  const mostBytes = 2 * interval + Math.max(interval, maxBytes);
  const range = { start: mark.offset, end: Math.min(end, mark.offset + mostBytes) };
  const finder = findLine(mark, { first, isView });
  const found = await readFromLine(open, { range, finder, lastLine, maxBytes: maxBytes + LONGEST_ESCAPE });
  const view = isView ? await decoded(found.bytes, found) : undefined;
  const { bytes, offsets }: { bytes: Uint8Array; offsets: Offsets } = view ?? {
    bytes: found.bytes,
    offsets: storedOffsets(found.start),
  };
  const firstEnd = finder.end() ?? (await endOfFirst());
  for await (const _ of pace(steps()));
  const nextLine = (lines.at(-1)?.number ?? totalLines) + 1;
  const window = { lines, totalLines, ...(nextLine <= totalLines ? { nextLine } : {}) };
  return view ? withTextView(window, { offsets: view.offsets }) : window;

  function* steps(): Generator<void> {
    let pauseAt = STEP_BYTES;
    for (let line = first, from = 0; line <= lastLine; line++) {
      if (from >= pauseAt) {
        yield;
        pauseAt = from + STEP_BYTES;
      }
      const newline = bytes.indexOf(NEWLINE, from);
      const isFirst = line === first;
      const lineEnd = isFirst ? firstEnd : newline === -1 ? index.bytes : offsets.storedOf(newline);
      // The first line is always included, even when it is too long.
      if (!isFirst && lineEnd > found.start + maxBytes) return;
      lines.push(toLine(line, { from, lineEnd }));
      if (newline === -1) return;
      from = newline + 1;
    }
  }

  /** The end of a first line that is longer than the read. It is the last line, or the line after it has a mark. */
  async function endOfFirst(): Promise<number> {
    const next = markAfter(marks, first + 1);
    if (next?.line !== first + 1) return index.bytes;
    if (!isView) return next.offset - 1;
    const end = await readRange(open, { start: next.offset - LONGEST_BREAK.length, end: next.offset });
    return next.offset - (LINE_BREAK.exec(decodeText(end))?.[0].length ?? 1);
  }

  function toLine(line: number, { from, lineEnd }: { from: number; lineEnd: number }): ArtifactLine {
    const start = offsets.storedOf(from);
    const length = lineEnd - start;
    const isWhole = length <= maxLineBytes;
    const to = offsets.viewOf(isWhole ? lineEnd : start + maxLineBytes);
    const end = isWhole ? to : codePointBorder(bytes, to);
    const text = decodeText(bytes.subarray(from, end));
    return {
      number: line + 1,
      text,
      start,
      bytes: length,
      shownBytes: isWhole ? length : offsets.storedOf(end) - start,
    };
  }
}

const LONGEST_BREAK = '\\u000a';
/** A line break of a view: one byte outside of strings, an escape inside of them. */
const LINE_BREAK = /(?:\n|\\n|\\u000[aA])$/;

/** The places at which the bytes of a text are stored. */
type Offsets = Pick<ViewOffsets, 'storedOf' | 'viewOf'>;

/** Bytes as they are stored, from this one on. */
function storedOffsets(start: number): Offsets {
  return { storedOf: (offset) => start + offset, viewOf: (stored) => stored - start };
}

/** Decodes the bytes of a view. The first byte is stored at `start`. */
async function decoded(
  bytes: Uint8Array,
  { start }: { start: number },
): Promise<{ bytes: Uint8Array<ArrayBuffer>; offsets: ViewOffsets }> {
  const decoder = new ViewDecoder(start);
  const view = new Uint8Array(bytes.length + LONGEST_CODE_POINT);
  for await (const piece of pace(bytePieces(bytes, STEP_BYTES))) {
    decoder.decodeInto(piece, view.subarray(decoder.length));
  }
  return { bytes: view.subarray(0, decoder.length), offsets: decoder.offsets };
}

interface FirstLine {
  range: ByteRange;
  /** Finds the first line in the range. */
  finder: LineFinder;
  lastLine: number;
  maxBytes: number;
}

/** The bytes from the start of the first line, at most `maxBytes`. A longer first line is read to its end. */
async function readFromLine(
  open: OpenRange,
  { range, finder, lastLine, maxBytes }: FirstLine,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; start: number }> {
  let bytes = new Uint8Array(0);
  let length = 0;
  let offset = range.start;
  for await (const chunk of pace(await open(range))) {
    finder.read(chunk);
    const start = finder.start();
    if (start !== undefined) {
      const from = Math.max(0, start - offset);
      const part = chunk.subarray(from, from + maxBytes - length);
      // Twice the needed size, so that many small chunks are not copied repeatedly.
      if (length + part.length > bytes.length) bytes = grown(bytes, Math.min(2 * (length + part.length), maxBytes));
      bytes.set(part, length);
      length += part.length;
    }
    offset += chunk.length;
    if (finder.line() > lastLine || (length === maxBytes && finder.end() !== undefined)) break;
  }
  return { bytes: bytes.subarray(0, length), start: finder.start() ?? range.start };
}

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(length);
  longer.set(bytes);
  return longer;
}

/** Reads bytes in one read. In text, which is not cut inside a code point, both ends move back to the borders of code points. */
export async function readByteWindow(
  open: OpenRange,
  { totalBytes, isText, ...wanted }: ByteRange & { totalBytes: number; isText: boolean },
): Promise<ByteWindow> {
  const start = Math.min(wanted.start, totalBytes);
  const end = Math.min(wanted.end, totalBytes);
  if (start === end) return { bytes: new Uint8Array(), start, end, totalBytes };
  const reach = isText ? REACH : 0;
  const from = Math.max(0, start - reach);
  const bytes = await readRange(open, { start: from, end: Math.min(totalBytes, end + reach + 1) });
  const window = { start: start - from, end: end - from };
  const { start: first, end: last } = isText ? atBorders(bytes, window) : window;
  return { bytes: bytes.slice(first, last), start: from + first, end: from + last, totalBytes };
}

function atBorders(bytes: Uint8Array, range: ByteRange): ByteRange {
  const start = codePointBorder(bytes, range.start);
  let { end } = range;
  // If the whole window is inside one code point, it returns the whole code point, because otherwise reading would never
  // advance.
  while (end < bytes.length && codePointBorder(bytes, end) <= start) end++;
  return { start, end: codePointBorder(bytes, end) };
}

/** A stream of a range has exactly as many bytes as the range, or it fails. */
async function readRange(open: OpenRange, range: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(range.end - range.start);
  let at = 0;
  for await (const chunk of pace(await open(range))) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
