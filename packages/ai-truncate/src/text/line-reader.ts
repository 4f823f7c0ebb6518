import { AlikeLines } from './alike-lines.ts';
import type { KnownTerms, WordSteps } from './focus-matcher.ts';
import type { FocusTerm } from './focus-terms.ts';
import { type FocusedLine, FocusedLines, type LinePart } from './focused-lines.ts';
import { type CountedPattern, type LinePatterns, PATTERN_CHARS, PatternCounter } from './rare-lines.ts';
import { nextSalientWord, SALIENT_LENGTH, SALIENT_REACH, type SalientLines } from './salient-lines.ts';
import { detach, textPieces } from './utf.ts';
import { Words } from './words.ts';

/** A longer line is read in parts. */
const MAX_LINE_CHARS = 4096;
const PART_CHARS = 2048;
/** The characters that two parts share, so that no term is lost between them. */
const SHARED_CHARS = 128;
/** The most characters whose bytes are in memory. */
const MAX_PIECE_CHARS = 128 * 1024;

/** The lines found by reading all words of an output. */
export interface ReadLines {
  /** The number of items in `split('\n')`: a newline at the end starts another, empty, line. */
  lines: number;
  focused: FocusedLine[];
  patterns: LinePatterns;
}

/** The facts about a line that do not depend on its digits. */
interface KnownLine {
  pattern: CountedPattern | undefined;
  isSalient: boolean;
  terms: KnownTerms | undefined;
}

/**
 * Reads the lines of an output while it arrives, for salient lines, lines that match the question, and rare lines. The words of
 * a line are read only if no earlier line was equal except for its digits.
 */
export class LineReader {
  readonly #words = new Words();
  readonly #focused: FocusedLines | undefined;
  readonly #patterns = new PatternCounter();
  readonly #salient: SalientLines | undefined;
  readonly #testsEachLine: boolean;
  readonly #alike = new AlikeLines<KnownLine>();
  #line = 1;
  /** The line that the last chunk did not complete, from `#openAt`. */
  #open = '';
  #openAt = 0;
  /** The beginning of an open line that is too long to store. */
  #openStart = '';

  /** @param salient Receives the lines with salient words; with `testsEachLine`, all lines. */
  constructor(
    terms: readonly FocusTerm[],
    { salient, testsEachLine = false }: { salient?: SalientLines | undefined; testsEachLine?: boolean } = {},
  ) {
    this.#focused = terms.length > 0 ? new FocusedLines(terms) : undefined;
    this.#salient = salient;
    this.#testsEachLine = testsEachLine;
  }

  /** The split into chunks does not change the result. */
  push(text: string): void {
    if (text.length <= MAX_PIECE_CHARS) this.#pushPiece(text);
    else for (const piece of textPieces(text, MAX_PIECE_CHARS)) this.#pushPiece(piece);
  }

  #pushPiece(text: string): void {
    const first = text.indexOf('\n');
    if (first === -1) this.#grow(text);
    else {
      this.#grow(text.slice(0, first));
      this.#closeLine();
      this.#grow(text.slice(this.#readLines(text, first + 1)));
    }
    this.#open = detach(this.#open);
    this.#focused?.endChunk();
    this.#patterns.endChunk();
  }

  /** Reads the complete lines from an index on. Returns the start of the open line. */
  #readLines(text: string, start: number): number {
    const alike = this.#alike;
    const focused = this.#focused;
    // If only salient words are needed, it is faster to search the text.
    const readsWords = focused !== undefined || !this.#patterns.isFull;
    if (readsWords) alike.load(text);
    const isAscii = !readsWords || alike.length === text.length;
    /** The bytes that are compared. Without a question, nothing else is read. */
    const reach = !isAscii || focused ? Number.POSITIVE_INFINITY : SALIENT_REACH;
    const salient = this.#testsEachLine ? undefined : this.#salient;
    let hit = salient ? -1 : Number.POSITIVE_INFINITY;
    let from = start;
    // One object is used for all lines, because creating an object would take most of the time of a known line.
    const part = { text, from, to: from, line: this.#line, at: 0 };
    let fromByte = isAscii ? start : alike.bytes.indexOf(NEWLINE) + 1;
    for (let to = text.indexOf('\n', from); to !== -1; to = text.indexOf('\n', from)) {
      const toByte = isAscii ? to : alike.bytes.indexOf(NEWLINE, fromByte);
      if (to - from > MAX_LINE_CHARS) {
        this.#grow(text.slice(from, to));
        this.#closeLine();
      } else {
        const known = readsWords ? alike.find(fromByte, Math.min(toByte, fromByte + reach)) : null;
        let isSalient: boolean;
        part.from = from;
        part.to = to;
        part.line = this.#line;
        if (known) {
          isSalient = known.isSalient;
          this.#repeatLine(known, part);
        } else {
          if (hit < from) hit = nextSalientWord(text, from);
          isSalient = hit < to && hit < from + SALIENT_REACH;
          if (readsWords) this.#readLine(part, { isSalient, isRemembered: known === undefined });
        }
        if (isSalient) salient?.add(this.#line, text.slice(from, to));
        else if (this.#testsEachLine) this.#salient?.consider(this.#line, text.slice(from, to));
        this.#line++;
      }
      from = to + 1;
      fromByte = toByte + 1;
    }
    return from;
  }

  /** A line that equals an earlier line except for its digits. */
  #repeatLine(known: KnownLine, part: LinePart): void {
    if (known.pattern) this.#patterns.repeat(known.pattern, part.line);
    const focused = this.#focused;
    if (!focused || !known.terms) return;
    focused.matcher.readKnown(part, known.terms);
    focused.endLine(part);
  }

  #readLine(part: LinePart, { isSalient, isRemembered }: { isSalient: boolean; isRemembered: boolean }): void {
    const steps: WordSteps | undefined = isRemembered ? [] : undefined;
    const pattern = this.#readPart(part, steps);
    const terms = steps && this.#focused?.matcher.knownTerms(steps);
    if (steps && (terms || !this.#focused)) this.#alike.remember({ pattern, isSalient, terms });
  }

  #grow(text: string): void {
    // Without a question, the rest of a giant line is not read.
    if (this.#openAt > 0 && !this.#focused) return;
    const open = this.#open + text;
    if (this.#openAt === 0 && open.length > MAX_LINE_CHARS) this.#openStart = detach(open.slice(0, SALIENT_LENGTH));
    let from = 0;
    for (; open.length - from > MAX_LINE_CHARS; from += PART_CHARS, this.#openAt += PART_CHARS) {
      this.#readOpen(open, from, from + PART_CHARS + SHARED_CHARS);
    }
    this.#open = open.slice(from);
  }

  #closeLine(): void {
    const open = this.#open;
    const isGiant = this.#openAt > 0;
    const start = isGiant ? this.#openStart : open;
    let from = 0;
    for (; isGiant && open.length - from > PART_CHARS + SHARED_CHARS; from += PART_CHARS, this.#openAt += PART_CHARS) {
      this.#readOpen(open, from, from + PART_CHARS + SHARED_CHARS);
    }
    this.#readOpen(open, from, open.length);
    if (start !== '') this.#salient?.consider(this.#line, start);
    this.#open = this.#openStart = '';
    this.#openAt = 0;
    this.#line++;
  }

  #readOpen(text: string, from: number, to: number): void {
    this.#readPart({ text, from, to, line: this.#line, at: this.#openAt });
  }

  #readPart(part: LinePart, steps?: WordSteps): CountedPattern | undefined {
    const { text, from, to, at } = part;
    const words = this.#words;
    const focused = this.#focused;
    const patterns = at === 0 && !this.#patterns.isFull ? this.#patterns : undefined;
    // Without a question, a line is read only for its pattern, which is in its first part.
    if (!focused && !patterns) return undefined;
    // The last word of a pattern may end after the limit for its start.
    words.read(text, { from, to: focused ? to : Math.min(to, from + 2 * PATTERN_CHARS) });
    patterns?.start(text, from);
    if (focused) {
      const { matcher } = focused;
      matcher.start();
      for (let index = 0; words.next(); index++) {
        patterns?.read(words);
        const isFound = matcher.read(text, words);
        if (steps) matcher.addStep(steps, words, { text, from, index, isFound });
      }
      focused.endLine(part);
    } else {
      while (words.next()) patterns?.read(words);
    }
    return patterns?.endLine(part);
  }

  /** Called once, after the last chunk. */
  finish(): ReadLines {
    this.#closeLine();
    this.#focused?.endChunk();
    this.#patterns.endChunk();
    return { lines: this.#line - 1, focused: this.#focused?.finish() ?? [], patterns: this.#patterns.finish() };
  }
}

const NEWLINE = 10;
