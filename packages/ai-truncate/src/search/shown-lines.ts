import { escapeSequencesIn, withoutEscapeSequences } from '../text/visible-text.ts';

/** The lines of a text as they are shown. They are asked for from the first to the last, by where they start in the stored text. */
export interface ShownLines {
  /** All of them. */
  text: string;
  /** The line that is stored from `start` to `end`; `undefined` when it is shown as it is stored. */
  at(line: { start: number; end: number }): string | undefined;
  /** Where the line that is stored at `start` starts in `text`. */
  startOf(start: number): number;
  /** Where the line that holds this index of `text` starts in the stored one. */
  storedStartOf(index: number): number;
}

/** `undefined` for a text that is shown as it is stored: most are. */
export function createShownLines(stored: string): ShownLines | undefined {
  let nextSequence = findSequence(stored, 0);
  if (nextSequence === Number.POSITIVE_INFINITY) return undefined;
  const text = withoutEscapeSequences(stored);
  // The same line in both: no sequence reaches over a line break.
  let line = { start: 0, shownStart: 0 };
  const next = () => ({
    start: stored.indexOf('\n', line.start) + 1,
    shownStart: text.indexOf('\n', line.shownStart) + 1,
  });

  const lines: ShownLines = {
    text,
    at({ start, end }) {
      if (nextSequence < start) nextSequence = findSequence(stored, start);
      if (nextSequence >= end) return undefined;
      const from = lines.startOf(start);
      const newline = text.indexOf('\n', from);
      return text.slice(from, newline === -1 ? undefined : newline);
    },
    startOf(start) {
      while (line.start < start) line = next();
      return line.shownStart;
    },
    storedStartOf(index) {
      for (let behind = next(); behind.shownStart > 0 && behind.shownStart <= index; behind = next()) line = behind;
      return line.start;
    },
  };
  return lines;
}

/** Where the next sequence may begin. */
function findSequence(text: string, from: number): number {
  ESCAPE.lastIndex = from;
  return ESCAPE.exec(text)?.index ?? Number.POSITIVE_INFINITY;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: each of these control characters begins a sequence.
const ESCAPE = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;

/** A line as people and models see it: without the sequences that colour it or move the cursor. */
export interface ShownLine {
  text: string;
  /** Where in the stored line the character at this index of the text stands. */
  toStored(index: number): number;
}

/** `undefined` for a line that is shown as it is stored. */
export function shownLine(line: string): ShownLine | undefined {
  const sequences = escapeSequencesIn(line);
  if (sequences.length === 0) return undefined;
  let text = '';
  let end = 0;
  for (const sequence of sequences) {
    text += line.slice(end, sequence.start);
    end = sequence.end;
  }
  return {
    text: text + line.slice(end),
    toStored(index) {
      let hidden = 0;
      for (const { start, end } of sequences) {
        if (start - hidden > index) break;
        hidden += end - start;
      }
      return index + hidden;
    },
  };
}
