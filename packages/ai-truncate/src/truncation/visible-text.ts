import { INVISIBLE_CHARACTERS } from './invisible-characters.ts';

/** The tag that frames a preview in the text a model reads. */
export const PREVIEW_TAG = 'tool-output-preview';

/**
 * What a model may see of untrusted text: colour and cursor sequences are removed; other control, bidi, tag and format
 * characters, with which text can hide or reorder itself, become visible; a lone surrogate becomes U+FFFD; nothing can
 * close or open the preview's frame or pass for one of its gap rows. Line feeds stay where they are, so line numbers hold.
 */
export function visibleText(text: string): string {
  return withVisibleSequences(withoutEscapeSequences(text));
}

/** The same, but colour and cursor sequences become visible too: for text that is nothing else. */
export function withVisibleSequences(text: string): string {
  const plain = text.replace(LINE_END_RETURN, '');
  const visible = PRINTABLE_ASCII.test(plain) ? plain : plain.replace(INVISIBLE, toVisible);
  return withoutFrameTags(visible).replace(GAP_ROW, '\\$&');
}

/** Makes the tag that frames a preview plain text. Done twice it changes nothing more. */
export function withoutFrameTags(text: string): string {
  return text.replace(FRAME_TAG, '&lt;');
}

/** Half of a surrogate pair becomes U+FFFD. */
export function wellFormedText(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}

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

// Also at the very end: the line feed may stand behind the cut.
const LINE_END_RETURN = /\r(?=\n|$)/g;

// Ours and not `strip-ansi`: a sequence must never reach over a line feed (an unfinished title sequence would swallow the
// lines up to the next BEL, and every line number after it would be wrong), and no start may be scanned twice.
const ESCAPE_SEQUENCE = new RegExp(
  [
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]', // colours, cursor moves
    '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x90\\x98\\x9c-\\x9f\\n]*(?:\\x07|\\x1b\\\\|\\x9c)', // titles, links
    '\\x1b[ -/]*[0-~]', // everything else, and the start of an unfinished one: its text then shows
  ].join('|'),
  'g',
);

/** Most outputs are nothing else, and nothing in them hides: twenty properties of each character need not be asked. */
const PRINTABLE_ASCII = /^[\t\n\x20-\x7e]*$/;

const INVISIBLE = new RegExp(INVISIBLE_CHARACTERS, 'gu');

const FRAME_TAG = new RegExp(`<(?=[\\s/]*${PREVIEW_TAG})`, 'gi');

/** See `gapRow`. */
const GAP_ROW = /^\.\.\. \[(?=[^\n]*not shown)/gm;

const LONE_SURROGATE = /\p{Surrogate}/gu;

function toVisible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code); // its control picture: ␀ … ␟
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `\\u{${code.toString(16)}}`;
}
