import { firstChars } from '../../text/utf.ts';
import { endOutsideSequence, INVISIBLE_CHARACTERS, withVisibleSequences } from '../../text/visible-text.ts';

/** One way to read a quote. */
export interface QuoteWording {
  lines: QuotedLine[];
  /** Something stood before or behind it that was left out: it may begin or end within a word. */
  isOpenBefore: boolean;
  isOpenBehind: boolean;
  /** It holds what nobody can see, so it may differ in nothing at all from the text that is stored. */
  isExact: boolean;
}

export interface QuotedLine {
  text: string;
  /** The number that a reader put in front of it. It has to be the true one. */
  number?: number;
  /** A reader said at which character it goes on, as it does in long lines alone. */
  isPart?: boolean;
}

/**
 * The ways to read a quote: as it is; then without what readers put around lines (their numbers, the ellipsis of an excerpt) and
 * models around quotes (backticks). One without letters and digits says nothing, and is none.
 */
export function quoteWordings(quote: string, { isCut }: { isCut: boolean }): QuoteWording[] {
  const said = (isCut ? quote.slice(0, endOutsideSequence(quote)) : quote).replace(/\r(?=\n|$)/g, '');
  const isExact = HIDDEN.test(said);
  const asItIs: QuoteWording = {
    lines: linesOf(isExact ? said : withVisibleSequences(said.normalize('NFC'))),
    isOpenBefore: false,
    isOpenBehind: isCut,
    isExact,
  };
  const bare = isExact ? undefined : withoutAdditions(asItIs);
  return [asItIs, ...(bare ? [bare] : [])].filter(({ lines }) => SAYS_SOMETHING.test(textOfLines(lines)));
}

/** What a quote says, at the least: all wordings hold it. */
export function barestText(wordings: readonly QuoteWording[]): string {
  return textOfLines(wordings.at(-1)?.lines ?? []);
}

/** How much a text says: in letters, of which those of Chinese, Japanese and Korean count twice. */
export function weightOf(text: string): number {
  const letters = text.replace(/\s+/g, '');
  return letters.length + (letters.match(WIDE)?.length ?? 0);
}

/** The longest words of a text, as they may be stored. Whoever writes them apart, or in colours, writes no words. */
export function longestWords(text: string): string[][] {
  const plain = text.replace(/\\u\{[0-9a-f]+\}|&lt;/g, ' ');
  const words = plain.match(/[a-z0-9]+/gi) ?? plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const longest = [...words].sort((one, other) => other.length - one.length).slice(0, MAX_WORDS);
  return longest.map((each) => {
    const word = firstChars(each, MAX_WORD_CHARS);
    return [...new Set([word, word.normalize('NFD')])];
  });
}

const MAX_WORDS = 4;
/** Searching a longer one can take time in proportion to its length, because engines look at its last 250 characters only. */
const MAX_WORD_CHARS = 100;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const HIDDEN = new RegExp(INVISIBLE_CHARACTERS, 'u');
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** As readers write it: no sign, no leading zero. So most times of day are none. */
const LINE_NUMBER =
  /^\s*([1-9]\d{0,15})(?:(:[1-9]\d{0,15})?(?: \(cursor [^)\s]{1,80}\))?|( \(from character [1-9]\d{0,15}\))): ?/;
const BEGINNING_LEFT_OUT = /^(?:…|\.{3})\s*/;
const END_LEFT_OUT = /\s*(?:…(?: \(this line goes on\))?|\.{3})$/;

function linesOf(text: string): QuotedLine[] {
  return Array.from(text.trim().split('\n'), (line) => ({ text: line }));
}

function textOfLines(lines: readonly QuotedLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

/** `undefined` for a quote to which nobody added anything. */
function withoutAdditions(wording: QuoteWording): QuoteWording | undefined {
  const text = textOfLines(wording.lines);
  const lines = withoutNumbers(linesOf(text.replace(/^`+|`+$/g, '')));
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return undefined;
  const begun = first.text.replace(BEGINNING_LEFT_OUT, '');
  const isOpenBefore = begun !== first.text;
  first.text = begun;
  const ended = last.text.replace(END_LEFT_OUT, '');
  const isOpenBehind = wording.isOpenBehind || ended !== last.text;
  last.text = ended;
  return textOfLines(lines) === text ? undefined : { ...wording, lines, isOpenBefore, isOpenBehind };
}

/** Only numbers that go on from the first one are a reader's: a line may have one of its own. */
function withoutNumbers(lines: readonly QuotedLine[]): QuotedLine[] {
  let offset: number | undefined;
  return lines.map(({ text }, index) => {
    const [label, digits, column, character] = LINE_NUMBER.exec(text) ?? [];
    if (label === undefined) return { text };
    const number = Number(digits);
    offset ??= number - index;
    if (number - index !== offset) return { text };
    return { text: text.slice(label.length), number, isPart: column !== undefined || character !== undefined };
  });
}

/** How to find a wording of a quote: nothing but white space may differ. */
export interface QuotePattern extends QuoteWording {
  expression: RegExp;
  /** The lines with a number. The expression has an empty group at the beginning of each. */
  numbered: QuotedLine[];
}

/** White space matches any other white space, also a line break. JSON may be laid out differently, but a text in it may not. */
export function quotePattern(wording: QuoteWording): QuotePattern {
  const { lines, isExact } = wording;
  const numbered: QuotedLine[] = [];
  if (isExact) return { ...wording, expression: new RegExp(escaped(textOfLines(lines)), 'gu'), numbered };
  const json = lines.map(({ text }) => jsonTokens(text));
  const isJson = json.every((tokens) => tokens !== undefined) && lines.some(({ text }) => JSON_SIGNS.test(text));
  let source = '';
  let isBehindSign = false;
  for (const [index, line] of lines.entries()) {
    let isBegun = line.number === undefined;
    for (const token of (isJson && json[index]) || [line.text]) {
      const isSign = isJson && PUNCTUATION.test(token);
      for (const [at, word] of token.split(/\s+/).filter(Boolean).entries()) {
        if (source !== '') source += at > 0 || !(isSign || isBehindSign) ? '\\s+' : '\\s*';
        if (!isBegun) numbered.push(line);
        source += isBegun ? escaped(word) : `()${escaped(word)}`;
        isBegun = true;
      }
      isBehindSign = isSign;
    }
  }
  return { ...wording, expression: new RegExp(source, numbered.length > 0 ? 'dgu' : 'gu'), numbered };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** A line as tokens of JSON; `undefined` if it has anything else. */
function jsonTokens(line: string): string[] | undefined {
  return line.replace(JSON_TOKEN, '').trim() === '' ? (line.match(JSON_TOKEN) ?? []) : undefined;
}

/** The last text may have lost its end. */
const JSON_TOKEN = /[{}[\]:,]|"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*|true|false|null/gu;
/** Without one of these it is two numbers, or a time of day. */
const JSON_SIGNS = /["{}[\]]/;
const PUNCTUATION = /^[{}[\]:,]$/;

/** A match reaches no further. Long enough for any quote, in any layout. */
export const REACH_CHARS: number = 4 * 1024;
