import { codePointStart } from '../text/utf.ts';

const CHUNK_LENGTH = 64 * 1024;
const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Compact JSON text with line breaks and two spaces per level, in chunks that are made as they are pulled. The text is that of
 * `serialize` with the same indent. It is not parsed: V8 can return a wrong name for an escaped key (nodejs/node#63785).
 */
export function* indentedJson(json: string): Generator<string> {
  const layout = new JsonLayout(2);
  let chunk = '';
  let level = 0;
  for (let at = 0; at < json.length; ) {
    const end = endOfToken(json, at);
    const token = json.slice(at, end);
    at = end;
    if (token === '[' || token === '{') {
      const isEmpty = json[at] === ']' || json[at] === '}';
      if (isEmpty) at++;
      else level++;
      chunk += isEmpty ? (token === '[' ? '[]' : '{}') : token + layout.lineBreak(level);
    } else if (token === ']' || token === '}') {
      if (layout.isIndented(level)) chunk += layout.lineBreak(level - 1);
      level--;
      chunk += token;
    } else if (token === ',') {
      chunk += token + layout.lineBreak(level);
    } else {
      chunk += token === ':' && layout.isIndented(level) ? ': ' : token;
    }
    while (chunk.length >= CHUNK_LENGTH) {
      const end = codePointStart(chunk, CHUNK_LENGTH);
      yield chunk.slice(0, end);
      chunk = chunk.slice(end);
    }
  }
  if (chunk !== '') yield chunk;
}

/** A token is a punctuation mark, a string with its quotes, or a number or word. */
function endOfToken(json: string, start: number): number {
  if (json.charCodeAt(start) === QUOTE) return endOfString(json, start);
  let end = start + 1;
  if (!isPunctuation(json[start])) while (end < json.length && !isPunctuation(json[end])) end++;
  return end;
}

function isPunctuation(character: string | undefined): boolean {
  return character !== undefined && '[]{},:'.includes(character);
}

function endOfString(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(json: string, index: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** Deeper than this nothing is indented: at depth 1,000,000 the spaces alone would be quadratic. */
const MAX_INDENTED_LEVELS = 64;

/** Where the lines of a JSON text break, as `JSON.stringify` does with the same `indent`. */
export class JsonLayout {
  readonly indent: number;
  readonly #lineBreaks: readonly string[];

  constructor(indent: number) {
    this.indent = Math.min(Math.max(Math.floor(indent) || 0, 0), 10);
    const levels = this.indent > 0 ? MAX_INDENTED_LEVELS + 1 : 0;
    this.#lineBreaks = Array.from({ length: levels }, (_, level) => `\n${' '.repeat(level * this.indent)}`);
  }

  isIndented(level: number): boolean {
    return level < this.#lineBreaks.length;
  }

  /** What stands before a value of that level; nothing where nothing is indented. */
  lineBreak(level: number): string {
    return this.isIndented(level) ? (this.#lineBreaks[level] as string) : '';
  }

  /** How many levels of a value at `level` look alike: all indented or none. */
  levelsFrom(level: number): number {
    return this.isIndented(level + 1) ? MAX_INDENTED_LEVELS - level : Number.POSITIVE_INFINITY;
  }
}
