import { pace } from '../pace.ts';
import { codePointBorder, countNewlineBytes, decodeText } from '../text/utf.ts';
import type { ArtifactLine, ByteWindow, LineWindow } from './artifacts.ts';
import { type LineIndex, markAfter, markBefore } from './line-index.ts';

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
  /** What a window may cover of the artifact. */
  maxBytes: number;
  /** What is shown of one line. */
  maxLineBytes: number;
}

const NEWLINE = 10;
/** A megabyte of nothing but newlines is a million lines: too many for one step. */
const STEP_BYTES = 32 * 1024;

/**
 * Reads lines in one read, which starts at the mark before them. However large the artifact or its lines are, the read is at most
 * a few intervals longer than `maxBytes`.
 */
export async function readLineWindow(open: OpenRange, wanted: WantedLines): Promise<LineWindow> {
  const { index, first, count, maxBytes } = wanted;
  const { marks, interval, lines: totalLines } = index;
  const maxLineBytes = Math.min(wanted.maxLineBytes, maxBytes);
  const lastLine = Math.min(first + count, totalLines) - 1;
  const lines: ArtifactLine[] = [];
  if (first >= totalLines) return { lines, totalLines };
  const mark = markBefore(marks, first);
  const end = markAfter(marks, first + count)?.offset ?? index.bytes;
  // The first line starts within two intervals. When it does not end within one more, its end is known from the index.
  const mostBytes = 2 * interval + Math.max(interval, maxBytes);
  let newlines = mark.line;
  let fullAt = Number.POSITIVE_INFINITY;
  const bytes = await readRange(open, { start: mark.offset, end: Math.min(end, mark.offset + mostBytes), isEnough });
  for await (const _ of pace(steps()));
  const nextLine = (lines.at(-1)?.number ?? totalLines) + 1;
  return { lines, totalLines, ...(nextLine <= totalLines ? { nextLine } : {}) };

  /** All lines were read, or the first line and more than the window may cover. */
  function isEnough(chunk: Uint8Array, bytesRead: number): boolean {
    newlines += countNewlineBytes(chunk, { from: 0, to: chunk.length });
    if (newlines >= first) fullAt = Math.min(fullAt, bytesRead + maxBytes);
    return newlines > lastLine || (newlines > first && bytesRead > fullAt);
  }

  function* steps(): Generator<void> {
    let windowEnd = 0;
    let pauseAt = STEP_BYTES;
    for (let line = mark.line, from = 0; line <= lastLine; line++) {
      if (from >= pauseAt) {
        yield;
        pauseAt = from + STEP_BYTES;
      }
      const newline = bytes.indexOf(NEWLINE, from);
      const lineEnd = newline === -1 ? endOf(line) : mark.offset + newline;
      if (line >= first) {
        // The first line is always included, even when it is too long.
        if (lines.length === 0) windowEnd = mark.offset + from + maxBytes;
        else if (lineEnd > windowEnd) return;
        lines.push(toLine(line, { from, lineEnd }));
      }
      if (newline === -1) return;
      from = newline + 1;
    }
  }

  /** The last line, or one that does not end within the range: then the line after it has a mark. */
  function endOf(line: number): number {
    const next = markAfter(marks, line + 1);
    return next?.line === line + 1 ? next.offset - 1 : index.bytes;
  }

  function toLine(line: number, { from, lineEnd }: { from: number; lineEnd: number }): ArtifactLine {
    const start = mark.offset + from;
    const length = lineEnd - start;
    const shownBytes = length <= maxLineBytes ? length : codePointBorder(bytes, from + maxLineBytes) - from;
    const text = decodeText(bytes.subarray(from, from + shownBytes));
    return { number: line + 1, text, start, bytes: length, shownBytes };
  }
}

/** As far as the border of a code point can be from any byte of it. */
const REACH = 3;

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
  // When all of the window lies within one code point, it is given whole, or reading would never move on.
  while (end < bytes.length && codePointBorder(bytes, end) <= start) end++;
  return { start, end: codePointBorder(bytes, end) };
}

/** A stream of a range has as many bytes as the range, or it fails. `isEnough` can end it early. */
async function readRange(
  open: OpenRange,
  { isEnough, ...range }: ByteRange & { isEnough?: (chunk: Uint8Array, bytes: number) => boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(range.end - range.start);
  let at = 0;
  for await (const chunk of pace(await open(range))) {
    bytes.set(chunk, at);
    at += chunk.length;
    if (isEnough?.(chunk, at)) break;
  }
  return bytes.subarray(0, at);
}
