import { detach } from '../text/utf.ts';
import { MAX_DEPTH } from './json-node.ts';
import type { Expected, JsonFrame, JsonPlace } from './json-place.ts';
import { decodeKey, decodeStart, MAX_KEY } from './partial-json.ts';

/** Everything is decided at multiples of so many characters from the start. */
export const JSON_BLOCK: number = 16 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

// Numbers and a byte table instead of words: one look-up per character decides the speed of the whole scan.
const OTHER = 0;
const SPACE = 1;
const LITERAL = 2;
const STRING = 3;
const OPEN = 4;
const CLOSE = 5;
const COMMA = 6;
const COLON = 7;
const ROLES: Uint8Array = new Uint8Array(128);
for (const [role, characters] of ['', ' \t\n\r', '0123456789+-.eEtrufalsn', '"', '{[', '}]', ',', ':'].entries()) {
  for (const character of characters) ROLES[character.charCodeAt(0)] = role;
}

/** Long strings are searched natively; for short ones the call costs more than it saves. */
const SHORT_STRING = 24;
const NOWHERE = -JSON_BLOCK;

/**
 * Checks the structure of JSON text and counts the items of every container without building anything. What stands
 * inside strings, numbers and words is checked by the parser, for the text that reaches it.
 *
 * Positions are relative to the current block; negative ones point into `#prefix`. So a container gets its name when a
 * block ends, from text that is still there: most containers are closed by then and need none.
 */
export class JsonScanner {
  #expects: Expected = 'root';
  #token: 'string' | 'literal' | undefined;
  #tokenStart = 0;
  #keyStart = 0;
  #keyEnd = 0;
  #isEscaped = false;
  #lastEscape = NOWHERE;
  /** How many raw characters of the open string vanish when it is decoded. */
  #escapeUnits = 0;
  #nextQuote = -1;
  #nextBackslash = -1;

  #depth = 0;
  #deeper = 0;
  readonly #kinds: ('array' | 'object')[] = [];
  readonly #commas: number[] = [];
  readonly #keyStarts: number[] = [];
  readonly #keyEnds: number[] = [];
  /** Of the open containers, those that were open when a block ended, outermost first. */
  readonly #frames: JsonFrame[] = [];
  #framed = 0;
  #cutString: { length: number } | undefined;
  #prefix = '';
  #longKey: string | undefined;
  #isBroken = false;

  get isComplete(): boolean {
    return this.#expects === 'end';
  }

  startChunk(): void {
    this.#nextQuote = this.#nextBackslash = -1;
  }

  /** Reads `text` from `from` to `to`; an index plus `shift` is its position in the block. False when it cannot be JSON. */
  scan(text: string, from: number, to: number, shift: number): boolean {
    if (this.#isBroken) return false;
    let at = from;
    if (this.#token === 'string') at = this.#skipString(text, at, to, shift);
    else if (this.#token === 'literal') at = this.#skipLiteral(text, at, to);
    if (this.#deeper > 0) at = this.#skipDeeper(text, at, to, shift);

    while (at < to) {
      const code = text.charCodeAt(at);
      const expects = this.#expects;
      switch (code < 128 ? ROLES[code] : OTHER) {
        case SPACE:
          at++;
          break;
        case STRING:
          if (expects === 'key' || expects === 'first key') this.#keyStart = at + 1 + shift;
          else if (expects !== 'value' && expects !== 'first value') return false;
          at = this.#startString(text, at + 1, to, shift);
          break;
        case LITERAL:
          if (expects !== 'value' && expects !== 'first value') return false;
          this.#token = 'literal';
          this.#tokenStart = at + shift;
          at = this.#skipLiteral(text, at + 1, to);
          break;
        case COMMA: {
          if (expects !== 'comma') return false;
          const level = this.#depth - 1;
          this.#commas[level] = (this.#commas[level] ?? 0) + 1;
          this.#expects = this.#kinds[level] === 'object' ? 'key' : 'value';
          at++;
          break;
        }
        case COLON:
          if (expects !== 'colon') return false;
          this.#expects = 'value';
          at++;
          break;
        case OPEN:
          if (expects !== 'value' && expects !== 'first value' && expects !== 'root') return false;
          at++;
          if (this.#depth < MAX_DEPTH) this.#open(code === 0x7b ? 'object' : 'array');
          else {
            this.#deeper = 1;
            at = this.#skipDeeper(text, at, to, shift);
          }
          break;
        case CLOSE:
          if (!this.#close(code === 0x7d ? 'object' : 'array')) return false;
          at++;
          break;
        default:
          return false;
      }
    }
    return true;
  }

  #open(kind: 'array' | 'object'): void {
    const level = this.#depth++;
    this.#kinds[level] = kind;
    this.#commas[level] = 0;
    this.#keyStarts[level] = this.#keyStart;
    this.#keyEnds[level] = this.#keyEnd;
    this.#expects = kind === 'object' ? 'first key' : 'first value';
  }

  #close(kind: 'array' | 'object'): boolean {
    const level = this.#depth - 1;
    const isEmpty = this.#expects === (kind === 'object' ? 'first key' : 'first value');
    if (this.#kinds[level] !== kind || !(isEmpty || this.#expects === 'comma')) return false;
    if (level < this.#framed) {
      (this.#frames[level] as JsonFrame).count = isEmpty ? 0 : (this.#commas[level] ?? 0) + 1;
      this.#framed = level;
    }
    this.#depth = level;
    this.#expects = level > 0 ? 'comma' : 'end';
    return true;
  }

  #startString(text: string, from: number, to: number, shift: number): number {
    this.#token = 'string';
    this.#tokenStart = from + shift;
    this.#lastEscape = NOWHERE;
    this.#escapeUnits = 0;
    return this.#skipString(text, from, to, shift);
  }

  /** The place after the closing quote, or `to`. */
  #skipString(text: string, from: number, to: number, shift: number): number {
    let at = from;
    while (at < to) {
      if (this.#isEscaped) {
        if (text.charCodeAt(at) === LETTER_U) this.#escapeUnits += 4;
        this.#isEscaped = false;
        at++;
      }
      at = this.#nextInString(text, at, to);
      if (at >= to) break;
      if (text.charCodeAt(at) === QUOTE) {
        this.#endString(at + shift);
        return at + 1;
      }
      this.#lastEscape = at + shift;
      this.#escapeUnits++;
      this.#isEscaped = true;
      at++;
    }
    return to;
  }

  /** The place of the next quote or backslash, or `to`. */
  #nextInString(text: string, from: number, to: number): number {
    const near = Math.min(to, from + SHORT_STRING);
    for (let at = from; at < near; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE || code === BACKSLASH) return at;
    }
    if (near === to) return to;
    // Remembered for the whole chunk: else each block of one giant string would search to the end of the chunk again.
    if (this.#nextQuote < near) this.#nextQuote = orEnd(text.indexOf('"', near));
    if (this.#nextBackslash < near) this.#nextBackslash = orEnd(text.indexOf('\\', near));
    return Math.min(to, this.#nextQuote, this.#nextBackslash);
  }

  #endString(end: number): void {
    this.#token = undefined;
    if (this.#deeper > 0) return;
    if (this.#expects === 'key' || this.#expects === 'first key') {
      this.#keyEnd = end;
      this.#expects = 'colon';
      return;
    }
    this.#expects = 'comma';
    if (!this.#cutString) return;
    this.#cutString.length += end - this.#tokenStart - this.#escapeUnits;
    this.#cutString = undefined;
  }

  #skipLiteral(text: string, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      if (code < 128 && ROLES[code] === LITERAL) continue;
      this.#token = undefined;
      this.#expects = 'comma';
      return at;
    }
    return to;
  }

  /** Beyond the greatest depth brackets are only counted: memory must not grow with them. */
  #skipDeeper(text: string, from: number, to: number, shift: number): number {
    let at = from;
    while (at < to && this.#deeper > 0) {
      const code = text.charCodeAt(at++);
      const role = code < 128 ? ROLES[code] : OTHER;
      if (role === STRING) at = this.#startString(text, at, to, shift);
      else if (role === OPEN) this.#deeper++;
      else if (role === CLOSE) this.#deeper--;
    }
    if (this.#deeper === 0) this.#expects = 'comma';
    return at;
  }

  /** Ends a block: all that a parser needs to go on after it, with nothing that keeps the block in memory. */
  place(block: string): JsonPlace {
    const view = this.#prefix + block;
    this.#nameFrames(view);
    const isValue = this.#token === 'string' && this.#deeper === 0 && !this.#expectsKey();
    if (isValue) {
      this.#cutString ??= { length: 0 };
      this.#cutString.length += block.length - this.#tokenStart;
      this.#tokenStart = 0;
    }
    this.#movePrefix(view);
    this.#lastEscape -= block.length;
    return {
      expects: this.#expects,
      frame: this.#frames[this.#depth - 1],
      prefix: this.#prefix,
      longKey: this.#longKey,
      string: this.#cutString,
      deeper: this.#deeper,
    };
  }

  #nameFrames(view: string): void {
    for (; this.#framed < this.#depth; this.#framed++) {
      const level = this.#framed;
      const parent = this.#frames[level - 1];
      const start = (this.#keyStarts[level] ?? 0) + this.#prefix.length;
      const end = (this.#keyEnds[level] ?? 0) + this.#prefix.length;
      const key = parent?.kind === 'object' ? decodeKey(view.slice(start, Math.min(end, start + MAX_KEY + 1))) : '';
      this.#frames[level] = { kind: this.#kinds[level] ?? 'array', key, parent, count: 0 };
    }
  }

  /** Keeps the beginning of the item that the block cuts. */
  #movePrefix(view: string): void {
    const offset = this.#prefix.length;
    const inObject = this.#deeper === 0 && this.#kinds[this.#depth - 1] === 'object';
    let key = '';
    let value = '';
    this.#longKey = undefined;
    if (inObject && this.#expectsKey()) {
      const raw = this.#token ? view.slice(this.#keyStart + offset) : '';
      if (this.#token) key = `"${shortKey(raw, this.#cutEscape(view))}`;
      if (isLongKey(raw)) this.#longKey = decodeKey(raw);
    } else if (inObject && (this.#expects === 'colon' || this.#expects === 'value')) {
      const raw = view.slice(this.#keyStart + offset, this.#keyEnd + offset);
      key = `"${shortKey(raw, '')}"`;
      if (isLongKey(raw)) this.#longKey = decodeKey(raw);
    }
    const colon = inObject && this.#expects === 'value' ? ':' : '';
    if (this.#token === 'literal') value = view.slice(this.#tokenStart + offset);
    if (this.#token === 'string' && !(inObject && this.#expectsKey())) value = `"${this.#cutEscape(view)}`;

    // A number this long is nobody's data, and memory must not grow with it.
    if (value.length > JSON_BLOCK) this.#isBroken = true;
    this.#prefix = detach(key + colon + value);
    this.#keyStart = 1 - this.#prefix.length;
    this.#keyEnd = this.#keyStart + key.length - 2;
    if (this.#token === 'literal') this.#tokenStart = -value.length;
  }

  /** The raw characters of an escape that the end of the text divides. */
  #cutEscape(view: string): string {
    const start = this.#lastEscape + this.#prefix.length;
    const isCut = this.#isEscaped || (view.length - start < 6 && view[start + 1] === 'u');
    return isCut ? view.slice(start) : '';
  }

  #expectsKey(): boolean {
    return this.#expects === 'key' || this.#expects === 'first key';
  }
}

function orEnd(index: number): number {
  return index < 0 ? Number.MAX_SAFE_INTEGER : index;
}

/** One character more than a key may have shows that it is longer. */
function isLongKey(raw: string): boolean {
  return raw.length > MAX_KEY + 1;
}

/** A raw key of bounded length, still valid when text is appended to it, and still long: no such text can get into the name. */
function shortKey(raw: string, cutEscape: string): string {
  if (!isLongKey(raw)) return raw;
  const known = JSON.stringify(decodeStart(raw.slice(0, MAX_KEY)) ?? '').slice(1, -1);
  return `${known.padEnd(MAX_KEY + 2, '…')}${cutEscape}`;
}
