import { SHOWN_LINE } from '../../search/excerpt.ts';
import { codePointStart, firstChars } from '../../text/utf.ts';
import { escapeSequencesIn, visibleText } from '../../text/visible-text.ts';
import { lineCounter } from './line-counter.ts';
import { MAX_QUOTE_CHARS } from './quote.ts';
import { quotePattern } from './quote-pattern.ts';
import type { QuotedLine, QuoteWording } from './quote-wordings.ts';
import type { QuotedText } from './quoted-text.ts';
import { isWordBorder } from './word-border.ts';

/** Where a quote stands, and what stands there: the artifact's own text, whatever the quote was. */
export interface QuotePlace {
  startLine: number;
  endLine: number;
  text: string;
}

/** What is looked at in one step, from where matches start; they may reach further. Long enough for any quote, in any layout. */
const STEP_CHARS = 8 * 1024;
export const REACH_CHARS: number = 4 * 1024;

/** What has to be known around a place, to tell words that end there from those that go on. */
const MAX_REST_OF_WORD = 40;
const MARGIN: number = MAX_REST_OF_WORD + 4;

/** All places of one wording, not those that lie in others. Nothing, where a pause may be made: so far no step was long. */
export function* placesOfWording(
  { raw, shown, firstLine, isBegun, isEnded }: QuotedText,
  { wording, pattern }: { wording: QuoteWording; pattern: RegExp },
): Generator<QuotePlace | undefined> {
  const text = wording.isExact ? raw : shown;
  const [starts, ends] = [lineCounter(text, firstLine), lineCounter(text, firstLine)];
  const sequences = wording.isExact ? escapeSequencesIn(text) : [];
  const [isStartInside, isEndInside] = [insideOneOf(sequences), insideOneOf(sequences)];
  const numbered = wording.lines.filter(({ number, text: line }) => number !== undefined && line.trim() !== '');
  let from = 0;
  for (let step = 0; step < text.length; step += STEP_CHARS) {
    // An expression takes time in proportion to the text times the quote, when both are made for that: so, a piece at a time.
    const base = codePointStart(text, step);
    const piece = text.slice(base, step + STEP_CHARS + REACH_CHARS);
    pattern.lastIndex = Math.max(0, from - base);
    for (let match = pattern.exec(piece); match; match = pattern.exec(piece)) {
      const start = base + match.index;
      const end = start + match[0].length;
      from = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
      pattern.lastIndex = from - base;
      // What stands at a cut is looked for in the text before or behind it, which has more of it.
      const isInside = (isBegun || start >= MARGIN) && (isEnded || end <= text.length - MARGIN);
      if (!isInside || !hasBorders(text, { start, end, wording })) continue;
      // The text of a colour or a link, without its start, is nothing that readers show.
      if (isStartInside(start) || isEndInside(end)) continue;
      const [startLine, endLine] = [starts.at(start), ends.at(end - 1)];
      // Of most places the numbers of a reader need not be looked for to know that they are others.
      const isPossible = numbered.every(({ number = 0 }) => number >= startLine && number <= endLine);
      if (!isPossible || !hasNumbers(text, { start, startLine, wording, numbered, isBegun })) continue;
      from = end;
      pattern.lastIndex = from - base;
      yield { startLine, endLine, text: textOf(text, { start, end, wording }) };
    }
    yield undefined;
  }
}

/** Whether a place of a text is inside one of these sequences. Places and sequences come in their order. */
function insideOneOf(sequences: readonly { start: number; end: number }[]): (index: number) => boolean {
  let next = 0;
  return (index) => {
    while ((sequences[next]?.end ?? Number.POSITIVE_INFINITY) <= index) next++;
    return (sequences[next]?.start ?? index) < index;
  };
}

function hasBorders(
  text: string,
  { start, end, wording }: { start: number; end: number; wording: QuoteWording },
): boolean {
  const isBegun = wording.isOpenBefore || !ALPHANUMERIC.test(text.slice(start, start + 2)) || isWordBorder(text, start);
  return isBegun && (wording.isOpenBehind || isWordBorder(text, end));
}

const ALPHANUMERIC = /^[\p{L}\p{N}]/u;

/** A reader numbers lines right, so one that was numbered by a reader is the line of that number, from its beginning. */
function hasNumbers(
  text: string,
  {
    start,
    startLine,
    wording,
    numbered,
    isBegun,
  }: { start: number; startLine: number; wording: QuoteWording; numbered: readonly QuotedLine[]; isBegun: boolean },
): boolean {
  if (numbered.length === 0) return true;
  const pattern = quotePattern(wording, { marksLines: true });
  pattern.lastIndex = start;
  const match = pattern.exec(text);
  const lines = lineCounter(text.slice(start), startLine);
  return numbered.every(({ number, isPart }, index) => {
    const at = match?.indices?.[index + 1]?.[0];
    if (at === undefined || lines.at(at - start) !== number) return false;
    const feed = text.lastIndexOf('\n', at - 1);
    if (isPart) return (text.indexOf('\n', at) + 1 || text.length + 1) - feed > SHOWN_LINE;
    if (at === start && wording.isOpenBefore) return true;
    return (feed !== -1 || isBegun) && text.slice(feed + 1, at).trim() === '';
  });
}

/** A wording that was open at an end is closed with the rest of the word: `deleted 10…` is not what `deleted 1000` says. */
function textOf(text: string, { start, end, wording }: { start: number; end: number; wording: QuoteWording }): string {
  let [from, to] = [start, end];
  while (wording.isOpenBefore && from > 0 && start - from < MAX_REST_OF_WORD && !isWordBorder(text, from)) from--;
  while (wording.isOpenBehind && to < text.length && to - end < MAX_REST_OF_WORD && !isWordBorder(text, to)) to++;
  const found = text.slice(codePointStart(text, from), codePointStart(text, to));
  return firstChars(wording.isExact ? visibleText(found) : found, MAX_QUOTE_CHARS);
}
