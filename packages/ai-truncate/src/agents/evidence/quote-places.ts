import { createLiteralFinder } from '../../search/literals.ts';
import { SHOWN_LINE } from '../../search/matches.ts';
import { PREVIEW_TAG } from '../../text/frame.ts';
import { codePointStart, countNewlines, firstChars } from '../../text/utf.ts';
import { endOutsideSequence, escapeSequencesIn, visibleText } from '../../text/visible-text.ts';
import { MAX_QUOTE_CHARS } from './evidence.ts';
import { countMatchedParts, isSpace, type QuotePattern, type QuoteWording } from './quote-pattern.ts';

/** A part of an artifact in which quotes are looked for. */
export interface QuotedText {
  /** As it is stored, without the carriage returns of line ends. */
  raw: string;
  /** The same as readers show it, in NFC. Line feeds are where they were. */
  shown: string;
  /** The number of the line in which it begins. */
  firstLine: number;
  /** Whether it begins where a line begins, and ends where a line ends. */
  isBegun: boolean;
  isEnded: boolean;
}

/** What it costs to show a text is paid once, and only if a quote may be in it. */
export function quotedText(stored: string, place: Omit<QuotedText, 'raw' | 'shown'>): QuotedText {
  // A sequence that is cut off would be shown as text, and a quote could begin or end inside it.
  const whole = place.isEnded ? stored : stored.slice(0, endOutsideSequence(stored));
  const raw = whole.replace(/\r(?=\n|$)/g, '');
  let shown: string | undefined;
  return {
    ...place,
    raw,
    get shown() {
      shown ??= PLAIN.test(raw) && !FRAMED.test(raw) ? raw : visibleText(raw).normalize('NFC');
      return shown;
    },
  };
}

/** Most texts: nothing in them is shown otherwise, but for what could pass for our own frames. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;
const FRAMED = new RegExp(`${PREVIEW_TAG}|not shown|times, last in line`, 'i');

/** Where a quote stands, and what stands there: the artifact's own text, whatever the quote was. */
export interface QuotePlace {
  startLine: number;
  endLine: number;
  text: string;
}

/** What is compared between two pauses: so that no step is long, whatever the text and the quote. */
const STEP_CHARS = 16 * 1024;
/** What has to be known around a place, to tell words that end there from those that go on. */
const MAX_REST_OF_WORD = 40;
const MARGIN: number = MAX_REST_OF_WORD + 4;

/** All places of one wording, not those that lie in others. Nothing, where a pause may be made. */
export function* placesOfWording(
  { raw, shown, firstLine, isBegun, isEnded }: QuotedText,
  { wording, pattern }: { wording: QuoteWording; pattern: QuotePattern },
): Generator<QuotePlace | undefined> {
  const text = wording.isExact ? raw : shown;
  const sequences = wording.isExact ? escapeSequencesIn(text) : [];
  const [isStartInside, isEndInside] = [insideOneOf(sequences), insideOneOf(sequences)];
  const [first = '', last = ''] = [pattern[0]?.text, pattern.at(-1)?.text];
  const next = createLiteralFinder(text, { texts: [first], ignoreCase: false });
  const starts: number[] = [];
  let [startLine, counted, compared] = [firstLine, 0, 0];
  for (let start = next(0), from = 0; start < text.length; start = next(from)) {
    const matched = countMatchedParts(text, { pattern, start, starts });
    const lastStart = starts[matched - 1] ?? start;
    compared += lastStart - start + 1;
    if (compared > STEP_CHARS) {
      yield undefined;
      compared = 0;
    }
    from = start + 1;
    if (matched < pattern.length) continue;
    const end = lastStart + last.length;
    // What stands at a cut is looked for in the text before or behind it, which has more of it.
    const isInside = (isBegun || start >= MARGIN) && (isEnded || end <= text.length - MARGIN);
    if (!isInside || !hasBorders(text, { start, end, wording })) continue;
    // The text of a colour or a link, without its start, is nothing that readers show.
    if (isStartInside(start) || isEndInside(end)) continue;
    startLine += countNewlines(text, { from: counted, to: start });
    counted = start;
    if (!hasNumbers(text, { starts, startLine, wording, pattern, isBegun })) continue;
    from = end;
    const endLine = startLine + countNewlines(text, { from: start, to: end });
    yield { startLine, endLine, text: textOf(text, { start, end, wording }) };
  }
  yield undefined;
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

interface NumberedMatch {
  /** Where each part of the pattern starts. */
  starts: readonly number[];
  startLine: number;
  wording: QuoteWording;
  pattern: QuotePattern;
  isBegun: boolean;
}

/** A reader numbers lines right, so one that was numbered by a reader is the line of that number, from its beginning. */
function hasNumbers(text: string, { starts, startLine, wording, pattern, isBegun }: NumberedMatch): boolean {
  const [start = 0] = starts;
  return starts.every((at, index) => {
    const { number, isPart } = pattern[index]?.line ?? {};
    if (number === undefined) return true;
    if (startLine + countNewlines(text, { from: start, to: at }) !== number) return false;
    if (isPart) return isInLongLine(text, at);
    return (at === start && wording.isOpenBefore) || isLineStart(text, { at, isBegun });
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
  while (start > 0 && text[start - 1] !== '\n' && isSpace(text.charCodeAt(start - 1))) start--;
  return start === 0 ? isBegun : text[start - 1] === '\n';
}

/** A wording that was open at an end is closed with the rest of the word: `deleted 10…` is not what `deleted 1000` says. */
function textOf(text: string, { start, end, wording }: { start: number; end: number; wording: QuoteWording }): string {
  let [from, to] = [start, end];
  while (wording.isOpenBefore && from > 0 && start - from < MAX_REST_OF_WORD && !isWordBorder(text, from)) from--;
  while (wording.isOpenBehind && to < text.length && to - end < MAX_REST_OF_WORD && !isWordBorder(text, to)) to++;
  const found = text.slice(codePointStart(text, from), codePointStart(text, to));
  return firstChars(wording.isExact ? visibleText(found) : found, MAX_QUOTE_CHARS);
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
