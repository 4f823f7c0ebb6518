import { codePointStart } from '../text/utf.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonScanner,
  LITERAL,
  NONE,
  OPEN_ARRAY,
  OPEN_OBJECT,
} from './json-scanner.ts';

const CHUNK_LENGTH = 64 * 1024;

/**
 * Compact JSON text with line breaks and two spaces per level, up to 64 levels, in chunks that are produced as they are pulled.
 * The text equals the text of `serialize` with the same indent. It is not parsed, because V8 can return a wrong name for an
 * escaped key (nodejs/node#63785).
 */
export function* indentedJson(json: string): Generator<string> {
  const scanner = new JsonScanner();
  scanner.feed(json);
  let chunk = '';
  let level = 0;
  let isOpened = false;
  for (let token = scanner.next(); token !== NONE; token = scanner.next()) {
    const isOpening = token === OPEN_ARRAY || token === OPEN_OBJECT;
    const isClosing = token === CLOSE_ARRAY || token === CLOSE_OBJECT;
    if (isClosing) level--;
    if (isOpened !== isClosing) chunk += lineBreak(level);
    chunk += token === COLON ? ': ' : scanner.raw;
    if (token === COMMA) chunk += lineBreak(level);
    if (isOpening) level++;
    isOpened = isOpening;
    while (chunk.length >= CHUNK_LENGTH) {
      const end = codePointStart(chunk, CHUNK_LENGTH);
      yield chunk.slice(0, end);
      chunk = chunk.slice(end);
    }
  }
  // The whole text is a single word.
  if (scanner.open === LITERAL) chunk += scanner.raw;
  if (chunk !== '') yield chunk;
}

/** Deeper levels have no more spaces, because 2 MB of text that is nested 500 levels deep would become 1 GB. */
export const MAX_INDENTED_LEVELS = 64;

/** Compact text, which has an indent of 0, has no line breaks. */
export function lineBreak(level: number, indent = 2): string {
  return indent > 0 ? `\n${' '.repeat(indent * Math.min(level, MAX_INDENTED_LEVELS))}` : '';
}
