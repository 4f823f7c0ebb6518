import { byteLength, detach, firstChars } from '../text/utf.ts';
import type { JsonFrame, JsonPlace, LongText, LongTexts } from './json-node.ts';
import { decode, LONG_TEXT_BYTES, mayBeLongText } from './json-node.ts';
import type { JsonPassages } from './json-passages.ts';
import { endOfLiteral, JsonScanner, MAX_DEPTH, NONE, STRING } from './json-scanner.ts';

/** The characters of a block. All decisions are made at its multiples from the start. */
export const JSON_BLOCK: number = 16 * 1024;

const MAX_LONG_TEXTS = 1000;
const MAX_KEY_CHARS = 80;

/** The next token that the grammar allows. `first` means that the container may also close. */
type Expected = 'root' | 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end';

/**
 * Checks the structure of JSON text and counts the items of every container, without building nodes. The content of strings,
 * numbers and words is checked when nodes are made of them.
 *
 * A container gets its name at the end of a block, from text that is still in memory. Most containers are closed by then and need
 * no name.
 */
export class JsonOutline {
  readonly scanner: JsonScanner = new JsonScanner();
  readonly #passages: JsonPassages | undefined;
  #expects: Expected = 'root';
  /** The last key, including its quotes. */
  #keyStart = 0;
  #keyEnd = 0;

  #depth = 0;
  readonly #kinds: ('array' | 'object')[] = [];
  readonly #commas: number[] = [];
  readonly #keyStarts: number[] = [];
  readonly #keyEnds: number[] = [];
  /** The open containers that were already open at the end of a block, outermost first. */
  readonly #frames: JsonFrame[] = [];
  #framed = 0;

  #blockStart = 0;
  /** The first place in the block where reading can start. */
  #place: JsonPlace | undefined;
  /** The string value that the end of the last block cut, until the string ends. */
  #cutString: JsonPlace['string'];
  /** The text from the last key, if the last block ended before its value. */
  #cutMember = '';
  #isBroken = false;

  #lineFeeds = 0;
  /** The bytes of the open string in earlier pieces. */
  #openBytes = 0;
  readonly #longTexts: LongTexts = { bytes: 0, texts: [] };
  /** Long texts of this block, whose keys are read at its end. */
  #unnamed: { text: LongText; keyStart: number; keyEnd: number }[] = [];

  /** @param passages Receives the tokens of the text. */
  constructor(passages?: JsonPassages) {
    this.#passages = passages;
  }

  get isComplete(): boolean {
    return this.#expects === 'end';
  }

  /** Reads the text of the scanner. Returns false if it cannot be JSON, or is nested too deep. */
  read(): boolean {
    if (this.#isBroken) return false;
    const { scanner } = this;
    if (scanner.open !== NONE) {
      const token = scanner.resume();
      if (token === NONE) return true;
      this.#endToken(token);
    }
    const passages = this.#passages;
    const { text, limit } = scanner;
    let { at } = scanner;
    const base = scanner.end - at;
    // Reads characters instead of tokens, and compares numbers instead of names, because a call per token or an imported name per
    // case would make this a tenth slower.
    while (at < limit) {
      const code = text.charCodeAt(at);
      const expects = this.#expects;
      switch (code) {
        case 0x0a:
          this.#lineFeeds++;
          at++;
          break;
        case 0x20: // a space
        case 0x0d:
        case 0x09:
          at++;
          break;
        case 0x22: // "
          if (!isKey(expects) && !isValue(expects)) return false;
          at = scanner.readString(at);
          if (at < 0) return true;
          this.#endToken(STRING);
          break;
        case 0x2c: {
          // ,
          if (expects !== 'comma') return false;
          passages?.endItem(base + at);
          const level = this.#depth - 1;
          this.#commas[level] = (this.#commas[level] ?? 0) + 1;
          this.#expects = this.#kinds[level] === 'object' ? 'key' : 'value';
          at++;
          if (this.#place === undefined && level < this.#framed) {
            scanner.at = at;
            this.#place = { frame: this.#frames[level], position: scanner.end };
          }
          break;
        }
        case 0x3a: // :
          if (expects !== 'colon') return false;
          this.#expects = 'value';
          at++;
          break;
        case 0x5b: // [
        case 0x7b: // {
          if ((!isValue(expects) && expects !== 'root') || this.#depth === MAX_DEPTH) return false;
          if (passages?.readsItems) {
            const item = passages.readItem(at, limit);
            if (item) {
              this.#lineFeeds += item.lineFeeds;
              scanner.breaks += item.breaks;
              this.#expects = 'comma';
              at = item.end;
              break;
            }
          }
          passages?.open(code === 0x7b ? 'object' : 'array', base + at);
          this.#open(code === 0x7b ? 'object' : 'array');
          at++;
          break;
        case 0x5d: // ]
        case 0x7d: // }
          if (!this.#close(code === 0x7d ? 'object' : 'array')) return false;
          passages?.close(base + at);
          at++;
          break;
        default: {
          const end = isValue(expects) ? endOfLiteral(text, at, limit) : at;
          if (end === at) return false;
          if (end === limit) {
            // The string may continue in the next piece.
            scanner.readLiteral(at);
            return true;
          }
          passages?.addValue(base + at);
          this.#expects = 'comma';
          at = end;
        }
      }
    }
    scanner.at = at;
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

  #endToken(token: number): void {
    const { scanner } = this;
    if (token === STRING && isKey(this.#expects)) {
      this.#keyStart = scanner.start;
      this.#keyEnd = scanner.end;
      this.#passages?.addKey(scanner.start, scanner.end);
      this.#expects = 'colon';
      this.#openBytes = 0;
      return;
    }
    this.#passages?.addValue(scanner.start);
    this.#expects = 'comma';
    if (token === STRING && scanner.breaks > scanner.breaksBefore) this.#noteText();
    this.#openBytes = 0;
    if (!this.#cutString) return;
    this.#cutString.length = scanner.end - scanner.start - 2 - scanner.escapeUnits;
    this.#cutString = undefined;
  }

  /** Records a completed string value if it is a long text. */
  #noteText(): void {
    const { scanner } = this;
    if (!mayBeLongText(scanner.end - scanner.start)) return;
    const bytes = this.#openBytes + byteLength(scanner.raw) - 2;
    if (bytes < LONG_TEXT_BYTES) return;
    const { texts } = this.#longTexts;
    this.#longTexts.bytes += bytes;
    const level = this.#depth - 1;
    const isInObject = this.#kinds[level] === 'object';
    const key = isInObject ? firstChars(this.#cutString?.key ?? '', MAX_KEY_CHARS) : this.#commas[level];
    const text: LongText = { line: 1 + this.#lineFeeds + scanner.breaksBefore, key };
    texts?.push(text);
    if (texts?.length === MAX_LONG_TEXTS) this.#longTexts.texts = undefined;
    if (isInObject && !this.#cutString) this.#unnamed.push({ text, keyStart: this.#keyStart, keyEnd: this.#keyEnd });
  }

  /** Ends the piece of the scanner, because its text will be released. */
  endPiece(): void {
    if (this.scanner.open === STRING) this.#openBytes += byteLength(this.scanner.raw);
  }

  /** The long texts of the whole document. `text` is its last block. */
  endTexts(block: string): LongTexts {
    this.#nameTexts(block);
    return this.#longTexts;
  }

  #nameTexts(block: string): void {
    for (const { text, keyStart, keyEnd } of this.#unnamed) {
      text.key = firstChars(decodeKey(this.#textOf(block, { from: keyStart, to: keyEnd })), MAX_KEY_CHARS);
    }
    this.#unnamed = [];
  }

  #textOf(block: string, { from, to }: { from: number; to?: number | undefined }): string {
    const offset = this.#cutMember.length - this.#blockStart;
    return (this.#cutMember + block).slice(from + offset, to === undefined ? undefined : to + offset);
  }

  /** Ends a block. Returns the first place in it where reading can start, and the place where it ends. */
  endBlock(block: string): { start: JsonPlace | undefined; end: JsonPlace } {
    const { scanner } = this;
    const textFrom = (position: number, end?: number): string => this.#textOf(block, { from: position, to: end });
    this.#nameTexts(block);
    for (; this.#framed < this.#depth; this.#framed++) {
      const level = this.#framed;
      const parent = this.#frames[level - 1];
      const [keyStart = 0, keyEnd = 0] = [this.#keyStarts[level], this.#keyEnds[level]];
      const key = parent?.kind === 'object' ? decodeKey(textFrom(keyStart, keyEnd)) : undefined;
      this.#frames[level] = { kind: this.#kinds[level] ?? 'array', key, parent, count: 0 };
    }

    const frame = this.#frames[this.#depth - 1];
    const isInObject = frame?.kind === 'object';
    const isInKey = scanner.open === STRING && isKey(this.#expects);
    if (scanner.open === STRING && !isInKey)
      this.#cutString ??= {
        key: isInObject ? decodeKey(textFrom(this.#keyStart, this.#keyEnd)) : undefined,
        length: 0,
      };
    const isBeforeValue =
      isInObject && scanner.open === NONE && (this.#expects === 'colon' || this.#expects === 'value');
    const cutMember = isInKey ? textFrom(scanner.start) : isBeforeValue ? textFrom(this.#keyStart) : '';
    // No real key is this long, and memory must not grow with a key.
    this.#isBroken = cutMember.length > JSON_BLOCK;

    const start = this.#place;
    const end = { position: scanner.end, frame, string: this.#cutString, cutEscape: this.#cutEscape(textFrom) };
    this.#cutMember = detach(cutMember);
    this.#blockStart = scanner.end;
    this.#place = this.#cutString && end;
    return { start, end };
  }

  /** The raw characters of an escape that the end of the text divides. */
  #cutEscape(textFrom: (position: number) => string): string {
    const { lastEscape, start, end, open } = this.scanner;
    if (open !== STRING || lastEscape <= start || end - lastEscape >= '\\u0000'.length) return '';
    const raw = textFrom(lastEscape);
    return raw.length === 1 || raw[1] === 'u' ? raw : '';
  }
}

function isKey(expects: Expected): boolean {
  return expects === 'key' || expects === 'first key';
}

function isValue(expects: Expected): boolean {
  return expects === 'value' || expects === 'first value';
}

/** A key that is not valid JSON is used unchanged, because keys have not been checked so far. */
function decodeKey(quoted: string): string {
  const raw = quoted.slice(1, -1);
  return detach(decode(raw) ?? raw);
}
