import { requireOption } from '../options.ts';

/**
 * Estimates the number of tokens of a text without a tokenizer. The counts of vocabularies differ by a factor of up to 1.7. The
 * estimate is at least 0.9 times the count of o200k (OpenAI), and at most 1.1 times the largest count of Gemini, Qwen, DeepSeek and
 * Mistral. A text of more than 256 Ki characters is estimated from 64 samples.
 *
 * @example
 * const room = 100_000 - estimateTokens(instructions);
 */
export function estimateTokens(text: string): number {
  requireOption(typeof text === 'string', { option: 'text', value: text, expected: 'a string' });
  const { length } = text;
  if (length <= MOST_READ_CHARS) return Math.ceil(costOf(text, { from: 0, to: length }));
  let cost = 0;
  for (let part = 0; part < PARTS; part++) {
    const from = Math.floor((part * (length - PART_CHARS)) / (PARTS - 1));
    cost += costOf(text, { from, to: from + PART_CHARS });
  }
  return Math.ceil((cost * length) / MOST_READ_CHARS);
}

/** Reading more would block the event loop for too long. */
const MOST_READ_CHARS = 256 * 1024;
const PARTS = 64;
const PART_CHARS = MOST_READ_CHARS / PARTS;

// Costs in tokens. They were fitted to the geometric mean of o200k and the largest of the other vocabularies, over source code, logs,
// JSON, prose in 40 languages and encoded bytes. `bench/tokenizers/count-tokens.mjs` counts the texts of the test with real vocabularies.
const WORD = 0.83;
/** A long word is split. */
const WORD_CHAR_AFTER_6 = 0.15;
/** The cost of a rare pair of letters. Vocabularies join pairs that are common in English, and split other languages, names and base64. */
const RARE_PAIR = 0.5;
const ACCENT = 1;
const CAPITALS = 0.95;
const CAPITAL_AFTER_3 = 0.33;
/** The cost of a digit. Some vocabularies join three digits, others none. */
const NUMBER = 0.9;
const DIGIT = 0.43;
const MARK = 0.7;
const NEXT_MARK = 0.28;
const REPEATED_MARK = 0.12;
const LINE_BREAKS = 0.4;
const TABS = 1.2;
const SPACES = 1.25;
/** A space before a word is part of it. */
const SPACE_BEFORE_OTHER = 1.8;

// Kinds of characters. A kind from `FIRST_SCRIPT` on has a fixed cost per UTF-16 unit.
const LOWER = 1;
const UPPER = 2;
const DIGITS = 3;
const SPACE = 4;
const BREAK = 5;
const TAB = 6;
const PUNCTUATION = 7;
const ACCENTED_LOWER = 8;
const ACCENTED_UPPER = 9;
const FIRST_SCRIPT = 10;

/** The first and the last code unit of scripts, and the cost of a unit. All other units cost `OTHER_UNIT`. */
const SCRIPTS: readonly (readonly [from: number, to: number, cost: number])[] = [
  [0x0370, 0x03ff, 0.65], // Greek
  [0x0400, 0x052f, 0.32], // Cyrillic
  [0x0530, 0x058f, 0.6], // Armenian
  [0x0590, 0x05ff, 0.5], // Hebrew
  [0x0600, 0x077f, 0.42], // Arabic
  [0x0900, 0x0dff, 0.72], // Devanagari and other scripts of India
  [0x0e00, 0x0e7f, 0.5], // Thai
  [0x0e80, 0x109f, 1.1], // Lao, Tibetan, Burmese
  [0x10a0, 0x10ff, 0.6], // Georgian
  [0x1100, 0x11ff, 0.77], // Hangul
  [0x1200, 0x139f, 2.4], // Ethiopic
  [0x1780, 0x17ff, 1.1], // Khmer
  [0x1f00, 0x1fff, 0.65], // Greek
  [0x2010, 0x2dff, 1], // quotes, arrows, lines, signs
  [0x3000, 0x303f, 0.9], // punctuation of East Asia
  [0x3040, 0x30ff, 0.6], // kana
  [0x3400, 0x9fff, 0.88], // Chinese characters
  [0xac00, 0xd7af, 0.77], // Hangul
  [0xd800, 0xdfff, 1.36], // halves of pairs: emoji
  [0xff00, 0xffef, 0.9], // full width
];
const OTHER_UNIT = 1.5;

/** After each letter, the letters that are common in English. */
const COMMON_PAIRS =
  'a:bcdgilmnprstuy b:aelou c:aehklortu d:aeiou e:acdeflmnpqrstvx f:aeiou g:eip h:aeiot i:abcdefglmnoprstvz j:s k:e l:adeilostuy ' +
  'm:aeiop n:acdegiostuv o:cdfklmnoprstuvw p:aeiloprstu q:u r:aceikmnorstuy s:acehiopstu t:aehioprstuy u:belmnprst v:aei w:ahi x:pt y:p z:o';

interface Tables {
  /** By code unit. */
  kinds: Uint8Array;
  /** The cost of a unit, by kind. */
  costs: Float64Array;
  /** 1 for a rare pair of letters, by the last five bits of both. */
  rarePairs: Uint8Array;
}

let made: Tables | undefined;

function tables(): Tables {
  made ??= { kinds: kindsOfUnits(), costs: Float64Array.from(costsOfKinds()), rarePairs: rarePairs() };
  return made;
}

function kindsOfUnits(): Uint8Array {
  const kinds = new Uint8Array(0x10000).fill(FIRST_SCRIPT);
  kinds.fill(PUNCTUATION, 0, 0x80).fill(LOWER, 0x61, 0x7b).fill(UPPER, 0x41, 0x5b).fill(DIGITS, 0x30, 0x3a);
  kinds[0x20] = SPACE;
  kinds[0x0a] = BREAK;
  kinds[0x0d] = BREAK;
  kinds[0x09] = TAB;
  for (let unit = 0xc0; unit < 0x250; unit++) {
    const letter = String.fromCharCode(unit);
    const isUpper = letter !== letter.toLowerCase();
    if (unit !== 0xd7 && unit !== 0xf7) kinds[unit] = isUpper ? ACCENTED_UPPER : ACCENTED_LOWER;
  }
  kinds.fill(ACCENTED_LOWER, 0x1e00, 0x1f00);
  for (const [index, [from, to]] of SCRIPTS.entries()) kinds.fill(FIRST_SCRIPT + 1 + index, from, to + 1);
  return kinds;
}

function costsOfKinds(): number[] {
  const costs = new Array<number>(FIRST_SCRIPT).fill(0);
  return [...costs, OTHER_UNIT, ...SCRIPTS.map(([, , cost]) => cost)];
}

function rarePairs(): Uint8Array {
  const rare = new Uint8Array(32 * 32).fill(1);
  for (const group of COMMON_PAIRS.split(' ')) {
    for (const second of group.slice(2)) rare[pairOf(group.charCodeAt(0), second.charCodeAt(0))] = 0;
  }
  return rare;
}

/** The same number for a pair in upper and in lower case. */
function pairOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31);
}

/** One pass over runs of characters of one kind. It is a single function because a call per run would take twice as long. */
function costOf(text: string, { from, to }: { from: number; to: number }): number {
  const { kinds, costs, rarePairs } = tables();
  let cost = 0;
  let at = from;
  while (at < to) {
    const unit = text.charCodeAt(at);
    const kind = kinds[unit] ?? 0;
    const start = at++;
    let next = at < to ? (kinds[text.charCodeAt(at)] ?? 0) : BREAK;
    switch (kind) {
      case LOWER:
      case UPPER:
      case ACCENTED_LOWER:
      case ACCENTED_UPPER: {
        let accents = kind >= ACCENTED_LOWER ? 1 : 0;
        let last = unit;
        let rare = 0;
        let isLower = kind === LOWER || kind === ACCENTED_LOWER;
        for (
          ;
          next === LOWER || next === ACCENTED_LOWER || (!isLower && (next === UPPER || next === ACCENTED_UPPER));
        ) {
          const letter = text.charCodeAt(at);
          const wasLower = isLower;
          isLower = next === LOWER || next === ACCENTED_LOWER;
          // In `HTTPServer`, the last capital begins the next word.
          if (isLower && !wasLower && at - start > 1) {
            at--;
            isLower = false;
            break;
          }
          if (next >= ACCENTED_LOWER) accents++;
          else if (last < 0x80) rare += rarePairs[((last & 31) << 5) | (letter & 31)] ?? 0;
          last = letter;
          at++;
          next = at < to ? (kinds[text.charCodeAt(at)] ?? 0) : BREAK;
        }
        const length = at - start;
        if (isLower) cost += WORD + RARE_PAIR * rare + (length > 6 ? (length - 6) * WORD_CHAR_AFTER_6 : 0);
        else cost += CAPITALS + (length > 3 ? (length - 3) * CAPITAL_AFTER_3 : 0);
        cost += accents * ACCENT;
        break;
      }
      case DIGITS:
        while (next === DIGITS) next = ++at < to ? (kinds[text.charCodeAt(at)] ?? 0) : BREAK;
        cost += NUMBER + (at - start) * DIGIT;
        break;
      case SPACE:
        while (next === SPACE) next = ++at < to ? (kinds[text.charCodeAt(at)] ?? 0) : BREAK;
        if (at - start > 1) cost += SPACES;
        else if (next === BREAK || next === DIGITS) cost += SPACE_BEFORE_OTHER;
        break;
      case BREAK:
      case TAB:
        while (next === kind) next = ++at < to ? (kinds[text.charCodeAt(at)] ?? 0) : 0;
        cost += kind === BREAK ? LINE_BREAKS : TABS;
        break;
      case PUNCTUATION: {
        cost += MARK;
        for (let last = unit; next === PUNCTUATION; ) {
          const mark = text.charCodeAt(at);
          cost += mark === last ? REPEATED_MARK : NEXT_MARK;
          last = mark;
          next = ++at < to ? (kinds[text.charCodeAt(at)] ?? 0) : BREAK;
        }
        break;
      }
      default:
        cost += costs[kind] ?? OTHER_UNIT;
    }
  }
  return cost;
}
