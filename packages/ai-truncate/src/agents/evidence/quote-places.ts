import { SHOWN_LINE } from '../../search/matches.ts';
import { PREVIEW_TAG } from '../../text/frame.ts';
import { bytePieces, codePointStart, countNewlineBytes, countNewlines, firstChars } from '../../text/utf.ts';
import { endOutsideSequence, escapeSequencesIn, MAX_CUT_SEQUENCE, visibleText } from '../../text/visible-text.ts';
import { MAX_QUOTE_CHARS } from './evidence.ts';
import { type QuotePattern, REACH_CHARS } from './quote-pattern.ts';

/** A part of an artifact in which quotes are searched. */
export interface QuotedText {
  /** As it is stored, without the carriage returns of line ends. */
  raw: string;
  /** The same as readers show it, in NFC. Line feeds are where they were. */
  shown: string;
  /** The number of its first line. */
  firstLine: number;
  /** Whether it begins at the start of a line, and ends at the end of a line. */
  isBegun: boolean;
  isEnded: boolean;
}

/** A text whose shown form is made once, and only if a quote may be in it. */
export function quotedText(stored: string, place: Omit<QuotedText, 'raw' | 'shown'>): QuotedText {
  // A cut escape sequence would be shown as text, and a quote could begin or end inside it.
  const whole = place.isEnded ? stored : stored.slice(0, endOutsideSequence(stored));
  const raw = whole.includes('\r') ? whole.replace(/\r(?=\n|$)/g, '') : whole;
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

/** Most texts are shown as they are stored, unless they contain something that looks like a frame. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;
const FRAMED = new RegExp(`${PREVIEW_TAG}|not shown|times, last in line`, 'i');

/** The bytes that are decoded at a time. */
const PIECE_BYTES = 16 * 1024;
/** A text is made visible in one step, so a much larger one would block the event loop for too long. */
const MIN_TEXT_CHARS = 60 * 1024;
/** Repeated at the start of the next text: twice the longest quote, with room for color codes and a cut sequence. */
const OVERLAP_CHARS = 2 * REACH_CHARS + MAX_CUT_SEQUENCE;

/** The text of an artifact in overlapping parts, so that each short text is whole in one of them. */
export async function* quotedTexts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<QuotedText> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let stored = '';
  let [firstLine, lastLine] = [1, 1];
  let isBegun = true;
  for await (const chunk of chunks) {
    for (const bytes of bytePieces(chunk, PIECE_BYTES)) {
      stored += decoder.decode(bytes, { stream: true });
      // Bytes are counted in a fifth of the time.
      lastLine += countNewlineBytes(bytes, { from: 0, to: bytes.length });
      if (stored.length < MIN_TEXT_CHARS) continue;
      yield quotedText(stored, { firstLine, isBegun, isEnded: false });
      stored = stored.slice(startOutsideSequence(stored, codePointStart(stored, stored.length - OVERLAP_CHARS)));
      firstLine = lastLine - countNewlines(stored, { from: 0, to: stored.length });
      isBegun = false;
    }
  }
  yield quotedText(stored + decoder.decode(), { firstLine, isBegun, isEnded: true });
}

/** The same place, or the start of the escape sequence around it, because the rest of a sequence would be shown as text. */
function startOutsideSequence(text: string, at: number): number {
  const from = Math.max(0, at - MAX_CUT_SEQUENCE);
  const around = escapeSequencesIn(text.slice(from, at + MAX_CUT_SEQUENCE)).find(
    ({ start, end }) => from + start < at && at < from + end,
  );
  return around ? from + around.start : at;
}

/** The lines of a quote and the artifact's text there. */
export interface QuotePlace {
  startLine: number;
  endLine: number;
  text: string;
}

/** The characters where matches may start in one step. It is limited, because the time can grow with text times quote. */
const STEP_CHARS = 8 * 1024;
/** The cost of one match, in addition to its characters. */
const MATCH_COST = 16;
/** The characters that must be known around a place, to see whether a word ends there. */
const MAX_REST_OF_WORD = 40;
const MARGIN: number = MAX_REST_OF_WORD + 4;

/** All places of one wording that do not overlap. Yields `undefined` after each short step, where a pause is possible. */
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
      // Text at a cut is searched in the piece before or after it, because that piece has more of the text.
      const isInside = (isBegun || start >= MARGIN) && (isEnded || end <= text.length - MARGIN);
      if (!isInside || !hasBorders(text, { start, end, pattern })) continue;
      // Readers never show a part of a color code or a link.
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

/** A check whether a place is inside one of these sequences. Places and sequences must be in ascending order. */
function insideOneOf(sequences: readonly { start: number; end: number }[]): (index: number) => boolean {
  let next = 0;
  return (index) => {
    while ((sequences[next]?.end ?? Number.POSITIVE_INFINITY) <= index) next++;
    return (sequences[next]?.start ?? index) < index;
  };
}

function hasBorders(text: string, { start, end, pattern }: PlaceOfPattern): boolean {
  const isFree = pattern.isOpenBefore || !ALPHANUMERIC.test(text.slice(start, start + 2)) || isWordBorder(text, start);
  return isFree && (pattern.isOpenAfter || isWordBorder(text, end));
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
  /** The index at which the numbered lines begin. */
  places: readonly number[];
  pattern: QuotePattern;
  isBegun: boolean;
}

/** Whether each numbered line of the quote is the line with that number in the artifact, from its beginning. */
function hasNumbers(text: string, { start, startLine, places, pattern, isBegun }: NumberedMatch): boolean {
  return places.every((at, index) => {
    const { number, isPart } = pattern.numbered[index] ?? {};
    if (startLine + countNewlines(text, { from: start, to: at }) !== number) return false;
    if (isPart) return isInLongLine(text, at);
    return (at === start && pattern.isOpenBefore) || isLineStart(text, { at, isBegun });
  });
}

/** Whether the line at this place is so long that readers show only parts of it. */
function isInLongLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - SHOWN_LINE), at);
  const after = text.slice(at, at + SHOWN_LINE);
  const end = after.indexOf('\n');
  return before.length - before.lastIndexOf('\n') + (end === -1 ? after.length : end) >= SHOWN_LINE;
}

/** Whether only white space is before this place in its line. */
function isLineStart(text: string, { at, isBegun }: { at: number; isBegun: boolean }): boolean {
  let start = at;
  while (start > 0 && text[start - 1] !== '\n' && SPACE.test(text.charAt(start - 1))) start--;
  return start === 0 ? isBegun : text[start - 1] === '\n';
}

const SPACE = /\s/;

/** The artifact's text at this place. An open end is completed to a whole word, so that `deleted 10…` becomes `deleted 1000`. */
function textOf(text: string, { start, end, pattern }: PlaceOfPattern): string {
  let [from, to] = [start, end];
  while (pattern.isOpenBefore && from > 0 && start - from < MAX_REST_OF_WORD && !isWordBorder(text, from)) from--;
  while (pattern.isOpenAfter && to < text.length && to - end < MAX_REST_OF_WORD && !isWordBorder(text, to)) to++;
  const found = text.slice(codePointStart(text, from), codePointStart(text, to));
  return firstChars(pattern.isExact ? visibleText(found) : found, MAX_QUOTE_CHARS);
}

/**
 * Whether a quote may begin or end at this place, which must not be within a word or a number. For example, `deleted 1000 rows` does
 * not contain `deleted 10`, and `-5` and `1.5` do not contain `5`. Scripts without spaces between words have no such places.
 */
function isWordBorder(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  const after = text.slice(at, at + 2).match(CHARACTER)?.[0] ?? '';
  if (WORD.test(before) && WORD.test(after)) return UNSPACED.test(before) || UNSPACED.test(after);
  if (MARK.test(after)) return before === '';
  // A number continues after a point or a comma. A sign belongs to the number unless it joins words.
  if (DIGIT.test(before) && POINT.test(after)) return !DIGIT.test(text.slice(at + 1, at + 2));
  if (!DIGIT.test(after)) return true;
  const twoBefore = characterBefore(text, at - before.length);
  if (POINT.test(before)) return !DIGIT.test(twoBefore);
  return !SIGN.test(before) || WORD.test(twoBefore);
}

function characterBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - 2), at).match(LAST_CHARACTER)?.[0] ?? '';
}

const CHARACTER = /^./su;
const LAST_CHARACTER = /.$/su;
/** Letters, digits and the sign that joins the words of a name: `not_ready` does not contain `ready`. */
const WORD = /[\p{L}\p{N}_]/u;
const MARK = /\p{M}/u;
const DIGIT = /\p{Nd}/u;
const POINT = /[.,]/;
const SIGN = /[-+−]/;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
