import type { FocusTerm } from './focus-terms.ts';
import type { LineMarks } from './line-marks.ts';
import { LineReader, type ReadLines } from './line-reader.ts';
import {
  createSalientLines,
  nextSalientWord,
  SALIENT_LENGTH,
  SALIENT_REACH,
  type SalientLine,
} from './salient-lines.ts';
import { byteLength, detach, isHighSurrogate, isLowSurrogate } from './utf.ts';

/** The result of one pass over an output. It is bounded, however large the output is. */
export interface TextScan extends ReadLines {
  /** The number of items in `split('\n')`: a newline at the end starts another, empty, line. */
  lines: number;
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

const NO_LINES: ReadLines = { focused: [], patterns: { rareLines: [], frequent: [] } };

/** Counts, holds both ends and finds important lines in one pass, without a copy of the text or a slice per line. */
export function createTextScan(options: TextScanOptions): TextScanner {
  const { headChars, tailChars, findsSalientLines, marks, terms = () => [] } = options;
  const salient = findsSalientLines ? createSalientLines(marks) : undefined;
  const testsEachLine = salient !== undefined && marks !== undefined;
  /** Made as soon as the text is not small any more, because most outputs are small. */
  let reader: LineReader | undefined;
  let unread = '';
  let newlines = 0;
  let bytes = 0;
  let chars = 0;
  let head = '';
  let tail = '';
  /** The inspected beginning of the line that the last chunk left open. */
  let openStart = '';
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
    scanLines(text);
    if (findsSalientLines) readLines(text);
  }

  function readLines(text: string): void {
    if (!reader && unread.length + text.length < SMALL_CHARS) {
      unread += text;
      return;
    }
    reader ??= new LineReader(terms());
    reader.push(unread + text);
    unread = '';
  }

  function scanLines(text: string): void {
    let from = text.indexOf('\n') + 1;
    if (from === 0) {
      growOpenLine(text);
      return;
    }
    growOpenLine(text.slice(0, from - 1));
    closeLine();
    // Local variables, because this loop runs once per line and the engine stores shared variables of closures in memory.
    let count = newlines;
    let hit = salient && !testsEachLine ? nextSalientWord(text, from) : Number.POSITIVE_INFINITY;
    while (true) {
      const to = text.indexOf('\n', from);
      if (to === -1) break;
      count++;
      if (testsEachLine) salient.consider(count, text.slice(from, Math.min(to, from + SALIENT_LENGTH)));
      else if (hit < to) {
        if (hit < from + SALIENT_REACH) salient?.add(count, text.slice(from, Math.min(to, from + SALIENT_LENGTH)));
        hit = nextSalientWord(text, to + 1);
      }
      from = to + 1;
    }
    newlines = count;
    growOpenLine(text.slice(from));
  }

  function growOpenLine(text: string): void {
    if (salient && openStart.length < SALIENT_LENGTH) openStart += text.slice(0, SALIENT_LENGTH - openStart.length);
  }

  function closeLine(): void {
    newlines++;
    if (openStart !== '') salient?.consider(newlines, openStart);
    openStart = '';
  }

  function finish(): TextScan {
    scan(heldBack);
    heldBack = '';
    closeLine();
    if (findsSalientLines && !reader) {
      reader = new LineReader(terms());
      reader.push(unread);
    }
    return {
      lines: newlines,
      bytes,
      chars,
      head: detach(withoutSplitEnd(head)),
      tail: detach(withoutSplitStart(tail.slice(Math.max(0, tail.length - tailChars)))),
      salientLines: salient?.finish() ?? [],
      ...(reader?.finish() ?? NO_LINES),
    };
  }

  /** The edge of the window may have split a pair. The text itself may also end in half of a pair. */
  const withoutSplitEnd = (text: string) =>
    chars > text.length && isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
  const withoutSplitStart = (text: string) =>
    chars > text.length && isLowSurrogate(text.charCodeAt(0)) ? text.slice(1) : text;

  return { push, finish };
}
