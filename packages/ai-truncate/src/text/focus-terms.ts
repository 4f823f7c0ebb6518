import { foldWord, Words } from './words.ts';

/** Something that a question names: a word, or a sequence of words such as a timestamp, a path or `licenseKey`. */
export interface FocusTerm {
  /** As written in the question. */
  text: string;
  /** Its folded words, in order. */
  words: readonly string[];
  /** 1 for the last question, and less for earlier questions and for the arguments of the call. */
  weight: number;
}

/** More terms would slow down a scan, and the first ones usually state the subject of a question. */
export const MAX_TERMS = 64;
/** The most words of a term. A longer sequence becomes two terms. */
const MAX_WORDS = 6;
/** The characters of each message that are read, half from each end. */
export const MAX_MESSAGE_CHARS: number = 16 * 1024;
const MAX_TERM_CHARS = 200;
const EARLIER_WEIGHT = 0.5;

/** Question words and other words without a subject. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be because been before being between both but by can could did do does doing ' +
    'done during each few find for from get give had has have having he her here him his how i if in into is it its just let ' +
    'list look many me more most much my no not now of on only or our out over please same say see she should show so some ' +
    'tell than that the their them then there these they this those to too under up us use was we were what when where ' +
    'which while who whose why will with would you your'
  )
    .split(' ')
    .map(foldWord),
);

/**
 * The terms of several texts, the most specific first: terms of several words and with digits, and then the longest. If there are
 * too many, terms of the first texts are preferred.
 */
export function focusTerms(texts: readonly string[]): FocusTerm[] {
  const terms = new Map<string, FocusTerm & { rank: number; size: number }>();
  const add = (text: string, words: readonly string[], rank: number): void => {
    const key = words.join(' ');
    if (terms.has(key)) return;
    const isTelling = words.length > 1 || /\p{Nd}/u.test(key);
    const size = key.length + (isTelling ? MAX_TERM_CHARS : 0);
    terms.set(key, { text, words, weight: rank === 0 ? 1 : EARLIER_WEIGHT, rank, size });
  };
  for (const [rank, text] of texts.entries()) {
    for (const run of runsOf(bothEnds(text))) addRun(run, (shown, words) => add(shown, words, rank));
  }
  return [...terms.values()]
    .sort((one, other) => other.size - one.size || one.rank - other.rank)
    .slice(0, MAX_TERMS)
    .map(({ text, words, weight }) => ({ text, words, weight }));
}

function bothEnds(text: string): string {
  if (text.length <= MAX_MESSAGE_CHARS) return text;
  return `${text.slice(0, MAX_MESSAGE_CHARS / 2)} ${text.slice(-MAX_MESSAGE_CHARS / 2)}`;
}

/** The parts between white space, and the parts in quotation marks. */
function runsOf(text: string): string[] {
  const quoted = text.match(/"[^"\n]{2,120}"|`[^`\n]{2,120}`|“[^”\n]{2,120}”|「[^」\n]{2,120}」/g) ?? [];
  return [...quoted, ...text.split(/\s+/)];
}

function addRun(run: string, add: (text: string, words: readonly string[]) => void): void {
  const found: { text: string; word: string }[] = [];
  const part = run.slice(0, MAX_TERM_CHARS);
  const words = new Words();
  words.read(part, { from: 0, to: part.length });
  while (words.next()) {
    const text = part.slice(words.start, words.end);
    found.push({ text, word: foldWord(text) });
  }
  const spelled = found.map(({ word }) => word);
  for (const { text, word } of found) if (isTelling(word, found.length > 1)) add(text, [word]);
  if (found.length > 1 && spelled.some((word) => isTelling(word, false))) {
    for (let from = 0; from < spelled.length; from += MAX_WORDS) {
      // The last part has the same length as the others, so that it is as specific.
      const start = Math.max(0, Math.min(from, spelled.length - MAX_WORDS));
      add(part, spelled.slice(start, start + MAX_WORDS));
    }
    const joined = found.map(({ text }) => text).join('');
    // `licenseKey` may be `licensekey`, and `12,345` is 12345.
    if (joined === run || /^\W?\d{1,3}(?:,\d{3})+\W?$/.test(run)) add(part, [foldWord(joined)]);
  }
  const number = /^\W?(\d{4,15})\W?$/.exec(run)?.[1];
  if (number !== undefined) add(number, number.replace(/\B(?=(?:\d{3})+$)/g, ' ').split(' '));
}

/** Every timestamp contains numbers of two digits, so they are used only as parts of a longer term. */
function isTelling(word: string, isPart: boolean): boolean {
  if (STOP_WORDS.has(word)) return false;
  return /^\p{Nd}+$/u.test(word) ? !isPart || word.length > 2 : word.length > 1;
}
