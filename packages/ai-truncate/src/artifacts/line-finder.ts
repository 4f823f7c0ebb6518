import { ViewLines } from '../json/view-lines.ts';
import { countNewlineBytes } from '../text/utf.ts';
import type { LineMark } from './line-index.ts';

/** Finds a line in the chunks of a read that starts at a mark before it. Lines count from 0. */
export interface LineFinder {
  read(chunk: Uint8Array): void;
  /** The line that contains the end of the bytes so far. */
  line(): number;
  /** The byte at which the line starts; `undefined` until it is found. */
  start(): number | undefined;
  /** The byte at which it ends and its line break starts; `undefined` until it is found. */
  end(): number | undefined;
}

const NEWLINE = 10;

/** Searches for the line among the lines of the text view if the index counts them. */
export function findLine(mark: LineMark, { first, isView = false }: { first: number; isView?: boolean }): LineFinder {
  let { line, offset } = mark;
  let start = line === first ? offset : undefined;
  let end: number | undefined;
  const view = new ViewLines();
  return { read: isView ? readView : readStored, line: () => line, start: () => start, end: () => end };

  function readStored(chunk: Uint8Array): void {
    const newlines = countNewlineBytes(chunk, { from: 0, to: chunk.length });
    if (line < first && line + newlines >= first) start = offset + afterNewlines(chunk, first - line);
    if (line <= first && line + newlines > first && start !== undefined) {
      end = offset + chunk.indexOf(NEWLINE, Math.max(0, start - offset));
    }
    line += newlines;
    offset += chunk.length;
  }

  function readView(chunk: Uint8Array): void {
    view.read(chunk, (behind, breakBytes) => {
      if (line === first) end = offset + behind - breakBytes;
      line++;
      if (line === first) start = offset + behind;
    });
    offset += chunk.length;
  }
}

/** The index after this many newlines. */
function afterNewlines(chunk: Uint8Array, count: number): number {
  let after = 0;
  for (let found = 0; found < count; found++) after = chunk.indexOf(NEWLINE, after) + 1;
  return after;
}
