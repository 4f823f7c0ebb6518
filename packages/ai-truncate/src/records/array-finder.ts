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

/** An open container. `key` is its last one, where keys are followed and it can be read. */
type Open = { isObject: boolean; followsKeys: boolean; key?: string | undefined };

/**
 * Finds an array of records in JSON text: the one that is named, or the first that holds objects. It goes on behind that
 * array, so that the end of the document is checked and other arrays that could have been meant are known.
 */
export class ArrayFinder {
  readonly #text: RecordText;
  readonly #at: readonly string[] | undefined;
  readonly #open: Open[] = [];
  #expectsKey = false;
  /** The way to an array that was just opened: what it holds decides whether it is one of records. */
  #peeked: string[] | undefined;
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
      if (this.#peeked) this.#note({ at: this.#peeked, holdsObjects: token === OPEN_OBJECT });
      if (!wasFound && this.found) {
        scanner.unread();
        break;
      }
      const inner = this.#open.at(-1);
      if (!inner) this.#requireRoot(token);
      if (token === OPEN_ARRAY || token === OPEN_OBJECT) {
        this.#enter(token === OPEN_OBJECT);
        if (!wasFound && this.found) break;
      } else if (token === CLOSE_ARRAY || token === CLOSE_OBJECT) {
        if (this.#open.pop()?.isObject !== (token === CLOSE_OBJECT))
          throw this.#error('broken', 'A bracket is closed that is not open');
        this.#expectsKey = false;
      } else if (token === STRING && inner && this.#expectsKey && inner.followsKeys) inner.key = this.#lastKey();
      else if (token === COMMA) this.#expectsKey = inner?.isObject === true;
      if (token === STRING || token === COLON) this.#expectsKey = false;
    }
    if (scanner.open !== NONE && this.#open.length === 0) this.#requireRoot(OTHER);
    const isShortKey = this.#expectsKey && scanner.open === STRING && scanner.end - scanner.start <= MAX_KEY_LENGTH + 2;
    this.#text.discardTo(isShortKey ? scanner.start : scanner.end);
  }

  /** Goes on behind the records, which were read to their closing bracket. */
  leaveRecords(): void {
    this.#open.pop();
  }

  finish(): void {
    if (!this.#hasStarted) throw new RecordError('not found', 'The artifact is empty.');
    if (this.#open.length > 0 || this.#text.scanner.open === STRING)
      throw new RecordError('broken', 'The JSON ends too early: it is cut off.');
  }

  #requireRoot(token: number): void {
    if (this.#hasStarted) throw this.#error('broken', 'More text follows after the end of the JSON');
    if (token !== OPEN_ARRAY && token !== OPEN_OBJECT) throw this.#error('broken', 'This is no JSON object or array');
    this.#hasStarted = true;
  }

  #enter(isObject: boolean): void {
    const depth = this.#open.length;
    if (depth === MAX_DEPTH) throw this.#error('too large', 'The JSON is nested too deep');
    const isFollowed = this.#open.at(-1)?.followsKeys !== false;
    const keys = isObject || !isFollowed ? undefined : this.#open.map(({ key }) => key);
    const mostKeys = Math.max(MAX_KEYS_TO_ARRAY, this.#at?.length ?? 0);
    this.#open.push({ isObject, followsKeys: isObject && isFollowed && depth < mostKeys });
    this.#expectsKey = isObject;
    if (!keys || keys.includes(undefined)) return;
    const path = keys as string[];
    const isNamed = this.#at && !this.found && isSame(path, this.#at);
    if (isNamed || (!this.#at && path.length === 0)) this.found = { at: path, holdsObjects: true };
    else this.#peeked = path;
  }

  /** Of an array that was opened: what it holds is known. */
  #note(array: FoundArray): void {
    this.#peeked = undefined;
    if (array.at.length > MAX_KEYS_TO_ARRAY) return;
    if (this.arrays.length < MAX_ARRAYS) this.arrays.push(array);
    if (!this.#at && array.holdsObjects) this.found ??= array;
  }

  #lastKey(): string | undefined {
    const { start, end } = this.#text.scanner;
    if (end - start - 2 > MAX_KEY_LENGTH) return undefined;
    try {
      return JSON.parse(this.#text.slice(start, end)) as string;
    } catch {
      return undefined;
    }
  }

  /** Of the token that was read last. */
  #error(problem: RecordProblem, message: string): RecordError {
    return new RecordError(problem, `${message} (byte ${this.#text.byteAt(this.#text.scanner.start)}).`);
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}
