/** Deeper data is skipped or refused, which bounds memory and protects every recursion. */
export const MAX_DEPTH = 512;

// Numbers and a table instead of words, because one look-up per character decides the speed of every scan.
/** The text ends here, possibly inside a token: see `open`. */
export const NONE = 0;
const SPACE = 1;
/** A character that JSON does not allow between its tokens. */
export const OTHER = 2;
/** A string with its quotes: a name or a value. */
export const STRING = 3;
/** A number or word. Its grammar is not checked. */
export const LITERAL = 4;
export const OPEN_ARRAY = 5;
export const OPEN_OBJECT = 6;
export const CLOSE_ARRAY = 7;
export const CLOSE_OBJECT = 8;
export const COMMA = 9;
export const COLON = 10;

const TOKENS: Uint8Array = new Uint8Array(128).fill(OTHER);
for (const [token, characters] of [
  [SPACE, ' \t\n\r'],
  [STRING, '"'],
  [LITERAL, '0123456789+-.eEtrufalsn'],
  [OPEN_ARRAY, '['],
  [OPEN_OBJECT, '{'],
  [CLOSE_ARRAY, ']'],
  [CLOSE_OBJECT, '}'],
  [COMMA, ','],
  [COLON, ':'],
] as const) {
  for (const character of characters) TOKENS[character.charCodeAt(0)] = token;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const LETTER_N = 0x6e;

/** Long strings are searched natively. For short strings, the call takes longer than it saves. */
const SHORT_STRING = 24;

/**
 * Finds the tokens of JSON text that arrives in pieces of any size, in constant memory. It knows quotes, escapes and punctuation,
 * but no grammar, so its caller checks the order of the tokens.
 *
 * Positions count UTF-16 units from the start of the whole text.
 */
export class JsonScanner {
  /** The start of the last token, or of the token inside which the text ends. For a string, the position of its quote. */
  start = 0;
  /** The token inside which the text ends. The next piece continues it. */
  open: typeof NONE | typeof STRING | typeof LITERAL = NONE;
  /** The number of units of the last or open string that decoding removes; 0 if it has no escape. */
  escapeUnits = 0;
  /** The start of the last escape in this string. */
  lastEscape = 0;
  /** The number of escaped line breaks in all strings, and in the strings before the last or open one. */
  breaks = 0;
  breaksBefore = 0;
  /** The piece, the next index in it, and the index at which to stop for now. */
  text = '';
  at = 0;
  limit = 0;
  /** The position at which the piece starts. */
  #base = 0;
  #isEscaped = false;
  #nextQuote = -1;
  #nextBackslash = -1;

  /** The position after the last token, or of the limit. */
  get end(): number {
    return this.#base + this.at;
  }

  /** The undecoded text between the quotes of the last string. Valid only if the string starts in this piece. */
  get content(): string {
    return this.text.slice(this.start - this.#base + 1, this.at - 1);
  }

  /** The last or open token as written. If it started in an earlier piece, only its part in this piece. */
  get raw(): string {
    return this.text.slice(Math.max(0, this.start - this.#base), this.at);
  }

  /** Continues with the next piece, up to `limit` for now. */
  feed(text: string, limit: number = text.length): void {
    this.#base += this.text.length;
    this.text = text;
    this.at = 0;
    this.limit = limit;
    this.#nextQuote = this.#nextBackslash = -1;
  }

  /** Continues in the same piece, up to a later index. */
  extend(limit: number): void {
    this.limit = limit;
  }

  /** The next token, or `NONE` at the limit. */
  next(): number {
    if (this.open !== NONE) return this.resume();
    const { text, limit } = this;
    for (let at = this.at; at < limit; at++) {
      const code = text.charCodeAt(at);
      const token = code < 128 ? (TOKENS[code] as number) : OTHER;
      if (token === SPACE) continue;
      if (token === STRING) return this.readString(at) < 0 ? NONE : STRING;
      if (token === LITERAL) return this.readLiteral(at) < 0 ? NONE : LITERAL;
      this.start = this.#base + at;
      this.at = at + 1;
      return token;
    }
    this.at = limit;
    return NONE;
  }

  /** Continues the open token. Returns it, or `NONE` if it is still open. */
  resume(): number {
    const token = this.open;
    const end = token === STRING ? this.#endString(this.at) : this.#endLiteral(this.at);
    return end < 0 ? NONE : token;
  }

  // The next two methods are for loops that read characters themselves, because one call per token costs a quarter more.

  /** Reads the string whose quote is at an index. Returns the index after it, or -1 if it is open at the limit. */
  readString(at: number): number {
    this.start = this.#base + at;
    this.escapeUnits = 0;
    this.breaksBefore = this.breaks;
    return this.#endString(at + 1);
  }

  /** The same for the number or word that starts at an index. */
  readLiteral(at: number): number {
    this.start = this.#base + at;
    return this.#endLiteral(at + 1);
  }

  /** Makes `next` find the last token again. Only for tokens of one character. */
  unread(): void {
    this.at--;
  }

  /** Skips a comma or colon that follows without white space, which is faster than reading a token. */
  skipSeparator(): void {
    const code = this.text.charCodeAt(this.at);
    if (code === 0x2c || code === 0x3a) this.at++;
  }

  /** Ends the number or word at the end of the text. */
  endLiteral(): void {
    if (this.open === LITERAL) this.open = NONE;
  }

  #endString(from: number): number {
    const text = this.text;
    const limit = this.limit;
    let at = from;
    if (this.#isEscaped && at < limit) this.#readEscape(text.charCodeAt(at++));
    while (at < limit) {
      const near = Math.min(limit, at + SHORT_STRING);
      let code = 0;
      for (; at < near; at++) {
        code = text.charCodeAt(at);
        if (code === QUOTE || code === BACKSLASH) break;
      }
      if (at === near) {
        at = this.#search(near);
        if (at === limit) break;
        code = text.charCodeAt(at);
      }
      at++;
      if (code === QUOTE) {
        this.open = NONE;
        this.at = at;
        return at;
      }
      this.lastEscape = this.#base + at - 1;
      this.#isEscaped = true;
      if (at < limit) this.#readEscape(text.charCodeAt(at++));
    }
    this.open = STRING;
    this.at = limit;
    return -1;
  }

  #readEscape(code: number): void {
    this.#isEscaped = false;
    this.escapeUnits += code === LETTER_U ? 5 : 1;
    if (code === LETTER_N) this.breaks++;
  }

  #search(from: number): number {
    // Remembered for the whole piece. Otherwise each part of one giant string would be searched to the end of the piece again.
    if (this.#nextQuote < from) this.#nextQuote = orEnd(this.text.indexOf('"', from));
    if (this.#nextBackslash < from) this.#nextBackslash = orEnd(this.text.indexOf('\\', from));
    return Math.min(this.limit, this.#nextQuote, this.#nextBackslash);
  }

  #endLiteral(from: number): number {
    const at = endOfLiteral(this.text, from, this.limit);
    this.at = at;
    this.open = at < this.limit ? NONE : LITERAL;
    return at < this.limit ? at : -1;
  }
}

/** The index after the characters of a number or word; the limit if they reach it. */
export function endOfLiteral(text: string, from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128 || TOKENS[code] !== LITERAL) return at;
  }
  return limit;
}

function orEnd(index: number): number {
  return index < 0 ? Number.MAX_SAFE_INTEGER : index;
}
