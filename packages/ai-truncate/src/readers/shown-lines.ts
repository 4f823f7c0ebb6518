import { withoutEscapeSequences } from '../truncation/visible-text.ts';

/** The lines of a text as they are shown. They are asked for from the first to the last, by where they start in the stored text. */
export interface ShownLines {
  /** All of them. */
  text: string;
  /** The line that starts at this index of the stored text. */
  at(start: number): { text: string; isStored: boolean };
  /** Where that line starts in `text`. */
  startOf(start: number): number;
  /** Where the line that holds this index of `text` starts in the stored one. */
  storedStartOf(index: number): number;
}

/** `undefined` for a text that is shown as it is stored: most are. */
export function createShownLines(stored: string): ShownLines | undefined {
  if (!ESCAPE.test(stored)) return undefined;
  const text = withoutEscapeSequences(stored);
  // The same line in both: no sequence reaches over a line break.
  let line = { start: 0, shownStart: 0 };
  const next = () => ({
    start: stored.indexOf('\n', line.start) + 1,
    shownStart: text.indexOf('\n', line.shownStart) + 1,
  });

  const lines: ShownLines = {
    text,
    at(start) {
      const from = lines.startOf(start);
      const newline = text.indexOf('\n', from);
      const storedNewline = stored.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline;
      const storedEnd = storedNewline === -1 ? stored.length : storedNewline;
      return { text: text.slice(from, end), isStored: end - from === storedEnd - start };
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: each of these control characters begins a sequence.
const ESCAPE = /[\x1b\x90\x98\x9b\x9d-\x9f]/;
