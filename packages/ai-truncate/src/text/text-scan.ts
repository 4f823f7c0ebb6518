import type { FocusTerm } from './focus-terms.ts';
import type { LineMarks } from './line-marks.ts';
import { LineReader, type ReadLines } from './line-reader.ts';
import { createSalientLines, type SalientLine } from './salient-lines.ts';
import { byteLength, countLines, detach, isHighSurrogate, isLowSurrogate } from './utf.ts';

/** The result of one pass over an output. It is bounded, however large the output is. */
export interface TextScan extends ReadLines {
  /** UTF-8 bytes. */
  bytes: number;
  /** `String.length`. */
  chars: number;
  /** The first characters, as many as requested. */
  head: string;
  /** The last characters, as many as requested. */
  tail: string;
  /** In order; empty unless they were requested. */
  salientLines: SalientLine[];
}

export interface TextScanOptions {
  headChars: number;
  tailChars: number;
  findsSalientLines: boolean;
  /** The lines that the application marks as important, in addition to the salient lines. */
  marks?: LineMarks | undefined;
  /** The terms of the question. Lines with these terms are found in addition to the salient lines. */
  terms?: () => readonly FocusTerm[];
}

export interface TextScanner {
  /** The result does not depend on how the text is cut into chunks. */
  push(chunk: string): void;
  /** Called once, after the last chunk. */
  finish(): TextScan;
}

/** No output is truncated that has fewer characters. */
const SMALL_CHARS = 256;

const NO_LINES: Omit<ReadLines, 'lines'> = { focused: [], patterns: { rareLines: [], frequent: [], tellingLines: [] } };

/** Counts, holds both ends and finds important lines in one pass, without a copy of the text or a slice per line. */
export function createTextScan(options: TextScanOptions): TextScanner {
  const { headChars, tailChars, findsSalientLines, marks, terms = () => [] } = options;
  const salient = findsSalientLines ? createSalientLines(marks) : undefined;
  /** Made as soon as the text is not small any more, because most outputs are small. */
  let reader: LineReader | undefined;
  let unread = '';
  let lines = 1;
  let bytes = 0;
  let chars = 0;
  let head = '';
  let tail = '';
  /** The first half of a pair whose second half is in the next chunk. */
  let heldBack = '';

  function push(chunk: string): void {
    if (chunk === '') return;
    const text = heldBack + chunk;
    heldBack = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    scan(heldBack === '' ? text : text.slice(0, -1));
  }

  function scan(text: string): void {
    if (text === '') return;
    chars += text.length;
    bytes += byteLength(text);
    if (head.length < headChars) head += text.slice(0, headChars - head.length);
    tail = text.length >= tailChars ? text : tail + text;
    // Cut only now and then, because every cut copies.
    if (tail.length > 4 * tailChars) tail = tail.slice(tail.length - tailChars);
    if (findsSalientLines) readLines(text);
    else lines += countLines(text) - 1;
  }

  function readLines(text: string): void {
    if (!reader && unread.length + text.length < SMALL_CHARS) {
      unread += text;
      return;
    }
    openReader().push(unread + text);
    unread = '';
  }

  function openReader(): LineReader {
    reader ??= new LineReader(terms(), { salient, testsEachLine: marks !== undefined });
    return reader;
  }

  function finish(): TextScan {
    scan(heldBack);
    heldBack = '';
    if (unread !== '' || (findsSalientLines && !reader)) openReader().push(unread);
    const read = reader?.finish() ?? { lines, ...NO_LINES };
    return {
      bytes,
      chars,
      head: detach(withoutSplitEnd(head)),
      tail: detach(withoutSplitStart(tail.slice(Math.max(0, tail.length - tailChars)))),
      salientLines: joined(salient?.finish() ?? [], read.patterns.tellingLines),
      ...read,
    };
  }

  /** The edge of the window may have split a pair. The text itself may also end in half of a pair. */
  const withoutSplitEnd = (text: string) =>
    chars > text.length && isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
  const withoutSplitStart = (text: string) =>
    chars > text.length && isLowSurrogate(text.charCodeAt(0)) ? text.slice(1) : text;

  return { push, finish };
}

/** Each line once, in the order of the output. */
function joined(salient: SalientLine[], telling: readonly SalientLine[]): SalientLine[] {
  if (telling.length === 0) return salient;
  const known = new Set(salient.map(({ line }) => line));
  return [...salient, ...telling.filter(({ line }) => !known.has(line))].sort((one, other) => one.line - other.line);
}
