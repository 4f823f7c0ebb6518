import type { FocusTerm } from './focus-terms.ts';
import { type FocusedLine, FocusedLines } from './focused-lines.ts';
import { type LinePatterns, PATTERN_CHARS, PatternCounter } from './rare-lines.ts';
import { detach } from './utf.ts';
import { Words } from './words.ts';

/** A longer line is read in parts. */
const MAX_LINE_CHARS = 4096;
const PART_CHARS = 2048;
/** The characters that two parts share, so that no term is lost between them. */
const SHARED_CHARS = 128;

/** The lines found by reading all words of an output. */
export interface ReadLines {
  focused: FocusedLine[];
  patterns: LinePatterns;
}

/** Reads an output word by word while it arrives, for lines that match the question and for rare lines. */
export class LineReader {
  readonly #words = new Words();
  readonly #focused: FocusedLines | undefined;
  readonly #patterns = new PatternCounter();
  #line = 1;
  /** The line that the last chunk did not complete, from `#openAt`. */
  #open = '';
  #openAt = 0;

  constructor(terms: readonly FocusTerm[]) {
    this.#focused = terms.length > 0 ? new FocusedLines(terms) : undefined;
  }

  /** The split into chunks does not change the result. */
  push(text: string): void {
    let from = 0;
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      if (this.#open === '' && this.#openAt === 0 && to - from <= MAX_LINE_CHARS) {
        this.#readPart(text, { from, to, at: 0 });
        this.#line++;
      } else {
        this.#grow(text.slice(from, to));
        this.#closeLine();
      }
      from = to + 1;
    }
    this.#grow(text.slice(from));
    this.#open = detach(this.#open);
    this.#focused?.endChunk();
    this.#patterns.endChunk();
  }

  #grow(text: string): void {
    const open = this.#open + text;
    let from = 0;
    for (; open.length - from > MAX_LINE_CHARS; from += PART_CHARS, this.#openAt += PART_CHARS) {
      this.#readPart(open, { from, to: from + PART_CHARS + SHARED_CHARS, at: this.#openAt });
    }
    this.#open = open.slice(from);
  }

  #closeLine(): void {
    const open = this.#open;
    const isGiant = this.#openAt > 0;
    let from = 0;
    for (; isGiant && open.length - from > PART_CHARS + SHARED_CHARS; from += PART_CHARS, this.#openAt += PART_CHARS) {
      this.#readPart(open, { from, to: from + PART_CHARS + SHARED_CHARS, at: this.#openAt });
    }
    this.#readPart(open, { from, to: open.length, at: this.#openAt });
    this.#open = '';
    this.#openAt = 0;
    this.#line++;
  }

  #readPart(text: string, { from, to, at }: { from: number; to: number; at: number }): void {
    const words = this.#words;
    const focused = this.#focused;
    const patterns = at === 0 && !this.#patterns.isFull ? this.#patterns : undefined;
    // Without a question, a line is read only for its pattern, which is in its first part.
    if (!focused && !patterns) return;
    // The last word of a pattern may end after the limit for its start.
    words.read(text, { from, to: focused ? to : Math.min(to, from + 2 * PATTERN_CHARS) });
    patterns?.start(text, from);
    if (focused) {
      const { matcher } = focused;
      matcher.start();
      while (words.next()) {
        patterns?.read(words);
        matcher.read(text, words);
      }
      focused.endLine({ text, from, to, line: this.#line, at });
    } else {
      while (words.next()) patterns?.read(words);
    }
    patterns?.endLine({ text, from, to, line: this.#line });
  }

  /** Called once, after the last chunk. */
  finish(): ReadLines {
    this.#closeLine();
    this.#focused?.endChunk();
    this.#patterns.endChunk();
    return { focused: this.#focused?.finish() ?? [], patterns: this.#patterns.finish() };
  }
}
