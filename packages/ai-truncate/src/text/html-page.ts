import type { FocusTerm } from './focus-terms.ts';
import { type FocusedLine, FocusedLines } from './focused-lines.ts';
import { type HtmlCounts, type HtmlPassage, HtmlPassages } from './html-passages.ts';
import { type Outline, OutlineEntries } from './outline.ts';
import { createSalientLines, nextSalientWord, SALIENT_REACH, type SalientLine } from './salient-lines.ts';
import { Words } from './words.ts';

/** The place of a passage in the output. */
export type PassagePlace = Pick<HtmlPassage, 'line' | 'at' | 'end'>;

/** A passage that was chosen for the question or for its own words, and the places of the passages around it. */
export interface ChosenPlace {
  passage: HtmlPassage;
  before: PassagePlace | undefined;
  after: PassagePlace[];
}

/** The readable text of a page, as far as a preview can show it. */
export interface HtmlPage {
  /** The title and the description. */
  about: HtmlPassage[];
  headings: Outline<HtmlPassage>;
  /** Passages with terms of the question. Their `line` counts passages. */
  focused: FocusedLine<ChosenPlace>[];
  /** Passages with errors and totals. */
  salient: SalientLine<HtmlPassage>[];
  /** The first passages of the main part. */
  beginning: HtmlPassage[];
}

/** A shorter passage can be a part of a menu. */
export const PARAGRAPH_CHARS = 100;
const MAX_ABOUT = 4;

/** Finds the important passages of a page while it arrives, in bounded memory. */
export class HtmlPageReader {
  readonly #passages: HtmlPassages;
  readonly #words = new Words();
  readonly #focused: FocusedLines<ChosenPlace> | undefined;
  readonly #salient = createSalientLines<HtmlPassage>();
  readonly #headings = new OutlineEntries<HtmlPassage>();
  readonly #about: HtmlPassage[] = [];
  /** The passages from the start, from the first paragraph and from the first main heading. */
  readonly #starts: { isOpen: boolean; chars: number; passages: HtmlPassage[] }[] = [];
  readonly #beginningChars: number;
  #count = 0;
  #previous: PassagePlace | undefined;
  /** The places after the last chosen passages, until there are enough of them. */
  #waiting: PassagePlace[][] = [];

  constructor({ terms, beginningChars, line, column }: HtmlPageOptions) {
    this.#passages = new HtmlPassages((passage) => this.#read(passage), { line, column });
    this.#focused = terms.length > 0 ? new FocusedLines(terms) : undefined;
    this.#beginningChars = beginningChars;
    for (let start = 0; start < STARTS; start++) this.#starts.push({ isOpen: start === 0, chars: 0, passages: [] });
  }

  /** The chunks can have any size. */
  push(chunk: string): void {
    this.#passages.push(chunk);
    this.#focused?.endChunk();
  }

  #read(passage: HtmlPassage): void {
    const index = ++this.#count;
    const { text, kind } = passage;
    if (kind === 'title' || kind === 'description') {
      if (this.#about.length < MAX_ABOUT) this.#about.push(passage);
    } else this.#readStart(passage);
    if (kind === 'heading') this.#headings.add(passage);
    const { line, at, end } = passage;
    const place = { line, at, end };
    for (const places of this.#waiting) places.push(place);
    this.#waiting = this.#waiting.filter((places) => places.length < PLACES_AFTER);
    if (this.#focused) this.#match(this.#focused, { passage, index });
    if (nextSalientWord(text, 0) < SALIENT_REACH) this.#salient.add(index, text, passage);
    this.#previous = place;
  }

  #match(focused: FocusedLines<ChosenPlace>, { passage, index }: { passage: HtmlPassage; index: number }): void {
    const { text } = passage;
    const words = this.#words;
    words.read(text, { from: 0, to: text.length });
    focused.matcher.start();
    while (words.next()) focused.matcher.read(text, words);
    const after: PassagePlace[] = [];
    if ((focused.matcher.low | focused.matcher.high) !== 0) this.#waiting.push(after);
    const place = { passage, before: this.#previous, after };
    focused.endLine({ text, from: 0, to: text.length, line: index, at: 0, place });
  }

  #readStart(passage: HtmlPassage): void {
    const [whole, paragraph, main] = this.#starts;
    if (paragraph && passage.text.length >= PARAGRAPH_CHARS) paragraph.isOpen = true;
    if (main && passage.level === 1) main.isOpen = true;
    for (const start of [whole, paragraph, main]) {
      if (!start?.isOpen || start.chars >= this.#beginningChars || start.passages.length === MAX_PASSAGES) continue;
      start.passages.push(passage);
      start.chars += passage.text.length;
    }
  }

  /** Called once, after the last chunk. */
  finish(): HtmlPage & { counts: HtmlCounts } {
    const counts = this.#passages.finish();
    this.#focused?.endChunk();
    const best = this.#starts.findLast(({ passages }) => passages.length > 1) ?? this.#starts[0];
    return {
      about: this.#about,
      headings: this.#headings.finish(),
      focused: this.#focused?.finish() ?? [],
      salient: this.#salient.finish(),
      beginning: best?.passages ?? [],
      counts,
    };
  }
}

const STARTS = 3;
/** As many as the lines after a focused line. */
const PLACES_AFTER = 3;

/** A hundred pages of short passages would otherwise take gigabytes. No preview of usual limits has so many lines. */
const MAX_PASSAGES = 4096;

interface HtmlPageOptions {
  terms: readonly FocusTerm[];
  /** The characters from the beginning of the main part that are stored. */
  beginningChars: number;
  /** The place of the first character. */
  line: number;
  column: number;
}
