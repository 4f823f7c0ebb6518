import { codePointStart, isHighSurrogate } from './utf.ts';

/** After these numbers of bytes, a passage ends at the end of a sentence, at the end of a word, or at any character. */
const SENTENCE_BYTES = 320;
const WORD_BYTES = 480;
export const MAX_PASSAGE_BYTES = 580;

/** The end of a line, or of its first part if it is long. */
export function endOfLine(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const end = feed === -1 ? text.length : feed + 1;
  return Math.min(end, codePointStart(text, from + MAX_PASSAGE_BYTES));
}

/** The end of a passage: after a sentence if possible, or after a word. */
export function endOfPassage(text: string, from: number): number {
  let bytes = 0;
  let wasSpace = true;
  let isSentenceEnd = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) {
      if (!wasSpace && (bytes > WORD_BYTES || (bytes > SENTENCE_BYTES && isSentenceEnd))) return at;
      bytes += wasSpace ? 0 : 1;
      wasSpace = true;
      continue;
    }
    wasSpace = false;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    isSentenceEnd = isStop(code) || (isSentenceEnd && isAfterStop(code));
    const isWideEnd = code === 0x3002 || code === 0xff01 || code === 0xff1f;
    if (isWideEnd && bytes > SENTENCE_BYTES) return at + 1;
    if (bytes > MAX_PASSAGE_BYTES && !isHighSurrogate(code)) return at + 1;
  }
  return text.length;
}

function isStop(code: number): boolean {
  return code === 0x2e || code === 0x21 || code === 0x3f;
}

/** Quotes, brackets and the numbers of notes, such as `[46]`. */
function isAfterStop(code: number): boolean {
  return (
    code === 0x22 || code === 0x27 || code === 0x29 || code === 0x5b || code === 0x5d || (code >= 48 && code <= 57)
  );
}
