import { ViewLines } from '../json/view-lines.ts';
import { countNewlineBytes } from '../text/utf.ts';

/** The starts of lines. About every `interval` bytes, one is stored, so that any line is found by reading little. */
export interface LineIndex {
  /** The number of items in `split('\n')`: a newline at the end starts another, empty, line. */
  lines: number;
  bytes: number;
  /**
   * In ascending order. The first mark is line 0 at byte 0. A line without a mark starts less than two intervals after the last
   * mark before it. The line after a line of an interval or more always has a mark.
   */
  marks: LineMark[];
  interval: number;
  /** Lines are counted in the text view, at offsets of the stored bytes. */
  isView?: true;
}

export interface LineMark {
  /** Counted from 0. */
  line: number;
  /** The byte at which it starts. */
  offset: number;
}

export interface LineIndexer {
  /** The result does not depend on how the bytes are cut into chunks. */
  push(bytes: Uint8Array): void;
  /** The number of pushed bytes. */
  bytes(): number;
  /** Called once, after the last chunk. */
  finish(): LineIndex;
}

const FIRST_INTERVAL = 16 * 1024;
/** This many pairs of differences stay within 30 KB of JSON, up to 1 GiB. */
const MAX_MARKS = 2048;
const NEWLINE = 10;
const BACKSLASH = 0x5c;

/**
 * Counts lines and notes where some of them start, in bounded memory: the interval doubles when the marks become many. Bytes that are
 * the JSON of a value are counted by the lines of its text view.
 */
export function createLineIndex({ isValue = false }: { isValue?: boolean } = {}): LineIndexer {
  let interval = FIRST_INTERVAL;
  let marks: LineMark[] = [{ line: 0, offset: 0 }];
  /** Starts of lines before this byte are not stored. */
  let nextMark = interval;
  let newlines = 0;
  let bytes = 0;
  const view = isValue ? new ViewLines() : undefined;

  function push(chunk: Uint8Array): void {
    // Most records have no escapes, and line feeds alone are counted many times as fast.
    if (view && (view.isOpen || chunk.includes(BACKSLASH))) {
      view.read(chunk, (end) => {
        newlines++;
        if (bytes + end >= nextMark) note({ line: newlines, offset: bytes + end });
      });
      bytes += chunk.length;
    } else pushLines(chunk);
  }

  function pushLines(chunk: Uint8Array): void {
    let from = 0;
    while (bytes + chunk.length >= nextMark) {
      // The newline before the first line that is far enough away.
      const search = Math.max(from, nextMark - 1 - bytes);
      const found = chunk.indexOf(NEWLINE, search);
      if (found === -1) break;
      newlines += countNewlineBytes(chunk, { from, to: found + 1 });
      from = found + 1;
      note({ line: newlines, offset: bytes + from });
    }
    newlines += countNewlineBytes(chunk, { from, to: chunk.length });
    bytes += chunk.length;
  }

  function note(mark: LineMark): void {
    marks.push(mark);
    if (marks.length > MAX_MARKS) {
      interval *= 2;
      marks = thinned(marks, interval);
    }
    nextMark = (marks.at(-1)?.offset ?? 0) + interval;
  }

  function finish(): LineIndex {
    return { lines: newlines + 1, bytes, marks, interval, ...(view?.hasEscapes && { isView: true }) };
  }

  return { push, bytes: () => bytes, finish };
}

/** Fewer marks, at least this wider interval apart. */
export function thinned(marks: readonly LineMark[], interval: number): LineMark[] {
  const kept: LineMark[] = [];
  for (const mark of marks) {
    const last = kept.at(-1);
    if (!last || mark.offset - last.offset >= interval) kept.push(mark);
  }
  return kept;
}

/** The last mark at or before a line. */
export function markBefore(marks: readonly LineMark[], line: number): LineMark {
  const after = firstMark(marks, (mark) => mark.line > line);
  return marks[after - 1] ?? { line: 0, offset: 0 };
}

/** The first mark at or after a line. */
export function markAfter(marks: readonly LineMark[], line: number): LineMark | undefined {
  return marks[firstMark(marks, (mark) => mark.line >= line)];
}

/** The index of the first mark for which this is true. It is also true for all later marks. */
function firstMark(marks: readonly LineMark[], holds: (mark: LineMark) => boolean): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const mark = marks[middle];
    if (mark && holds(mark)) high = middle;
    else low = middle + 1;
  }
  return low;
}
