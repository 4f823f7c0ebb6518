import { firstChars } from '../../text/utf.ts';
import { endOutsideSequence, INVISIBLE_CHARACTERS, withVisibleSequences } from '../../text/visible-text.ts';

/** One way to read a quote. */
export interface QuoteWording {
  lines: QuotedLine[];
  /** Text before or after it was left out, so it may begin or end within a word. */
  isOpenBefore: boolean;
  isOpenAfter: boolean;
  /** It contains invisible characters, so it must be equal to the stored text. */
  isExact: boolean;
}

export interface QuotedLine {
  text: string;
  /** The line number that a reader added. It must be the true number. */
  number?: number;
  /** A reader added the number of a character, which it does only in long lines. */
  isPart?: boolean;
}

/**
 * The ways to read a quote: as it is; then without the additions of readers (line numbers, the ellipsis of an excerpt) and of models
 * (backticks). A wording without letters and digits is dropped.
 */
export function quoteWordings(quote: string, { isCut }: { isCut: boolean }): QuoteWording[] {
  const said = (isCut ? quote.slice(0, endOutsideSequence(quote)) : quote).replace(/\r(?=\n|$)/g, '');
  const isExact = HIDDEN.test(said);
  const asItIs: QuoteWording = {
    lines: linesOf(isExact ? said : withVisibleSequences(said.normalize('NFC'))),
    isOpenBefore: false,
    isOpenAfter: isCut,
    isExact,
  };
  const bare = isExact ? undefined : withoutAdditions(asItIs);
  return [asItIs, ...(bare ? [bare] : [])].filter(({ lines }) => SAYS_SOMETHING.test(textOfLines(lines)));
}

/** The text that all wordings contain. */
export function barestText(wordings: readonly QuoteWording[]): string {
  return textOfLines(wordings.at(-1)?.lines ?? []);
}

/** The weight of a text as evidence: its characters without spaces. Chinese, Japanese and Korean ones count twice. */
export function weightOf(text: string): number {
  const letters = text.replace(/\s+/g, '');
  return letters.length + (letters.match(WIDE)?.length ?? 0);
}

/** The longest words of a text, in the forms in which they may be stored. */
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
/** The search for a longer word can take time in proportion to its length, because engines compare only the last 250 characters. */
const MAX_WORD_CHARS = 100;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const HIDDEN = new RegExp(INVISIBLE_CHARACTERS, 'u');
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** As readers write it: no sign and no leading zero, which excludes most times of day. */
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

/** The wording without additions; `undefined` if it has no additions. */
function withoutAdditions(wording: QuoteWording): QuoteWording | undefined {
  const text = textOfLines(wording.lines);
  const lines = withoutNumbers(linesOf(text.replace(/^`+|`+$/g, '')));
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return undefined;
  const begun = first.text.replace(BEGINNING_LEFT_OUT, '');
  const isOpenBefore = begun !== first.text;
  first.text = begun;
  const ended = last.text.replace(END_LEFT_OUT, '');
  const isOpenAfter = wording.isOpenAfter || ended !== last.text;
  last.text = ended;
  return textOfLines(lines) === text ? undefined : { ...wording, lines, isOpenBefore, isOpenAfter };
}

/** Removes numbers that count up from the first one. Other numbers belong to the lines. */
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

/** A wording of a quote and the expression that finds it. Only white space may differ. */
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
  let isAfterSign = false;
  for (const [index, line] of lines.entries()) {
    let isBegun = line.number === undefined;
    for (const token of (isJson && json[index]) || [line.text]) {
      const isSign = isJson && PUNCTUATION.test(token);
      for (const [at, word] of token.split(/\s+/).filter(Boolean).entries()) {
        if (source !== '') source += at > 0 || !(isSign || isAfterSign) ? '\\s+' : '\\s*';
        if (!isBegun) numbered.push(line);
        source += isBegun ? escaped(word) : `()${escaped(word)}`;
        isBegun = true;
      }
      isAfterSign = isSign;
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

/** The last string may have lost its end. */
const JSON_TOKEN = /[{}[\]:,]|"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*|true|false|null/gu;
/** A line without any of these may be numbers or a time of day. */
const JSON_SIGNS = /["{}[\]]/;
const PUNCTUATION = /^[{}[\]:,]$/;

/** The most characters of a match, enough for any quote in any layout. */
export const REACH_CHARS: number = 4 * 1024;
