/** Nested deeper, data is nobody's: it is skipped or refused, which bounds memory and keeps every recursion safe. */
export const MAX_DEPTH = 512;

// Numbers and a table instead of words: one look-up per character decides the speed of every scan.
/** The text ends here, perhaps inside a token: see `open`. */
export const NONE = 0;
const SPACE = 1;
/** A character that JSON does not know between its tokens. */
export const OTHER = 2;
/** A string with its quotes, a name or a value. */
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
const LETTER_N = 0x6e;
const LETTER_U = 0x75;

/** Long strings are searched natively; for short ones the call costs more than it saves. */
const SHORT_STRING = 24;

/**
 * Finds the tokens of JSON text that comes in pieces of any size, in constant memory. It knows quotes, escapes and
 * punctuation, and no grammar: what order tokens may have is known by who asks for them.
 *
 * Positions count UTF-16 units from the start of the whole text.
 *
 * @example
 * ```ts
 * scanner.feed(piece);
 * for (let token = scanner.next(); token !== NONE; token = scanner.next()) if (token === OPEN_ARRAY) arrays++;
 * ```
 */
export class JsonScanner {
  /** Where the last token starts, or the one inside which the text ends. Of a string, the place of its quote. */
  start = 0;
  /** The token inside which the text ends: the next piece goes on in it. */
  open: typeof NONE | typeof STRING | typeof LITERAL = NONE;
  /** How many units of the last string, or the open one so far, vanish when it is decoded; 0 when it has no escape. */
  escapeUnits = 0;
  /** How many escapes of it are `\n`. */
  lineBreaks = 0;
  /** Where the last of its escapes starts. */
  lastEscape = 0;
  #text = '';
  /** The position at which the piece starts. */
  #base = 0;
  #at = 0;
  #limit = 0;
  #isEscaped = false;
  #nextQuote = -1;
  #nextBackslash = -1;

  /** The position behind the last token, or of the limit. */
  get end(): number {
    return this.#base + this.#at;
  }

  /** What stands between the quotes of the last string, undecoded. Only where it starts in this piece. */
  get content(): string {
    return this.#text.slice(this.start - this.#base + 1, this.#at - 1);
  }

  /** The last or open token as it is written; of one that starts in an earlier piece, the part in this piece. */
  get raw(): string {
    return this.#text.slice(Math.max(0, this.start - this.#base), this.#at);
  }

  /** Goes on with the next piece, up to `limit` for now. */
  feed(text: string, limit: number = text.length): void {
    this.#base += this.#text.length;
    this.#text = text;
    this.#at = 0;
    this.#limit = limit;
    this.#nextQuote = this.#nextBackslash = -1;
  }

  /** Goes on in the same piece, to a later index of it. */
  extend(limit: number): void {
    this.#limit = limit;
  }

  /** The next token, or `NONE` at the limit. */
  next(): number {
    if (this.open !== NONE) return this.open === STRING ? this.#readString(this.#at) : this.#readLiteral(this.#at);
    const text = this.#text;
    const limit = this.#limit;
    for (let at = this.#at; at < limit; at++) {
      const code = text.charCodeAt(at);
      const token = code < 128 ? (TOKENS[code] as number) : OTHER;
      if (token === SPACE) continue;
      this.start = this.#base + at;
      if (token === STRING) {
        this.escapeUnits = this.lineBreaks = 0;
        return this.#readString(at + 1);
      }
      if (token === LITERAL) return this.#readLiteral(at + 1);
      this.#at = at + 1;
      return token;
    }
    this.#at = limit;
    return NONE;
  }

  /** Lets `next` find the last token again. Only for tokens of one character. */
  unread(): void {
    this.#at--;
  }

  /** The text is over: ends the number or word at its end. */
  endLiteral(): void {
    if (this.open === LITERAL) this.open = NONE;
  }

  #readString(from: number): number {
    const text = this.#text;
    const limit = this.#limit;
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
        this.#at = at;
        return STRING;
      }
      this.lastEscape = this.#base + at - 1;
      this.#isEscaped = true;
      if (at < limit) this.#readEscape(text.charCodeAt(at++));
    }
    this.open = STRING;
    this.#at = limit;
    return NONE;
  }

  #readEscape(code: number): void {
    this.#isEscaped = false;
    this.escapeUnits += code === LETTER_U ? 5 : 1;
    if (code === LETTER_N) this.lineBreaks++;
  }

  #search(from: number): number {
    // Remembered for the whole piece: else each part of one giant string would search to the end of the piece again.
    if (this.#nextQuote < from) this.#nextQuote = orEnd(this.#text.indexOf('"', from));
    if (this.#nextBackslash < from) this.#nextBackslash = orEnd(this.#text.indexOf('\\', from));
    return Math.min(this.#limit, this.#nextQuote, this.#nextBackslash);
  }

  #readLiteral(from: number): number {
    const text = this.#text;
    const limit = this.#limit;
    for (let at = from; at < limit; at++) {
      const code = text.charCodeAt(at);
      if (code < 128 && TOKENS[code] === LITERAL) continue;
      this.open = NONE;
      this.#at = at;
      return LITERAL;
    }
    this.open = LITERAL;
    this.#at = limit;
    return NONE;
  }
}

function orEnd(index: number): number {
  return index < 0 ? Number.MAX_SAFE_INTEGER : index;
}
