import { INVISIBLE_CHARACTERS } from '../../text/invisible-characters.ts';
import { endOutsideSequence, withVisibleSequences } from '../../text/visible-text.ts';

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
  const bare = isExact ? [] : withoutAdditions(asItIs);
  return [asItIs, ...bare].filter(({ lines }) => lines.some(({ text }) => SAYS_SOMETHING.test(text)));
}

/** What a quote says, at the least: all wordings hold it. */
export function barestText(wordings: readonly QuoteWording[]): string {
  return (wordings.at(-1)?.lines ?? []).map(({ text }) => text).join('\n');
}

const HIDDEN = new RegExp(INVISIBLE_CHARACTERS, 'u');
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** As readers write it: no sign, no leading zero. So most times of day are none. */
const LINE_NUMBER =
  /^\s*([1-9]\d{0,15})(?:(:[1-9]\d{0,15})?(?: \(cursor [^)\s]{1,80}\))?|( \(from character [1-9]\d{0,15}\))): ?/;
const BEGINNING_LEFT_OUT = /^(?:…|\.{3})\s*/;
const END_LEFT_OUT = /\s*(?:…(?: \(this line goes on\))?|\.{3})$/;

function linesOf(text: string): QuotedLine[] {
  return text
    .trim()
    .split('\n')
    .map((line) => ({ text: line }));
}

function withoutAdditions(wording: QuoteWording): QuoteWording[] {
  const texts = wording.lines.map(({ text }) => text).join('\n');
  const lines = withoutNumbers(linesOf(texts.replace(/^`+|`+$/g, '')));
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return [];
  const begun = first.text.replace(BEGINNING_LEFT_OUT, '');
  const isOpenBefore = begun !== first.text;
  first.text = begun;
  const ended = last.text.replace(END_LEFT_OUT, '');
  const isOpenBehind = wording.isOpenBehind || ended !== last.text;
  last.text = ended;
  const isTheSame = lines.map(({ text }) => text).join('\n') === texts;
  return isTheSame ? [] : [{ ...wording, lines, isOpenBefore, isOpenBehind }];
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
