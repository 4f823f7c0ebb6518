// Splits text into words that can be compared in any spelling: case, width, camelCase, snake_case and English endings. A question
// and an output are split by the same function, so that both sides always agree.

const SEPARATOR = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** Chinese, Japanese and Korean have no spaces, so each pair of neighboring characters is a word. */
const CJK = 4;
/** Combining marks belong to the previous letter. */
const MARK = 5;
const UNKNOWN = 255;

const classes: Uint8Array = new Uint8Array(65_536).fill(UNKNOWN);
for (let code = 0; code < 128; code++) classes[code] = classOf(code);

const IS_CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;

function classOf(code: number): number {
  const character = String.fromCharCode(code);
  // Astral characters are mostly emoji.
  if (/\p{Surrogate}/u.test(character)) return SEPARATOR;
  if (code >= 128 && IS_CJK.test(character)) return CJK;
  if (/\p{N}/u.test(character)) return DIGIT;
  if (/\p{Lu}/u.test(character)) return UPPER;
  if (/\p{L}/u.test(character)) return LOWER;
  return /\p{M}/u.test(character) ? MARK : SEPARATOR;
}

/** The place and the spelling of a word. */
export interface Word {
  start: number;
  end: number;
  /** A number of 30 bits. */
  spelling: number;
}

const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

/**
 * Finds the words of a text: sequences of letters and digits, split where camelCase starts a new word. The `T` and the `Z` of a
 * timestamp do not belong to a word. It is an object instead of a callback or an iterator, because an output of 500 MB has a
 * hundred million words.
 */
export class Words implements Word {
  /** The last word. */
  start = 0;
  end = 0;
  spelling = 0;
  hasDigit = false;
  #text = '';
  #at = 0;
  #to = 0;
  #isInPairs = false;

  read(text: string, { from, to }: { from: number; to: number }): void {
    this.#text = text;
    this.#at = from;
    this.#to = to;
    this.#isInPairs = false;
  }

  /** Continues with the next word. Returns false at the end. */
  next(): boolean {
    const text = this.#text;
    const to = this.#to;
    let at = this.#at;
    let kind = SEPARATOR;
    for (; at < to; at++) {
      kind = kindAt(text, at);
      if (kind !== SEPARATOR && kind !== MARK) break;
      this.#isInPairs = false;
    }
    if (at === to) {
      this.#at = at;
      return false;
    }
    if (kind === CJK) return this.#nextPair(at);
    this.#isInPairs = false;
    this.start = at;
    let last = kind;
    let hasDigit = kind === DIGIT;
    let spelling = Math.imul(text.charCodeAt(at) ^ SEED, PRIME);
    /** The spelling without its last character. */
    let before = spelling;
    let end = -1;
    for (at++; at < to; at++) {
      const code = text.charCodeAt(at);
      kind = classes[code] as number;
      if (kind === LOWER) {
        // The last capital of `HTTPServer` starts the next word.
        if (last === UPPER && at - 1 > this.start) {
          end = at = at - 1;
          spelling = before;
          break;
        }
        last = LOWER;
      } else if (kind === DIGIT) {
        hasDigit = true;
        last = DIGIT;
      } else if (kind === UPPER) {
        if (last === DIGIT && isPartOfTime(text, at)) {
          end = at++;
          break;
        }
        if (last === LOWER) break;
        last = UPPER;
      } else if (kind === UNKNOWN) {
        classes[code] = classOf(code);
        at--;
        continue;
      } else if (kind !== MARK) break;
      before = spelling;
      spelling = Math.imul(spelling ^ code, PRIME);
    }
    this.end = end < 0 ? at : end;
    this.#at = at;
    this.spelling = spelling & SMALL;
    this.hasDigit = hasDigit;
    return true;
  }

  /** Two neighboring characters of a text without spaces. A single character is also a word. */
  #nextPair(at: number): boolean {
    const text = this.#text;
    const isPair = at + 1 < this.#to && kindAt(text, at + 1) === CJK;
    // The second character of the last pair was the last of its run.
    if (!isPair && this.#isInPairs) {
      this.#isInPairs = false;
      this.#at = at + 1;
      return this.next();
    }
    this.#isInPairs = isPair;
    this.start = at;
    this.end = at + (isPair ? 2 : 1);
    this.#at = at + 1;
    this.hasDigit = false;
    this.spelling = (Math.imul(text.charCodeAt(at) ^ PRIME, PRIME) ^ text.charCodeAt(this.end - 1)) & SMALL;
    return true;
  }
}

const SEED = 0x1e3779b9;
const PRIME = 0x01000193;
/** Larger numbers would be heap objects, one for each word. */
const SMALL = 0x3fffffff;

/** The spelling of a word of letters and digits. */
export function spellingOf(text: string, { start, end }: Pick<Word, 'start' | 'end'>): number {
  let spelling = Math.imul(text.charCodeAt(start) ^ SEED, PRIME);
  for (let at = start + 1; at < end; at++) spelling = Math.imul(spelling ^ text.charCodeAt(at), PRIME);
  return spelling & SMALL;
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const kind = classes[code] as number;
  if (kind !== UNKNOWN) return kind;
  classes[code] = classOf(code);
  return classes[code] as number;
}

/** The `T` or `Z` of a timestamp, which comes after a digit. */
function isPartOfTime(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === LETTER_T) return kindAt(text, at + 1) === DIGIT;
  return code === LETTER_Z && !isLetterOrDigit(kindAt(text, at + 1));
}

function isLetterOrDigit(kind: number): boolean {
  return kind === LOWER || kind === UPPER || kind === DIGIT;
}

const MIN_STEM = 3;

/** The form in which words are compared: `failure` for `Failures`, and the same form for `retries` and `retry`. */
export function foldWord(word: string): string {
  let stem = word.normalize('NFKC').toLowerCase();
  if (/^\p{Nd}/u.test(stem)) return stem;
  if (stem.length > MIN_STEM && stem.endsWith('s') && !stem.endsWith('ss')) stem = stem.slice(0, -1);
  const ending = ['ing', 'ed', 'e'].find((each) => stem.endsWith(each) && stem.length - each.length >= MIN_STEM);
  if (ending !== undefined) stem = stem.slice(0, -ending.length);
  if (stem.length > MIN_STEM && stem.endsWith('y')) stem = `${stem.slice(0, -1)}i`;
  // `stopped` loses its ending and then the doubled letter, so that it equals `stop`.
  return stem.length > 2 && stem.at(-1) === stem.at(-2) && /[a-z]$/.test(stem) ? stem.slice(0, -1) : stem;
}
