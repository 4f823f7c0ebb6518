import { SHOWN_LINE } from '../../search/matches.ts';
import { codePointStart, countNewlines, firstChars } from '../../text/utf.ts';
import { escapeSequencesIn, visibleText } from '../../text/visible-text.ts';
import { MAX_QUOTE_CHARS } from './evidence.ts';
import { type QuotePattern, REACH_CHARS } from './quote-pattern.ts';
import type { QuotedText } from './quoted-text.ts';

/** Where a quote stands, and what stands there: the artifact's own text, whatever the quote was. */
export interface QuotePlace {
  startLine: number;
  endLine: number;
  text: string;
}

/** Searched in one step for where matches start, because an expression can take time in proportion to text times quote. */
const STEP_CHARS = 8 * 1024;
/** What it costs to look at one match beyond its characters. */
const MATCH_COST = 16;
/** What has to be known around a place, to tell words that end there from those that go on. */
const MAX_REST_OF_WORD = 40;
const MARGIN: number = MAX_REST_OF_WORD + 4;

/** All places of one wording, not those that lie in others. Nothing, where a pause may be made: no step before it was long. */
export function* placesOfWording(quoted: QuotedText, pattern: QuotePattern): Generator<QuotePlace | undefined> {
  const { isBegun, isEnded } = quoted;
  const { expression, isExact } = pattern;
  const text = isExact ? quoted.raw : quoted.shown;
  const sequences = isExact ? escapeSequencesIn(text) : [];
  const [isStartInside, isEndInside] = [insideOneOf(sequences), insideOneOf(sequences)];
  let [startLine, counted, from, cost] = [quoted.firstLine, 0, 0, 0];
  for (let step = 0; step < text.length; step += STEP_CHARS) {
    const base = codePointStart(text, step);
    const piece = text.slice(base, step + STEP_CHARS + REACH_CHARS);
    for (;;) {
      expression.lastIndex = Math.max(0, from - base);
      const match = expression.exec(piece);
      if (!match) break;
      const start = base + match.index;
      const end = start + match[0].length;
      cost += end - start + MATCH_COST;
      if (cost > STEP_CHARS) {
        yield undefined;
        cost = 0;
      }
      from = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
      // What stands at a cut is looked for in the text before or behind it, which has more of it.
      const isInside = (isBegun || start >= MARGIN) && (isEnded || end <= text.length - MARGIN);
      if (!isInside || !hasBorders(text, { start, end, pattern })) continue;
      // The text of a colour or a link, without its start, is nothing that readers show.
      if (isStartInside(start) || isEndInside(end)) continue;
      startLine += countNewlines(text, { from: counted, to: start });
      counted = start;
      const places = match.indices?.slice(1).map((group) => base + (group?.[0] ?? 0)) ?? [];
      if (!hasNumbers(text, { start, startLine, places, pattern, isBegun })) continue;
      from = end;
      const endLine = startLine + countNewlines(text, { from: start, to: end });
      yield { startLine, endLine, text: textOf(text, { start, end, pattern }) };
    }
    yield undefined;
    cost = 0;
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

function hasBorders(text: string, { start, end, pattern }: PlaceOfPattern): boolean {
  const isFree = pattern.isOpenBefore || !ALPHANUMERIC.test(text.slice(start, start + 2)) || isWordBorder(text, start);
  return isFree && (pattern.isOpenBehind || isWordBorder(text, end));
}

interface PlaceOfPattern {
  start: number;
  end: number;
  pattern: QuotePattern;
}

const ALPHANUMERIC = /^[\p{L}\p{N}]/u;

interface NumberedMatch {
  start: number;
  startLine: number;
  /** Where the numbered lines begin. */
  places: readonly number[];
  pattern: QuotePattern;
  isBegun: boolean;
}

/** A reader numbers lines right, so one that was numbered by a reader is the line of that number, from its beginning. */
function hasNumbers(text: string, { start, startLine, places, pattern, isBegun }: NumberedMatch): boolean {
  return places.every((at, index) => {
    const { number, isPart } = pattern.numbered[index] ?? {};
    if (startLine + countNewlines(text, { from: start, to: at }) !== number) return false;
    if (isPart) return isInLongLine(text, at);
    return (at === start && pattern.isOpenBefore) || isLineStart(text, { at, isBegun });
  });
}

/** Whether its line is one of which readers show parts. */
function isInLongLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - SHOWN_LINE), at);
  const behind = text.slice(at, at + SHOWN_LINE);
  const end = behind.indexOf('\n');
  return before.length - before.lastIndexOf('\n') + (end === -1 ? behind.length : end) >= SHOWN_LINE;
}

/** Whether nothing but white space stands before this place in its line. */
function isLineStart(text: string, { at, isBegun }: { at: number; isBegun: boolean }): boolean {
  let start = at;
  while (start > 0 && text[start - 1] !== '\n' && SPACE.test(text.charAt(start - 1))) start--;
  return start === 0 ? isBegun : text[start - 1] === '\n';
}

const SPACE = /\s/;

/** A wording that was open at an end is closed with the rest of the word: `deleted 10…` is not what `deleted 1000` says. */
function textOf(text: string, { start, end, pattern }: PlaceOfPattern): string {
  let [from, to] = [start, end];
  while (pattern.isOpenBefore && from > 0 && start - from < MAX_REST_OF_WORD && !isWordBorder(text, from)) from--;
  while (pattern.isOpenBehind && to < text.length && to - end < MAX_REST_OF_WORD && !isWordBorder(text, to)) to++;
  const found = text.slice(codePointStart(text, from), codePointStart(text, to));
  return firstChars(pattern.isExact ? visibleText(found) : found, MAX_QUOTE_CHARS);
}

/**
 * Whether a quote may begin or end at this place of a text: not within a word or a number. `deleted 10` does not stand in
 * `deleted 1000 rows`, nor `5` in `-5` or `1.5`. Scripts that put no spaces between words have no such places.
 */
function isWordBorder(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  const behind = text.slice(at, at + 2).match(CHARACTER)?.[0] ?? '';
  if (WORD.test(before) && WORD.test(behind)) return UNSPACED.test(before) || UNSPACED.test(behind);
  if (MARK.test(behind)) return before === '';
  // A number goes on behind a point or a comma; a sign belongs to it, where it joins no words.
  if (DIGIT.test(before) && POINT.test(behind)) return !DIGIT.test(text.slice(at + 1, at + 2));
  if (!DIGIT.test(behind)) return true;
  const twoBefore = characterBefore(text, at - before.length);
  if (POINT.test(before)) return !DIGIT.test(twoBefore);
  return !SIGN.test(before) || WORD.test(twoBefore);
}

function characterBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - 2), at).match(LAST_CHARACTER)?.[0] ?? '';
}

const CHARACTER = /^./su;
const LAST_CHARACTER = /.$/su;
/** With what joins the words of a name: `ready` does not stand in `not_ready`. */
const WORD = /[\p{L}\p{N}_]/u;
const MARK = /\p{M}/u;
const DIGIT = /\p{Nd}/u;
const POINT = /[.,]/;
const SIGN = /[-+−]/;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
