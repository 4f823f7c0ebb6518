import { bytesOfJson, CLOSE, COLON, COMMA, NEWLINE, OPEN, QUOTE, SPACE } from './bytes.ts';
import { RecordError } from './record-error.ts';

/** Deeper data is nobody's record, and what walks it later may recurse. */
const MAX_RECORD_DEPTH = 1000;

/** What one record may cost to parse: a hundred thousand keys are one long step, however few bytes they are. */
const MAX_WEIGHT = 1_000_000;
const KEY_WEIGHT = 40;
const CONTAINER_WEIGHT = 10;

export interface BorderOptions {
  /** Members of an array stand between commas, lines of NDJSON between line feeds. */
  separator: 'comma' | 'newline';
  maxRecordBytes: number;
}

/** The part of a buffer that was not scanned before, and where in the whole the buffer starts. */
export interface Unscanned {
  from: number;
  length: number;
  base: number;
}

/**
 * Finds where records end, and nothing else: it knows quotes, escapes, brackets and separators. Whether a record is right
 * is judged by the parser. A right document is always cut right; a wrong cut of a broken one cannot pass the parser.
 */
export class RecordBorders {
  readonly #options: BorderOptions;
  readonly #roles: Uint8Array;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Whether the last string has an escape; it is a key when a colon follows. */
  #hasEscape = false;
  #record = -1;
  #isAfterComma = false;
  #weight = 0;
  #base = 0;
  /** Counted from 1; only where lines are records. */
  #line = 1;

  /** Whole records: from the first that is not taken yet to the end of the last. `end` is -1 when there is none. */
  start = -1;
  end = -1;
  /** How many whole records there are. */
  count = 0;
  /** The line at which `start` stands. */
  startLine = 1;
  /** Some key from `start` on is written with an escape. */
  hasEscapedKey = false;
  /** The bracket of the array was reached. */
  isClosed = false;

  constructor(options: BorderOptions) {
    this.#options = options;
    this.#roles = bytesOfJson(options.separator);
  }

  /** Reads on from `from` and gives the place it came to: `length`, or right after the array. */
  scan(bytes: Uint8Array, { from, length, base }: Unscanned): number {
    this.#base = base;
    const roles = this.#roles;
    const isLines = this.#options.separator === 'newline';
    let at = from;
    let depth = this.#depth;
    let weight = this.#weight;
    while (at < length) {
      if (this.#isInString) {
        at = this.#skipString(bytes, at, length);
        continue;
      }
      const role = roles[bytes[at] as number];
      if (role === SPACE) {
        at++;
        continue;
      }
      if (role === COMMA) {
        weight++;
        if (depth === 0) {
          if (isLines) throw this.#broken(at, 'has more than one value');
          if (this.#record < 0) throw this.#broken(at, 'is missing before a comma');
          this.#endRecord(at);
          this.#isAfterComma = true;
          weight = 0;
        }
        at++;
        continue;
      }
      if (role === NEWLINE) {
        if (depth > 0) throw this.#broken(this.#record, 'is not closed at the end of its line');
        this.#line++;
        if (this.#record >= 0) {
          // What the parser is given is an array.
          bytes[at] = 0x2c;
          this.#endRecord(at);
          weight = 0;
        }
        at++;
        continue;
      }
      if (role === CLOSE) {
        if (depth === 0) {
          this.#close(bytes[at] as number, at);
          this.#depth = 0;
          return at + 1;
        }
        depth--;
        at++;
        continue;
      }
      if (this.#record < 0) {
        this.#record = at;
        if (this.start < 0) {
          this.start = at;
          this.startLine = this.#line;
        }
      }
      if (role === QUOTE) {
        this.#isInString = true;
        this.#hasEscape = false;
      } else if (role === OPEN) {
        weight += CONTAINER_WEIGHT;
        if (++depth > MAX_RECORD_DEPTH) throw this.#tooLarge(`is nested deeper than ${MAX_RECORD_DEPTH} levels`);
      } else if (role === COLON) {
        weight += KEY_WEIGHT;
        if (this.#hasEscape) this.hasEscapedKey = true;
      }
      at++;
    }
    this.#depth = depth;
    this.#weight = weight;
    if (weight > MAX_WEIGHT) throw this.#tooLarge('has too many members for one record');
    if (this.#record >= 0 && length - this.#record > this.#options.maxRecordBytes)
      throw this.#tooLarge(`is larger than ${this.#options.maxRecordBytes} bytes`);
    return length;
  }

  /** The whole records were taken. Gives how much of the buffer is done with and has to be discarded: all but an open record. */
  take(scanned: number): number {
    const done = this.#record < 0 ? scanned : this.#record;
    // An escape may stand in a record that is not whole yet: told once too often does no harm.
    this.hasEscapedKey = this.#record >= 0 && this.hasEscapedKey;
    this.#record = this.start = this.#record < 0 ? -1 : 0;
    this.startLine = this.#line;
    this.end = -1;
    this.count = 0;
    return done;
  }

  /** Ends lines, of which the last may have no line feed. */
  finish(length: number): void {
    if (this.#record < 0) return;
    if (this.#depth > 0 || this.#isInString) throw this.#broken(this.#record, 'is not closed');
    this.#endRecord(length);
  }

  #skipString(bytes: Uint8Array, from: number, length: number): number {
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at++;
    }
    for (; at < length; at++) {
      const byte = bytes[at];
      if (byte === 0x22) {
        this.#isInString = false;
        return at + 1;
      }
      if (byte === 0x5c) {
        this.#hasEscape = true;
        if (++at === length) this.#isEscaped = true;
      } else if (byte === 0x0a && this.#options.separator === 'newline') {
        throw this.#broken(this.#record, 'is not closed at the end of its line');
      }
    }
    return length;
  }

  #endRecord(end: number): void {
    this.end = end;
    this.count++;
    this.#record = -1;
  }

  #close(bracket: number, at: number): void {
    if (this.#options.separator === 'newline') throw this.#broken(at, 'closes a bracket that is not open');
    if (bracket !== 0x5d) throw this.#broken(this.#record < 0 ? at : this.#record, 'closes a bracket that is not open');
    if (this.#record < 0 && this.#isAfterComma) throw this.#broken(at, 'is missing after a comma');
    if (this.#record >= 0) this.#endRecord(at);
    this.isClosed = true;
  }

  #broken(start: number, problem: string): RecordError {
    return new RecordError('broken', `${this.#name(start)} ${problem}.`);
  }

  #tooLarge(problem: string): RecordError {
    return new RecordError('too large', `${this.#name(this.#record)} ${problem}.`);
  }

  #name(start: number): string {
    return this.#options.separator === 'newline' ? `Line ${this.#line}` : `The record at byte ${this.#base + start}`;
  }
}
