import { endOfLiteral, isText, isValidLiteral } from './json-literals.ts';

/** Deeper items are read token by token. */
const MAX_ITEM_DEPTH = 64;
/** A record counts the members of its objects down to this depth. */
export const MAX_FIELD_DEPTH = 3;

/** The kinds of the members of a record. */
export const TEXT = 1;
/** A number or word, but not `null`. */
export const WORD = 2;
export const NO_VALUE = 3;
/** A list. Only the number of its items is known. */
export const ITEMS = 4;
/** An object whose members are not listed. */
export const DEEP_OBJECT = 5;
/** An object whose members follow, until `LEAVE`. */
export const ENTER = 6;
export const LEAVE = 7;

/** No item has more, because its shortest members, such as `"":{},`, are two entries in six characters. */
const MAX_MEMBERS = 2048;
const MAX_KNOWN_UNITS = 4096;
/** The next tokens that the grammar allows. `FIRST` means that the container may also close. */
const VALUE = 0;
const FIRST_VALUE = 1;
const KEY = 2;
const FIRST_KEY = 3;
const COLON = 4;
const COMMA = 5;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** An item that was read in one step. */
export interface ReadItem {
  /** The index after it. */
  end: number;
  /** The line feeds between its tokens, and the escaped line feeds in its strings. */
  lineFeeds: number;
  breaks: number;
}

/**
 * Reads a small item of a list in one step, several times as fast as token by token. It checks the structure of the item, and lists the
 * members of a record. It needs the complete item, so an item that is cut is read token by token.
 */
export class ItemScanner implements ReadItem {
  /** The loaded text, and its characters. */
  text = '';
  units: Uint16Array = new Uint16Array(0);
  end = 0;
  lineFeeds = 0;
  breaks = 0;
  /** The members are complete and valid. Otherwise the text of the item must be parsed. */
  isPlain = true;
  /** The members of the last item, if it is an object. */
  count = 0;
  readonly kinds: Uint8Array = new Uint8Array(MAX_MEMBERS);
  /** The places of keys and values without quotes, or the number of items of a list. */
  readonly keyStarts: Int32Array = new Int32Array(MAX_MEMBERS);
  readonly keyEnds: Int32Array = new Int32Array(MAX_MEMBERS);
  readonly starts: Int32Array = new Int32Array(MAX_MEMBERS);
  readonly ends: Int32Array = new Int32Array(MAX_MEMBERS);
  /** For texts, 1 if they have escapes. For lists, the number of their items. */
  readonly amounts: Int32Array = new Int32Array(MAX_MEMBERS);
  /**
   * A number for the keys of the last item and their order. Most records have the same keys as the previous record, and comparing
   * keys is faster than reading them.
   */
  keys = 0;
  readonly #knownUnits = new Uint16Array(MAX_KNOWN_UNITS);
  readonly #knownStarts = new Int32Array(MAX_MEMBERS + 1);
  /** The length of each known key with its end quote; 0 for `LEAVE`. */
  readonly #knownLengths = new Int32Array(MAX_MEMBERS + 1);
  readonly #knownKinds = new Uint8Array(MAX_MEMBERS + 1);
  #knownCount = 0;
  /** Whether each open container is an object. */
  readonly #areObjects = new Uint8Array(MAX_ITEM_DEPTH + 1);

  load(text: string): void {
    this.text = text;
    if (this.units.length < text.length) this.units = new Uint16Array(text.length);
    const { Buffer } = globalThis;
    // Ten times as fast as a loop.
    if (typeof Buffer === 'function' && isLittleEndian) Buffer.from(this.units.buffer).write(text, 'utf16le');
    else for (let at = 0; at < text.length; at++) this.units[at] = text.charCodeAt(at);
  }

  /** Reads the array or object that starts at an index. Returns the index after it, or -1 if it must be read token by token. */
  read(start: number, limit: number): number {
    const { units, kinds, keyStarts, keyEnds, starts, ends, amounts } = this;
    const areObjects = this.#areObjects;
    let at = start;
    let depth = 0;
    let expects = VALUE;
    let isObject = false;
    let lineFeeds = 0;
    let breaks = 0;
    let isPlain = true;
    let count = 0;
    /** The number of open objects that are not inside an array. */
    let listed = 0;
    /** The list whose items are counted. */
    let list = -1;
    let keyStart = 0;
    let keyEnd = 0;
    const known = this.#knownUnits;
    const knownStarts = this.#knownStarts;
    const knownLengths = this.#knownLengths;
    const knownKinds = this.#knownKinds;
    let isKnown = true;
    while (at < limit) {
      const code = units[at] as number;
      if (code === QUOTE) {
        const from = ++at;
        if (isKnown && listed === depth && (expects === KEY || expects === FIRST_KEY)) {
          const length = knownLengths[count] as number;
          const first = knownStarts[count] as number;
          let same = 0;
          while (same < length && units[from + same] === known[first + same]) same++;
          if (same === length && same > 0 && from + same < limit) {
            keyStart = from;
            keyEnd = from + same - 1;
            at = from + same;
            expects = COLON;
            if (units[at] === 0x3a) {
              at++;
              expects = VALUE;
            }
            continue;
          }
          isKnown = false;
        }
        let hasEscape = 0;
        let next = 0;
        for (; at < limit; at++) {
          next = units[at] as number;
          // Most characters are small letters.
          if (next > BACKSLASH) continue;
          if (next === QUOTE) break;
          if (next === BACKSLASH) {
            hasEscape = 1;
            const escaped = units[++at] as number;
            if (escaped === 0x6e) breaks++;
            else if (!this.#isEscape(escaped, at)) isPlain = false;
          } else if (next < 32) isPlain = false;
        }
        if (at >= limit) return -1;
        const to = at++;
        if (expects === KEY || expects === FIRST_KEY) {
          if (hasEscape === 1) isPlain = false;
          keyStart = from;
          keyEnd = to;
          expects = COLON;
          // There is almost never white space before it.
          if (units[at] === 0x3a && at < limit) {
            at++;
            expects = VALUE;
          }
          continue;
        }
        if (expects > FIRST_VALUE) return -1;
        expects = COMMA;
        if (listed !== depth) continue;
        kinds[count] = TEXT;
        keyStarts[count] = keyStart;
        keyEnds[count] = keyEnd;
        starts[count] = from;
        ends[count] = to;
        amounts[count++] = hasEscape;
      } else if (code === 0x2c) {
        if (expects !== COMMA) return -1;
        expects = isObject ? KEY : VALUE;
        if (depth === list) (amounts[count - 1] as number)++;
        at++;
      } else if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
        if (code === 0x0a) lineFeeds++;
        at++;
      } else if (code === 0x3a) {
        if (expects !== COLON) return -1;
        expects = VALUE;
        at++;
      } else if (code === 0x7b || code === 0x5b) {
        if (expects > FIRST_VALUE || depth === MAX_ITEM_DEPTH) return -1;
        isObject = code === 0x7b;
        if (depth > 0 && listed === depth) {
          const isEntered = isObject && depth < MAX_FIELD_DEPTH;
          if (isEntered !== (knownKinds[count] === ENTER)) isKnown = false;
          kinds[count] = isEntered ? ENTER : isObject ? DEEP_OBJECT : ITEMS;
          keyStarts[count] = keyStart;
          keyEnds[count] = keyEnd;
          amounts[count++] = 0;
          if (isEntered) listed++;
          else if (!isObject) list = depth + 1;
        } else if (depth === 0) listed = isObject ? 1 : -1;
        areObjects[++depth] = isObject ? 1 : 0;
        expects = isObject ? FIRST_KEY : FIRST_VALUE;
        at++;
      } else if (code === 0x7d || code === 0x5d) {
        if (isObject !== (code === 0x7d)) return -1;
        const isEmpty = expects === (isObject ? FIRST_KEY : FIRST_VALUE);
        if (!isEmpty && expects !== COMMA) return -1;
        if (depth === list) {
          if (!isEmpty) (amounts[count - 1] as number)++;
          list = -1;
        }
        at++;
        if (--depth === 0) {
          this.lineFeeds = lineFeeds;
          this.breaks = breaks;
          this.isPlain = isPlain;
          this.count = count;
          if (listed >= 0 && !(isKnown && count === this.#knownCount)) this.#learnKeys();
          return at;
        }
        if (listed === depth + 1) {
          if (knownKinds[count] !== LEAVE) isKnown = false;
          kinds[count++] = LEAVE;
          listed = depth;
        }
        isObject = areObjects[depth] === 1;
        expects = COMMA;
      } else {
        if (expects > FIRST_VALUE) return -1;
        const end = endOfLiteral(units, { start: at, end: limit });
        if (end === at || end === limit) return -1;
        const isNull = isText(units, { start: at, end }, 'null');
        if (!isNull && !isValidLiteral(units, { start: at, end })) isPlain = false;
        expects = COMMA;
        if (listed === depth) {
          kinds[count] = isNull ? NO_VALUE : WORD;
          keyStarts[count] = keyStart;
          keyEnds[count] = keyEnd;
          starts[count] = at;
          ends[count++] = end;
        }
        at = end;
      }
    }
    return -1;
  }

  #learnKeys(): void {
    this.keys++;
    this.#knownCount = 0;
    if (!this.isPlain) return;
    let end = 0;
    for (let at = 0; at < this.count; at++) {
      const kind = this.kinds[at] as number;
      const start = this.keyStarts[at] as number;
      const length = kind === LEAVE ? 0 : (this.keyEnds[at] as number) + 1 - start;
      if (end + length > MAX_KNOWN_UNITS) return;
      this.#knownKinds[at] = kind;
      this.#knownStarts[at] = end;
      this.#knownLengths[at] = length;
      this.#knownUnits.set(this.units.subarray(start, start + length), end);
      end += length;
    }
    this.#knownCount = this.count;
    this.#knownKinds[this.count] = this.#knownLengths[this.count] = 0;
  }

  #isEscape(code: number, at: number): boolean {
    if (code !== 0x75) return ESCAPES.includes(String.fromCharCode(code));
    const digits = String.fromCharCode(...this.units.subarray(at + 1, at + 5));
    return /^[\da-f]{4}$/i.test(digits);
  }
}

const ESCAPES = '"\\/bfrt';
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
