// The characters that decide how a JSON value continues.
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_E = 0x65;

/** Deeper values are left to `JSON.parse`. */
const MAX_DEPTH = 16;

/**
 * A place in a complete JSON text. Skips values and checks their grammar, like `JSON.parse`. `JsonScanner` is for text
 * that arrives in pieces, and checks no grammar.
 */
export class JsonCursor {
  text = '';
  at = 0;
  to = 0;

  /** The next character that is not white space, or NaN at the end. */
  next(): number {
    for (; this.at < this.to; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code > 0x20 || !(code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)) return code;
    }
    return Number.NaN;
  }

  /** A string without escapes. */
  skipPlainString(): boolean {
    const text = this.text;
    for (let at = this.at + 1; at < this.to; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return true;
      }
      if (code === BACKSLASH || code < 0x20) return false;
    }
    return false;
  }

  /** The decoded string at this place; `undefined` if it is not valid. */
  decodeString(): string | undefined {
    const from = this.at;
    for (let at = from + 1; at < this.to; at++) {
      const code = this.text.charCodeAt(at);
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) {
        this.at = at + 1;
        return decodedString(this.text.slice(from, at + 1));
      }
    }
    return undefined;
  }

  skipString(): boolean {
    return this.skipPlainString() || this.decodeString() !== undefined;
  }

  /** Skips a value inside a list, or in an object that is not visited. Checks its grammar. */
  skipValue(depth: number): boolean {
    const code = this.next();
    if (code === QUOTE) return this.skipString();
    if (depth === MAX_DEPTH) return false;
    if (code === OPEN_ARRAY) return this.skipList(depth) >= 0;
    if (code !== OPEN_OBJECT) return this.skipWord('null') || this.skipLiteral();
    this.at++;
    if (this.next() === CLOSE_OBJECT) {
      this.at++;
      return true;
    }
    for (;;) {
      if (this.next() !== QUOTE || !this.skipString() || this.next() !== COLON) return false;
      this.at++;
      if (!this.skipValue(depth + 1)) return false;
      const end = this.next();
      this.at++;
      if (end !== COMMA) return end === CLOSE_OBJECT;
    }
  }

  /** The number of items of a list, or -1 if it is not valid. */
  skipList(depth: number): number {
    this.at++;
    if (this.next() === CLOSE_ARRAY) {
      this.at++;
      return 0;
    }
    for (let items = 1; ; items++) {
      if (!this.skipValue(depth + 1)) return -1;
      const end = this.next();
      this.at++;
      if (end !== COMMA) return end === CLOSE_ARRAY ? items : -1;
    }
  }

  skipWord(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  /** A number, `true` or `false`. */
  skipLiteral(): boolean {
    const text = this.text;
    let at = this.at;
    if (text.charCodeAt(at) === MINUS) at++;
    const start = at;
    while (isDigit(text.charCodeAt(at))) at++;
    if (at === start) return this.skipWord('true') || this.skipWord('false');
    if (text.charCodeAt(start) === ZERO && at > start + 1) return false;
    if (text.charCodeAt(at) === POINT) {
      const point = at++;
      while (isDigit(text.charCodeAt(at))) at++;
      if (at === point + 1) return false;
    }
    if ((text.charCodeAt(at) | 0x20) === LETTER_E) {
      at++;
      if (text.charCodeAt(at) === MINUS || text.charCodeAt(at) === PLUS) at++;
      const exponent = at;
      while (isDigit(text.charCodeAt(at))) at++;
      if (at === exponent) return false;
    }
    this.at = at;
    return true;
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** The text of a quoted string with escapes; `undefined` if they are not valid. */
function decodedString(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
