import { finished, type Steps } from '../pace.ts';
import { withoutForgedMarks, withoutFrameTags } from './frame.ts';
import { codePointStart } from './utf.ts';

/**
 * The form in which the model sees untrusted text. Color and cursor sequences are removed. Other control, bidi, tag and format
 * characters, which could hide or reorder text, become visible. A lone surrogate becomes U+FFFD. No text can close or open the
 * preview's frame or imitate its marks. Line feeds are preserved, so line numbers stay correct.
 */
export function visibleText(text: string): string {
  return finished(visibleTextInSteps(text));
}

export function* visibleTextInSteps(text: string): Steps<string> {
  return yield* withVisibleSequencesInSteps(withoutEscapeSequences(text));
}

/** The same, but color and cursor sequences become visible too, for text that consists only of them. */
export function withVisibleSequences(text: string): string {
  return finished(withVisibleSequencesInSteps(text));
}

export function* withVisibleSequencesInSteps(text: string): Steps<string> {
  const plain = text.replace(LINE_END_RETURN, '');
  let visible = '';
  for (let from = 0; from < plain.length; ) {
    const end = pieceEnd(plain, from + STEP_CHARS);
    const piece = plain.slice(from, end);
    visible += PRINTABLE_ASCII.test(piece) ? piece : piece.replace(INVISIBLE, toVisible);
    from = end;
    if (from < plain.length) yield;
  }
  return withoutForgedMarks(withoutFrameTags(visible));
}

/** Each character is tested for twenty properties, and hidden ones are replaced. A step takes up to a millisecond. */
const STEP_CHARS = 16 * 1024;

/**
 * The next place where a text can be cut so that its pieces give the same result as the whole. The meaning of a joiner depends
 * on the text before it.
 */
function pieceEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  let end = codePointStart(text, wanted);
  while (JOINER.test(text.charAt(end)) && !JOINERS_IN_A_ROW.test(text.slice(end - 1, end + 1)))
    end = codePointStart(text, end - 1);
  return end;
}

const JOINER = /\u200c|\u200d|\ufe0e|\ufe0f/;
/** The second character becomes visible in either case. */
const JOINERS_IN_A_ROW = /(?:\u200c|\u200d).|(?:\ufe0e|\ufe0f){2}/;

/** Removes only color and cursor sequences, so that search words match. */
export function withoutEscapeSequences(text: string): string {
  return text.replace(ESCAPE_SEQUENCE, '');
}

/** The places of these sequences. */
export function escapeSequencesIn(text: string): { start: number; end: number }[] {
  return Array.from(text.matchAll(ESCAPE_SEQUENCE), ({ index, 0: sequence }) => ({
    start: index,
    end: index + sequence.length,
  }));
}

/** The end of the text without the start of a sequence that was cut. */
export function endOutsideSequence(text: string): number {
  const from = Math.max(0, text.length - MAX_CUT_SEQUENCE);
  const cut = CUT_SEQUENCE.exec(text.slice(from));
  return cut ? from + cut.index : text.length;
}

/** Longer than usual links. A longer sequence is not recognized when a text is cut inside of it. */
export const MAX_CUT_SEQUENCE = 2048;

// Also matches at the end of the text, because the line feed may come after the cut.
const LINE_END_RETURN = /\r(?=\n|$)/g;

// Not `strip-ansi`, because a sequence must never reach past a line feed (an unfinished title sequence would swallow the lines
// up to the next BEL, and every later line number would be wrong), and no start may be scanned twice.
const ESCAPE_SEQUENCE = /* @__PURE__ */ new RegExp(
  [
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]', // colors, cursor moves
    '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x90\\x98\\x9c-\\x9f\\n]*(?:\\x07|\\x1b\\\\|\\x9c)', // titles, links
    '\\x1b[ -/]*[0-~]', // all others, and the start of an unfinished one, whose text stays visible
  ].join('|'),
  'g',
);

/** The beginning of such a sequence at the end of a text. */
const CUT_SEQUENCE = /* @__PURE__ */ new RegExp(
  [
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*$',
    '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x90\\x98\\x9c-\\x9f\\n]*\\x1b?$',
    '\\x1b[ -/]*$',
  ].join('|'),
);

/** Most outputs contain only these characters, and none of them is hidden, so the tests of twenty properties are skipped. */
const PRINTABLE_ASCII = /^[\t\n\x20-\x7e]*$/;

/**
 * Characters that can hide or reorder text, as alternatives of a regular expression with the flag `u`. Tab and line feed are
 * not included. Joiners and variation selectors stay where composed emoji and scripts need them: one of each after a character
 * that is not ASCII. Elsewhere, and in a row, they could carry hidden text.
 */
export const INVISIBLE_CHARACTERS: string = [
  '(?![\\t\\n])\\p{Cc}',
  '[\\u2028\\u2029\\ufff9-\\ufffb]', // separators and annotations
  '(?![\\u200c\\u200d\\ufe0e\\ufe0f])\\p{Default_Ignorable_Code_Point}', // bidi, tags, fillers, soft hyphens
  '(?<![^\\0-\\x7f]|[0-9#*])[\\ufe0e\\ufe0f]',
  '(?<![^\\0-\\x7f])[\\u200c\\u200d]',
  '(?<=[\\u200c\\u200d])[\\u200c\\u200d\\ufe0e\\ufe0f]',
  '(?<=[\\ufe0e\\ufe0f])[\\ufe0e\\ufe0f]',
  '\\p{Surrogate}',
].join('|');

const INVISIBLE = /* @__PURE__ */ new RegExp(INVISIBLE_CHARACTERS, 'gu');

function toVisible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code); // its control picture: ␀ … ␟
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `\\u{${code.toString(16)}}`;
}
