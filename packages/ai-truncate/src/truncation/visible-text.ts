/** The tag that frames a preview in the text a model reads. */
export const PREVIEW_TAG = 'tool-output-preview';

/**
 * What a model may see of untrusted text: colour and cursor sequences are removed; other control, bidi, tag and format
 * characters, with which text can hide or reorder itself, become visible; a lone surrogate becomes U+FFFD; nothing can
 * close or open the preview's frame. Line feeds stay where they are, so line numbers hold.
 */
export function visibleText(text: string): string {
  const plain = text.replace(LINE_END_RETURN, '').replace(ESCAPE_SEQUENCE, '');
  return plain.replace(INVISIBLE, toVisible).replace(FRAME_TAG, '&lt;');
}

/** Removes colour and cursor sequences only: what search words are matched against. */
export function withoutEscapeSequences(text: string): string {
  return text.replace(ESCAPE_SEQUENCE, '');
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

const INVISIBLE = new RegExp(
  [
    '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]', // control characters but tab and line feed
    '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]', // bidi
    '[\\u200b\\u2028\\u2029\\u2060-\\u2064\\ufeff\\ufff9-\\ufffb]', // separators and format characters without a face
    '[\\u{e0000}-\\u{e0fff}]', // tags and supplementary variation selectors: invisible letters
    '\\p{Surrogate}',
  ].join('|'),
  'gu',
);

const FRAME_TAG = new RegExp(`<(?=[\\s/]*${PREVIEW_TAG})`, 'gi');

function toVisible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code); // its control picture: ␀ … ␟
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `\\u{${code.toString(16)}}`;
}
