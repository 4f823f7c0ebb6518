import { INVISIBLE_CHARACTERS } from './invisible-characters.ts';
import { finished, type Steps } from './steps.ts';
import { codePointStart } from './utf.ts';

/** The tag that frames a preview in the text a model reads. */
export const PREVIEW_TAG = 'tool-output-preview';

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
  const unframed = withoutFrameTags(visible);
  return MARK_PARTS.some((part) => unframed.includes(part)) ? unframed.replace(MARK, '\\$&') : unframed;
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

const INVISIBLE = /* @__PURE__ */ new RegExp(INVISIBLE_CHARACTERS, 'gu');

const FRAME_TAG = /* @__PURE__ */ new RegExp(`<(?=[\\s/]*${PREVIEW_TAG})`, 'gi');

/** Any blank looks like a space. */
export const BLANK = '[^\\S\\n]';
/** Words of the repeats of a `salientRow`. */
export const REPEATS = ' times, last in line';
/** The repeats of a `salientRow`, as an alternative of a regular expression. */
export const REPEATS_MARK: string = `\\[(?=\\d[\\d,]*${REPEATS.replaceAll(' ', BLANK)})`;
/** The same for the words of `omission` but those of a member. */
export const OMISSION_MARK: string =
  '…(?= (?:\\[?\\d[\\d,.]* (?:more )?(?:item|member|character)|nested too deep))'.replaceAll(' ', BLANK);

const GAP_START = `"?\\.\\.\\.${BLANK}\\[`;

/** What could pass for `gapRow`, in NDJSON too, for the repeats of a `salientRow`, or for `omission`. */
const MARK = /* @__PURE__ */ new RegExp(
  [
    // The blanks before it are looked at from its end, so that a run of blanks is read once and not from each of its characters.
    `${GAP_START}(?<=^${BLANK}*${GAP_START})(?=[^\\n]*not${BLANK}shown)`,
    `(?<!\\\\)${REPEATS_MARK}`,
    `(?<!\\\\)${OMISSION_MARK}`,
    '(?<!\\\\)"…+"(?=\\s*:\\s*"\\d)',
  ].join('|'),
  'gm',
);
/** Most texts have none of them. */
const MARK_PARTS = ['...', 'times,', '…'];

const LONE_SURROGATE = /\p{Surrogate}/gu;

function toVisible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code); // its control picture: ␀ … ␟
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `\\u{${code.toString(16)}}`;
}
