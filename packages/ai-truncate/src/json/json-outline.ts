import { detach } from '../text/utf.ts';
import { type Expected, isKey, isValue, type JsonFrame, type JsonPlace } from './json-node.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  endOfLiteral,
  JsonScanner,
  LITERAL,
  MAX_DEPTH,
  NONE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  STRING,
} from './json-scanner.ts';
import { decodeKey, decodeStart, MAX_KEY } from './partial-json.ts';

/** Everything is decided at multiples of so many characters from the start. */
export const JSON_BLOCK: number = 16 * 1024;

/**
 * Checks the structure of JSON text and counts the items of every container without building anything. What stands
 * inside strings, numbers and words is checked by the parser, for the text that reaches it.
 *
 * A position before the current block points into `#prefix`, which stands in for the text before it. So a container gets its
 * name when a block ends, from text that is still there: most containers are closed by then and need none.
 */
export class JsonOutline {
  readonly scanner: JsonScanner = new JsonScanner();
  #expects: Expected = 'root';
  #blockStart = 0;
  /** The last key, from quote to quote. */
  #keyStart = 0;
  #keyEnd = 0;
  /** Where in the prefix the number or word starts that the block cuts. */
  #literalStart = 0;

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

  /** Reads what the scanner was fed with. False when it cannot be JSON. */
  read(): boolean {
    if (this.#isBroken) return false;
    const { scanner } = this;
    if (scanner.open !== NONE) {
      const token = scanner.resume();
      if (token === NONE) return true;
      if (this.#deeper === 0) this.#endToken(token);
    }
    if (this.#deeper > 0) this.#skipDeeper();
    const { text, limit } = scanner;
    let { at } = scanner;
    // Characters and not tokens, and numbers and not names: a call per token, or an imported name per case, costs a tenth.
    while (at < limit) {
      const code = text.charCodeAt(at);
      const expects = this.#expects;
      switch (code) {
        case 0x20: // a space
        case 0x0a:
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
          const level = this.#depth - 1;
          this.#commas[level] = (this.#commas[level] ?? 0) + 1;
          this.#expects = this.#kinds[level] === 'object' ? 'key' : 'value';
          at++;
          break;
        }
        case 0x3a: // :
          if (expects !== 'colon') return false;
          this.#expects = 'value';
          at++;
          break;
        case 0x5b: // [
        case 0x7b: // {
          if (!isValue(expects) && expects !== 'root') return false;
          at++;
          if (this.#depth < MAX_DEPTH) {
            this.#open(code === 0x7b ? 'object' : 'array');
            break;
          }
          this.#deeper = 1;
          scanner.at = at;
          this.#skipDeeper();
          at = scanner.at;
          break;
        case 0x5d: // ]
        case 0x7d: // }
          if (!this.#close(code === 0x7d ? 'object' : 'array')) return false;
          at++;
          break;
        default: {
          const end = isValue(expects) ? endOfLiteral(text, at, limit) : at;
          if (end === at) return false;
          if (end === limit) {
            // It may go on in the next piece.
            scanner.readLiteral(at);
            return true;
          }
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
      // Of a key that was cut, the prefix holds the beginning.
      if (scanner.start >= this.#blockStart) this.#keyStart = scanner.start;
      this.#keyEnd = scanner.end;
      this.#expects = 'colon';
      return;
    }
    this.#expects = 'comma';
    if (!this.#cutString) return;
    this.#cutString.length = scanner.end - scanner.start - 2 - scanner.escapeUnits;
    this.#cutString = undefined;
  }

  /** Beyond the greatest depth brackets are only counted: memory must not grow with them. */
  #skipDeeper(): void {
    const { scanner } = this;
    for (let token = scanner.next(); token !== NONE; token = scanner.next()) {
      if (token === OPEN_ARRAY || token === OPEN_OBJECT) this.#deeper++;
      else if (token === CLOSE_ARRAY || token === CLOSE_OBJECT) this.#deeper--;
      if (this.#deeper > 0) continue;
      this.#expects = 'comma';
      return;
    }
  }

  /** Ends a block: all that a parser needs to go on after it, with nothing that keeps the block in memory. */
  place(block: string): JsonPlace {
    const view = this.#prefix + block;
    this.#nameFrames(view);
    if (this.scanner.open === STRING && this.#deeper === 0 && !isKey(this.#expects)) this.#cutString ??= { length: 0 };
    const prefix = this.#nextPrefix(view);
    // A number this long is nobody's data, and memory must not grow with it.
    if (prefix.value.length > JSON_BLOCK) this.#isBroken = true;
    this.#prefix = detach(prefix.key + prefix.colon + prefix.value);
    this.#blockStart += block.length;
    this.#keyStart = this.#blockStart - this.#prefix.length;
    this.#keyEnd = this.#keyStart + prefix.key.length;
    this.#literalStart = this.#blockStart - prefix.value.length;
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
      const start = this.#indexOf(this.#keyStarts[level] ?? 0) + 1;
      const end = this.#indexOf(this.#keyEnds[level] ?? 0) - 1;
      const key = parent?.kind === 'object' ? decodeKey(view.slice(start, Math.min(end, start + MAX_KEY + 1))) : '';
      this.#frames[level] = { kind: this.#kinds[level] ?? 'array', key, parent, count: 0 };
    }
  }

  /** The beginning of the item that the block cuts. */
  #nextPrefix(view: string): { key: string; colon: string; value: string } {
    const { open, start } = this.scanner;
    const expects = this.#expects;
    const inObject = this.#deeper === 0 && this.#kinds[this.#depth - 1] === 'object';
    const isCutKey = inObject && isKey(expects) && open === STRING;
    const hasKey = inObject && (expects === 'colon' || expects === 'value');
    if (isCutKey && start >= this.#blockStart) this.#keyStart = start;
    let key = '';
    this.#longKey = undefined;
    if (isCutKey || hasKey) {
      const raw = view.slice(this.#indexOf(this.#keyStart) + 1, isCutKey ? undefined : this.#indexOf(this.#keyEnd) - 1);
      key = `"${shortKey(raw, isCutKey ? this.#cutEscape(view) : '')}${isCutKey ? '' : '"'}`;
      if (isLongKey(raw)) this.#longKey = decodeKey(raw);
    }
    let value = '';
    if (open === LITERAL) value = view.slice(this.#indexOf(start >= this.#blockStart ? start : this.#literalStart));
    if (open === STRING && !isCutKey) value = `"${this.#cutEscape(view)}`;
    return { key, colon: inObject && expects === 'value' ? ':' : '', value };
  }

  /** The raw characters of an escape that the end of the text divides. */
  #cutEscape(view: string): string {
    const { lastEscape, start } = this.scanner;
    const index = this.#indexOf(lastEscape);
    const known = view.length - index;
    const isCut = lastEscape > start && (known === 1 || (known < 6 && view[index + 1] === 'u'));
    return isCut ? view.slice(index) : '';
  }

  /** Where a position is in the prefix and the block. */
  #indexOf(position: number): number {
    return position - this.#blockStart + this.#prefix.length;
  }
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
