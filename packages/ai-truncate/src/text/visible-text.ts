import { finished, type Steps } from '../pace.ts';
import { withoutForgedMarks, withoutFrameTags } from './frame.ts';
import { codePointStart } from './utf.ts';

/**
 * What a model may see of untrusted text: colour and cursor sequences are removed; other control, bidi, tag and format
 * characters, with which text can hide or reorder itself, become visible; a lone surrogate becomes U+FFFD; nothing can
 * close or open the preview's frame or pass for one of its own marks. Line feeds stay where they are, so line numbers hold.
 */
export function visibleText(text: string): string {
  return finished(visibleTextInSteps(text));
}

export function* visibleTextInSteps(text: string): Steps<string> {
  return yield* withVisibleSequencesInSteps(withoutEscapeSequences(text));
}

/** The same, but colour and cursor sequences become visible too: for text that is nothing else. */
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

/** Twenty properties of each character are asked, and each that hides is replaced: up to a millisecond. */
const STEP_CHARS = 16 * 1024;

/** Where a text can be cut so that the pieces give the same as the whole: what a joiner means depends on what is before it. */
function pieceEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  let end = codePointStart(text, wanted);
  while (JOINER.test(text.charAt(end)) && !JOINERS_IN_A_ROW.test(text.slice(end - 1, end + 1)))
    end = codePointStart(text, end - 1);
  return end;
}

const JOINER = /\u200c|\u200d|\ufe0e|\ufe0f/;
/** The second one is visible in either case. */
const JOINERS_IN_A_ROW = /(?:\u200c|\u200d).|(?:\ufe0e|\ufe0f){2}/;

/** Removes colour and cursor sequences only: what search words are matched against. */
export function withoutEscapeSequences(text: string): string {
  return text.replace(ESCAPE_SEQUENCE, '');
}

/** Where those sequences are. */
export function escapeSequencesIn(text: string): { start: number; end: number }[] {
  return Array.from(text.matchAll(ESCAPE_SEQUENCE), ({ index, 0: sequence }) => ({
    start: index,
    end: index + sequence.length,
  }));
}

/** Where the text ends without the beginning of a sequence that its cut may have left there. */
export function endOutsideSequence(text: string): number {
  const from = Math.max(0, text.length - MAX_CUT_SEQUENCE);
  const cut = CUT_SEQUENCE.exec(text.slice(from));
  return cut ? from + cut.index : text.length;
}

/** Longer than a link to any page. What is longer is not known as a sequence where a text is cut. */
export const MAX_CUT_SEQUENCE = 2048;

// Also at the very end: the line feed may stand behind the cut.
const LINE_END_RETURN = /\r(?=\n|$)/g;

// Ours and not `strip-ansi`: a sequence must never reach over a line feed (an unfinished title sequence would swallow the
// lines up to the next BEL, and every line number after it would be wrong), and no start may be scanned twice.
const ESCAPE_SEQUENCE = /* @__PURE__ */ new RegExp(
  [
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]', // colours, cursor moves
    '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x90\\x98\\x9c-\\x9f\\n]*(?:\\x07|\\x1b\\\\|\\x9c)', // titles, links
    '\\x1b[ -/]*[0-~]', // everything else, and the start of an unfinished one: its text then shows
  ].join('|'),
  'g',
);

/** The beginning of each of those, at the end of a text. */
const CUT_SEQUENCE = /* @__PURE__ */ new RegExp(
  [
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*$',
    '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x90\\x98\\x9c-\\x9f\\n]*\\x1b?$',
    '\\x1b[ -/]*$',
  ].join('|'),
);

/** Most outputs are nothing else, and nothing in them hides: twenty properties of each character need not be asked. */
const PRINTABLE_ASCII = /^[\t\n\x20-\x7e]*$/;

/**
 * What text can hide or reorder itself with, as alternatives of a regular expression with the flag `u`; tab and line feed
 * are not among it. Joiners and variation selectors stay where composed emoji and scripts need them: one of each behind a
 * character that is not ASCII. Anywhere else, and in a row, they could carry what nobody sees.
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
