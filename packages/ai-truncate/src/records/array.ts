import { bytesOfJson, CLOSE, COLON, COMMA, OPEN, QUOTE, SPACE } from './bytes.ts';
import { RecordError } from './record-error.ts';

/** Arrays that stand deeper are found only when they are named. */
const MAX_KEYS = 3;
const MAX_KEY_BYTES = 1024;
const MAX_ARRAYS = 10;
/** Around the records: the keys and brackets that lead to them, and what stands beside them. */
const MAX_DEPTH = 100_000;

const OBJECT = 1;
const ARRAY = 2;

/** An array of the document, by the keys that lead to it. */
export interface FoundArray {
  at: string[];
  holdsObjects: boolean;
}

/**
 * Finds an array of records in JSON bytes: the one that is named, or the first that holds objects. It goes on behind that
 * array, so that the end of the document is checked and other arrays that could have been meant are known.
 */
export class ArrayFinder {
  readonly #roles: Uint8Array = bytesOfJson('comma');
  readonly #at: readonly string[] | undefined;
  readonly #kinds: Uint8Array = new Uint8Array(MAX_DEPTH + 1);
  readonly #keys: (string | undefined)[] = [];
  readonly #keyBytes: Uint8Array = new Uint8Array(MAX_KEY_BYTES);
  #keyLength = 0;
  #depth = 0;
  #arraysAbove = 0;
  #isInString = false;
  #isEscaped = false;
  #isInKey = false;
  #expectsKey = false;
  /** An array was opened, and what it holds decides whether it is one of records. */
  #isPeeking = false;
  #hasStarted = false;

  /** The records that are read; `undefined` until they are found. */
  found: FoundArray | undefined;
  readonly arrays: FoundArray[] = [];

  constructor(at: readonly string[] | undefined) {
    this.#at = at;
  }

  /** Reads on from `from`. Gives the place inside the array, and `found` is set; or `length`. */
  scan(bytes: Uint8Array, { from, length, base }: { from: number; length: number; base: number }): number {
    const wasFound = this.found !== undefined;
    let at = from;
    while (at < length) {
      if (this.#isInString) {
        at = this.#skipString(bytes, at, length);
        continue;
      }
      const byte = bytes[at] as number;
      const role = this.#roles[byte];
      if (role === SPACE) {
        at++;
        continue;
      }
      if (this.#isPeeking) {
        this.#isPeeking = false;
        this.#note(byte === 0x7b);
        if (!wasFound && this.found) return at;
      }
      if (this.#depth === 0) this.#requireRoot(byte, base + at);
      if (role === QUOTE) {
        this.#isInString = true;
        this.#isInKey = this.#expectsKey && this.#tracksKeys();
        this.#expectsKey = false;
        this.#keyLength = 0;
      } else if (role === OPEN) {
        this.#open(byte === 0x7b ? OBJECT : ARRAY, base + at);
        if (!wasFound && this.found) return at + 1;
      } else if (role === CLOSE) {
        this.#close(byte === 0x7d ? OBJECT : ARRAY, base + at);
      } else if (role === COMMA) {
        this.#expectsKey = this.#kinds[this.#depth] === OBJECT;
      } else if (role === COLON) {
        this.#expectsKey = false;
      }
      at++;
    }
    return length;
  }

  /** Goes on behind the records, which were read to their closing bracket. */
  leaveRecords(): void {
    this.#depth--;
    this.#arraysAbove--;
  }

  finish(): void {
    if (!this.#hasStarted) throw new RecordError('not found', 'The artifact is empty.');
    if (this.#depth > 0 || this.#isInString) throw new RecordError('broken', 'The JSON ends too early: it is cut off.');
  }

  #requireRoot(byte: number, place: number): void {
    if (this.#hasStarted)
      throw new RecordError('broken', `More text follows after the end of the JSON (byte ${place}).`);
    if (byte !== 0x7b && byte !== 0x5b)
      throw new RecordError('broken', `This is no JSON object or array (byte ${place}).`);
    this.#hasStarted = true;
  }

  #open(kind: number, place: number): void {
    if (this.#depth === MAX_DEPTH) throw new RecordError('too large', `The JSON is nested too deep (byte ${place}).`);
    this.#kinds[++this.#depth] = kind;
    this.#expectsKey = kind === OBJECT;
    if (kind === OBJECT) {
      if (this.#tracksKeys()) this.#keys[this.#depth] = undefined;
      return;
    }
    if (this.#arraysAbove++ > 0 || this.#depth > this.#trackedKeys() + 1) return;
    const path = this.#path();
    if (path === undefined) return;
    const isNamed = this.#at && !this.found && isSame(path, this.#at);
    if (isNamed || (!this.#at && path.length === 0)) this.found = { at: path, holdsObjects: true };
    else this.#isPeeking = true;
  }

  /** Of an array that was opened: what it holds is known. */
  #note(holdsObjects: boolean): void {
    const at = this.#path() ?? [];
    if (this.arrays.length < MAX_ARRAYS && at.length <= MAX_KEYS) this.arrays.push({ at, holdsObjects });
    if (!this.#at && !this.found && holdsObjects && at.length <= MAX_KEYS) this.found = { at, holdsObjects };
  }

  #close(kind: number, place: number): void {
    if (this.#kinds[this.#depth] !== kind)
      throw new RecordError('broken', `A bracket is closed that is not open (byte ${place}).`);
    this.#depth--;
    if (kind === ARRAY) this.#arraysAbove--;
    this.#expectsKey = false;
  }

  /** The keys that lead to the array that was just opened; `undefined` when one of them cannot be read. */
  #path(): string[] | undefined {
    const keys = this.#keys.slice(1, this.#depth);
    return keys.includes(undefined) ? undefined : (keys as string[]);
  }

  #trackedKeys(): number {
    return Math.max(MAX_KEYS, this.#at?.length ?? 0);
  }

  #tracksKeys(): boolean {
    return this.#arraysAbove === 0 && this.#depth <= this.#trackedKeys();
  }

  #skipString(bytes: Uint8Array, from: number, length: number): number {
    let at = from;
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === 0x22) {
        this.#isInString = false;
        if (this.#isInKey) this.#keys[this.#depth] = this.#readKey();
        return at + 1;
      } else if (byte === 0x5c) this.#isEscaped = true;
      if (this.#isInKey && this.#keyLength <= MAX_KEY_BYTES) this.#keyBytes[this.#keyLength++] = byte;
    }
    return length;
  }

  #readKey(): string | undefined {
    if (this.#keyLength > MAX_KEY_BYTES) return undefined;
    try {
      return JSON.parse(`"${new TextDecoder().decode(this.#keyBytes.subarray(0, this.#keyLength))}"`) as string;
    } catch {
      return undefined;
    }
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}
