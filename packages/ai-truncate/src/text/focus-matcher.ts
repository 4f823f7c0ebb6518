import type { FocusTerm } from './focus-terms.ts';
import { foldWord, spellingOf, type Word, type Words } from './words.ts';

/** The role of a word: the term that it is, and its places in longer terms. */
interface Hit {
  /** The bit of the term that consists of this word. */
  low: number;
  high: number;
  /** The terms of several words that contain it. */
  longer: Place[];
}

interface Place {
  term: number;
  /** A bit for each place of the word in the term. */
  places: number;
}

const FILTER_SIZE = 8192;
const REMEMBERED_WORDS = 4096;
const MAX_WORD_CHARS = 64;
/** The most numbers that are stored for the words of one line, and of all lines. Other lines are always read word by word. */
const MAX_STEPS = 32 * 4;
const MAX_ALL_STEPS = 2 ** 19;

/** Words of a line that match, or may match with other digits: index, start, length, and spelling or -1 for a word with a digit. */
export type WordSteps = number[];

/** The terms in a line that do not depend on its digits. */
export interface KnownTerms {
  low: number;
  high: number;
  /** The words to read again, if the terms of the line depend on its digits. */
  steps: WordSteps | undefined;
}

interface WordPlace {
  text: string;
  /** The start of the line. */
  from: number;
  /** The number of words before it in the line. */
  index: number;
  isFound: boolean;
}

/** Finds the terms of a text. Each term is a bit of two numbers, the first 32 in `low`. */
export class FocusMatcher {
  low = 0;
  high = 0;
  readonly #hits = new Map<string, Hit>();
  /** A filter by the first two characters, so that most words of an output are skipped without a look-up. */
  readonly #filter = new Uint8Array(FILTER_SIZE);
  /** The results for the most recent words, by their spelling. */
  readonly #spellings = new Int32Array(REMEMBERED_WORDS);
  readonly #found: (Hit | undefined)[] = new Array(REMEMBERED_WORDS).fill(undefined);
  readonly #lengths: readonly number[];
  /** For each longer term, how many of its words followed each other (as bits), and the number of the last word. */
  readonly #states: Int32Array;
  readonly #lastWords: Int32Array;
  #word = 1;
  #roomForSteps = MAX_ALL_STEPS;
  /** The words of terms with their digits replaced by zeros, and a filter by their beginnings. */
  readonly #shapes = new Set<string>();
  readonly #shapeFilter = new Uint8Array(FILTER_SIZE);
  readonly #again = { start: 0, end: 0, spelling: 0 };

  constructor(terms: readonly FocusTerm[]) {
    this.#lengths = terms.map(({ words }) => words.length);
    this.#states = new Int32Array(terms.length);
    this.#lastWords = new Int32Array(terms.length);
    this.#filter[ANY] = 1;
    for (const [term, { words }] of terms.entries()) {
      for (const [place, word] of words.entries()) this.#add(word, { term, place, isAlone: words.length === 1 });
    }
  }

  #add(word: string, { term, place, isAlone }: { term: number; place: number; isAlone: boolean }): void {
    const hit = this.#hits.get(word) ?? { low: 0, high: 0, longer: [] };
    this.#hits.set(word, hit);
    this.#filter[filterOf(word, 0, word.length)] = 1;
    if (SOME_DIGIT.test(word)) {
      const shape = shapeOf(word);
      this.#shapes.add(shape);
      this.#shapeFilter[filterOf(shape, 0, shape.length)] = 1;
    }
    if (isAlone && term < 32) hit.low |= 1 << term;
    else if (isAlone) hit.high |= 1 << (term - 32);
    else {
      const known = hit.longer.find((each) => each.term === term);
      if (known) known.places |= 1 << place;
      else hit.longer.push({ term, places: 1 << place });
    }
  }

  /** Starts the next text, whose words do not continue a term of the previous text. */
  start(): void {
    this.low = this.high = 0;
    this.#word += 2;
  }

  /** The next word of the text. Returns whether it is part of a term. */
  read(text: string, word: Word): boolean {
    const index = this.#word++;
    const { spelling } = word;
    const slot = spelling & (REMEMBERED_WORDS - 1);
    const hit = this.#spellings[slot] === spelling ? this.#found[slot] : this.#find(text, word);
    if (hit === undefined) return false;
    this.low |= hit.low;
    this.high |= hit.high;
    const { longer } = hit;
    for (let at = 0; at < longer.length; at++) {
      const { term, places } = longer[at] as Place;
      const before = this.#lastWords[term] === index - 1 ? (this.#states[term] as number) : 0;
      const state = ((before << 1) | 1) & places;
      this.#states[term] = state;
      this.#lastWords[term] = index;
      if ((state >>> ((this.#lengths[term] as number) - 1)) & 1) {
        if (term < 32) this.low |= 1 << term;
        else this.high |= 1 << (term - 32);
      }
    }
    return true;
  }

  /**
   * If the last word is part of a term, or would be with other digits, adds it to the words that are read again in lines that are
   * alike.
   */
  addStep(steps: WordSteps, words: Words, { text, from, index, isFound }: WordPlace): void {
    if (steps.length > MAX_STEPS || !(isFound || (words.hasDigit && this.#mayMatch(text, words)))) return;
    steps.push(index, words.start - from, words.end - words.start, words.hasDigit ? -1 : words.spelling);
  }

  /** The facts about lines that are alike; `undefined` if they would take too much memory. */
  knownTerms(steps: WordSteps): KnownTerms | undefined {
    const isVariable = steps.some((step, index) => index % 4 === 3 && step < 0);
    if (!isVariable && steps.length <= MAX_STEPS) return { low: this.low, high: this.high, steps: undefined };
    if (steps.length > Math.min(MAX_STEPS, this.#roomForSteps)) return undefined;
    this.#roomForSteps -= steps.length;
    return { low: this.low, high: this.high, steps };
  }

  /** Reads a line that is alike. */
  readKnown(line: { text: string; from: number }, { low, high, steps }: KnownTerms): void {
    if (steps) this.#readAgain(line, steps);
    else {
      this.low = low;
      this.high = high;
    }
  }

  /** Whether a word with a digit would be part of a term with other digits. */
  #mayMatch(text: string, { start, end }: Word): boolean {
    if (this.#shapes.size === 0 || end - start > MAX_WORD_CHARS) return false;
    const second = start + 1 < end ? text.charCodeAt(start + 1) : 0;
    return (
      this.#shapeFilter[filterOfCodes(zeroOf(text.charCodeAt(start)), zeroOf(second))] === 1 &&
      this.#shapes.has(shapeOf(foldWord(text.slice(start, end))))
    );
  }

  /** Reads only these words of a line again. Its other words cannot be part of a term. */
  #readAgain({ text, from }: { text: string; from: number }, steps: WordSteps): void {
    this.start();
    const firstWord = this.#word;
    const word = this.#again;
    for (let at = 0; at < steps.length; at += 4) {
      this.#word = firstWord + (steps[at] as number);
      word.start = from + (steps[at + 1] as number);
      word.end = word.start + (steps[at + 2] as number);
      word.spelling = steps[at + 3] as number;
      if (word.spelling < 0) word.spelling = spellingOf(text, word);
      this.read(text, word);
    }
  }

  #find(text: string, { start, end, spelling }: Word): Hit | undefined {
    if (this.#filter[filterOf(text, start, end)] === 0 || end - start > MAX_WORD_CHARS) return undefined;
    const hit = this.#hits.get(foldWord(text.slice(start, end)));
    const slot = spelling & (REMEMBERED_WORDS - 1);
    this.#spellings[slot] = spelling;
    this.#found[slot] = hit;
    return hit;
  }
}

/** The place in the filter of words whose first characters may fold to others. */
const ANY = 0;

/** The first combining mark. */
const COMBINING = 0x300;

function filterOf(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start);
  const second = start + 1 < end ? text.charCodeAt(start + 1) : 0;
  // A combining accent becomes part of the second character.
  if (start + 2 < end && text.charCodeAt(start + 2) >= COMBINING) return ANY;
  return filterOfCodes(first, second);
}

function filterOfCodes(first: number, second: number): number {
  if (first < 128 && second < 128) return (((lower(first) << 7) | lower(second)) % (FILTER_SIZE - 1)) + 1;
  return isPlainCjk(first) && isPlainCjk(second) ? (((first * 31 + second) >>> 0) % (FILTER_SIZE - 1)) + 1 : ANY;
}

/** Digits do not change. */
function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Characters of Chinese, Japanese and Korean that fold to themselves. */
function isPlainCjk(code: number): boolean {
  return code >= 0x3041 && code < 0xf900;
}

const SOME_DIGIT = /[0-9]/;

function shapeOf(word: string): string {
  return word.replace(/[1-9]/g, '0');
}

function zeroOf(code: number): number {
  return code >= 49 && code <= 57 ? 48 : code;
}
