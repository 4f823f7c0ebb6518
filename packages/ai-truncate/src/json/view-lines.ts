import { ESCAPED } from './text-view.ts';

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const NEWLINE = 10;
/** The digits of an escaped line feed that is not written as `\n`. */
const NEWLINE_DIGITS = '000a';

const NO_WORDS: Int32Array = new Int32Array();

type OnBreak = (end: number, breakBytes: number) => void;

/** Finds the line breaks of a view in the stored bytes, in chunks of any size. */
export class ViewLines {
  /** There was an escape, so the view differs from the stored JSON. */
  hasEscapes = false;
  /** The characters of the open escape that have been read, its backslash included; 0 outside of an escape. */
  #open = 0;
  #isBreak = false;

  /** An escape is open, so that its end comes with the next chunk. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** Calls back for each line break, with the index after it and how many bytes it takes. */
  read(chunk: Uint8Array, onBreak: OnBreak): void {
    const { length, buffer, byteOffset } = chunk;
    // A view of words starts at a multiple of four.
    const firstWord = (4 - (byteOffset % 4)) % 4;
    const words =
      length < firstWord ? NO_WORDS : new Int32Array(buffer, byteOffset + firstWord, (length - firstWord) >> 2);
    let at = this.#endEscape(chunk, { from: 0, onBreak });
    while (at < length) {
      if ((at - firstWord) % 4 === 0) {
        // Reads four bytes at a time, which halves the time for the index of a view.
        let word = (at - firstWord) >> 2;
        while (word < words.length && !hasBreakOrEscape(words[word] as number)) word++;
        at = firstWord + word * 4;
        if (at >= length) break;
      }
      const byte = chunk[at++];
      if (byte === NEWLINE) onBreak(at, 1);
      else if (byte === BACKSLASH) {
        this.hasEscapes = true;
        const next = chunk[at];
        if (next === undefined || next === LETTER_U) {
          this.#open = 1;
          at = this.#endEscape(chunk, { from: at, onBreak });
        } else {
          at++;
          if (ESCAPED[next] === NEWLINE) onBreak(at, 2);
        }
      }
    }
  }

  /** Reads the open escape to its end, or to the end of the chunk. Answers the index after it. */
  #endEscape(chunk: Uint8Array, { from, onBreak }: { from: number; onBreak: OnBreak }): number {
    let at = from;
    while (this.#open > 0 && at < chunk.length) {
      const byte = chunk[at++] as number;
      const digit = this.#open++ - 2;
      if (digit === -1) {
        this.#isBreak = byte === LETTER_U || ESCAPED[byte] === NEWLINE;
        if (byte === LETTER_U) continue;
      } else this.#isBreak &&= String.fromCharCode(byte).toLowerCase() === NEWLINE_DIGITS[digit];
      if (digit === -1 || digit === NEWLINE_DIGITS.length - 1) {
        this.#open = 0;
        if (this.#isBreak) onBreak(at, digit + 3);
      }
    }
    return at;
  }
}

/** Whether one of four bytes is a line feed or a backslash. */
function hasBreakOrEscape(word: number): boolean {
  const feeds = word ^ 0x0a0a0a0a;
  const escapes = word ^ 0x5c5c5c5c;
  // The highest bit of the lowest byte that is zero; the bytes above it may be wrong.
  return ((((feeds - 0x01010101) & ~feeds) | ((escapes - 0x01010101) & ~escapes)) & 0x80808080) !== 0;
}

/** Counts the line breaks inside the strings of JSON text, in chunks of any size. */
export class LineBreaks {
  count = 0;
  /** A backslash that begins an escape, at the end of the last chunk. */
  #rest = '';

  push(chunk: string): void {
    const json = this.#rest + chunk;
    for (let at = json.indexOf('\\n'); at !== -1; at = json.indexOf('\\n', at + 2)) {
      if (beginsEscape(json, at)) this.count++;
    }
    this.#rest = json.endsWith('\\') && beginsEscape(json, json.length - 1) ? '\\' : '';
  }
}

/** The line breaks inside the strings of JSON text. */
export function countLineBreaks(json: string): number {
  const breaks = new LineBreaks();
  breaks.push(json);
  return breaks.count;
}

/** Decodes JSON text, in chunks of any size. */
export class ViewText {
  /** There was an escape, so the view differs from the JSON. */
  hasEscapes = false;
  /** The beginning of an escape whose end comes with the next chunk. */
  #rest = '';

  push(chunk: string): string {
    const json = this.#rest + chunk;
    if (!json.includes('\\')) return json;
    this.hasEscapes = true;
    const end = endOfEscapes(json);
    this.#rest = json.slice(end);
    return decodeEscapes(json.slice(0, end));
  }
}

/** The start of an escape whose end has not arrived; the length of the bytes if there is none. */
function endOfEscapes(json: string): number {
  const at = json.lastIndexOf('\\');
  if (!beginsEscape(json, at)) return json.length;
  const length = json[at + 1] === 'u' ? '\\u0000'.length : '\\n'.length;
  return at + length > json.length ? at : json.length;
}

/** Whether the backslash at an index is not itself escaped. */
function beginsEscape(json: string, at: number): boolean {
  let run = at;
  while (json.charCodeAt(run - 1) === BACKSLASH) run--;
  return (at - run) % 2 === 0;
}

function decodeEscapes(json: string): string {
  // Inside one long string there is neither a line break of the layout nor a quote, and the engine decodes it several times as fast.
  if (!json.includes('\n')) {
    try {
      return JSON.parse(`"${json}"`);
    } catch {
      // A string begins or ends in it.
    }
  }
  let text = '';
  let from = 0;
  for (let at = json.indexOf('\\'); at !== -1; at = json.indexOf('\\', from)) {
    text += json.slice(from, at);
    const code = json.charCodeAt(at + 1);
    from = at + (code === LETTER_U ? 6 : 2);
    text += String.fromCharCode(
      code === LETTER_U ? Number.parseInt(json.slice(at + 2, from), 16) : (ESCAPED[code] ?? code),
    );
  }
  return text + json.slice(from);
}
