import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  MAX_DEPTH,
  NONE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  OTHER,
  STRING,
} from '../json/json-scanner.ts';
import type { RecordText } from './record-text.ts';
import { type FoundArray, RecordError, type RecordProblem } from './record-words.ts';

/** Arrays that more keys lead to are found only when they are named. */
export const MAX_KEYS_TO_ARRAY = 3;
const MAX_KEY_LENGTH = 1024;
const MAX_ARRAYS = 10;

/**
 * Finds an array of records in JSON text: the one that is named, or the first that holds objects. It goes on behind that
 * array, so that the end of the document is checked and other arrays that could have been meant are known.
 */
export class ArrayFinder {
  readonly #text: RecordText;
  readonly #at: readonly string[] | undefined;
  /** Whether each open container is an object, outermost first. */
  readonly #isObject: boolean[] = [];
  readonly #keys: (string | undefined)[] = [];
  /** The beginning of a key that goes on in the next piece. */
  #cutKey = '';
  #arraysAbove = 0;
  #expectsKey = false;
  /** An array was opened, and what it holds decides whether it is one of records. */
  #isPeeking = false;
  #hasStarted = false;

  /** The records that are read; `undefined` until they are found. */
  found: FoundArray | undefined;
  readonly arrays: FoundArray[] = [];

  constructor(text: RecordText, at: readonly string[] | undefined) {
    this.#text = text;
    this.#at = at;
  }

  /** Reads on, up to the beginning of the records or the end of the piece. */
  read(): void {
    const { scanner } = this.#text;
    const wasFound = this.found !== undefined;
    for (let token = scanner.next(); token !== NONE; token = scanner.next()) {
      if (this.#isPeeking) {
        this.#isPeeking = false;
        this.#note(token === OPEN_OBJECT);
        if (!wasFound && this.found) {
          scanner.unread();
          return;
        }
      }
      if (this.#isObject.length === 0) this.#requireRoot(token);
      if (token === STRING) this.#endString();
      else if (token === OPEN_ARRAY || token === OPEN_OBJECT) {
        this.#open(token === OPEN_OBJECT);
        if (!wasFound && this.found) return;
      } else if (token === CLOSE_ARRAY || token === CLOSE_OBJECT) this.#close(token === CLOSE_OBJECT);
      else if (token === COMMA) this.#expectsKey = this.#isObject.at(-1) === true;
      else if (token === COLON) this.#expectsKey = false;
    }
    if (scanner.open === NONE) return;
    if (this.#isObject.length === 0) this.#requireRoot(OTHER);
    if (this.#isInKey() && this.#cutKey.length <= MAX_KEY_LENGTH) this.#cutKey += scanner.raw;
  }

  /** Goes on behind the records, which were read to their closing bracket. */
  leaveRecords(): void {
    this.#isObject.pop();
    this.#arraysAbove--;
  }

  finish(): void {
    if (!this.#hasStarted) throw new RecordError('not found', 'The artifact is empty.');
    if (this.#isObject.length > 0 || this.#text.scanner.open === STRING)
      throw new RecordError('broken', 'The JSON ends too early: it is cut off.');
  }

  #requireRoot(token: number): void {
    if (this.#hasStarted) throw this.#error('broken', 'More text follows after the end of the JSON');
    if (token !== OPEN_ARRAY && token !== OPEN_OBJECT) throw this.#error('broken', 'This is no JSON object or array');
    this.#hasStarted = true;
  }

  #open(isObject: boolean): void {
    const depth = this.#isObject.push(isObject);
    if (depth > MAX_DEPTH) throw this.#error('too large', 'The JSON is nested too deep');
    this.#expectsKey = isObject;
    if (isObject) {
      if (this.#tracksKeys()) this.#keys[depth] = undefined;
      return;
    }
    if (this.#arraysAbove++ > 0 || depth > this.#trackedKeys() + 1) return;
    const path = this.#path();
    if (path === undefined) return;
    const isNamed = this.#at && !this.found && isSame(path, this.#at);
    if (isNamed || (!this.#at && path.length === 0)) this.found = { at: path, holdsObjects: true };
    else this.#isPeeking = true;
  }

  /** Of an array that was opened: what it holds is known. */
  #note(holdsObjects: boolean): void {
    const at = this.#path() ?? [];
    if (at.length > MAX_KEYS_TO_ARRAY) return;
    if (this.arrays.length < MAX_ARRAYS) this.arrays.push({ at, holdsObjects });
    if (!this.#at && !this.found && holdsObjects) this.found = { at, holdsObjects };
  }

  #close(isObject: boolean): void {
    if (this.#isObject.pop() !== isObject) throw this.#error('broken', 'A bracket is closed that is not open');
    if (!isObject) this.#arraysAbove--;
    this.#expectsKey = false;
  }

  /** The keys that lead to the array that was just opened; `undefined` when one of them cannot be read. */
  #path(): string[] | undefined {
    const keys = this.#keys.slice(1, this.#isObject.length);
    return keys.includes(undefined) ? undefined : (keys as string[]);
  }

  #trackedKeys(): number {
    return Math.max(MAX_KEYS_TO_ARRAY, this.#at?.length ?? 0);
  }

  #tracksKeys(): boolean {
    return this.#arraysAbove === 0 && this.#isObject.length <= this.#trackedKeys();
  }

  #isInKey(): boolean {
    return this.#expectsKey && this.#tracksKeys();
  }

  #endString(): void {
    if (this.#isInKey()) this.#keys[this.#isObject.length] = decodeKey(this.#cutKey + this.#text.scanner.raw);
    this.#cutKey = '';
    this.#expectsKey = false;
  }

  /** Of the token that was read last. */
  #error(problem: RecordProblem, message: string): RecordError {
    return new RecordError(problem, `${message} (byte ${this.#text.byteAt(this.#text.scanner.start)}).`);
  }
}

function decodeKey(quoted: string): string | undefined {
  if (quoted.length - 2 > MAX_KEY_LENGTH) return undefined;
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}
