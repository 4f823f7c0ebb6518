import { byteLength } from '../text/utf.ts';
import { JsonScanner } from './json-scanner.ts';

/**
 * - `broken`: the text breaks the rules of its format.
 * - `too large`: one record is larger than can be read in short steps.
 * - `not found`: there are no records at the place that was named.
 * - `no table`: the text is not in a format with records.
 */
export type RecordProblem = 'broken' | 'too large' | 'not found' | 'no table';

/** The reason why records cannot be read, in words for the model. Readers convert it to their output, so callers never receive it. */
export class RecordError extends Error {
  readonly problem: RecordProblem;

  constructor(problem: RecordProblem, message: string) {
    super(message);
    this.name = 'RecordError';
    this.problem = problem;
  }
}

/** JSON text that comes in pieces: its scanner, and the part that is still needed. */
export class JsonPieces {
  readonly scanner: JsonScanner = new JsonScanner();
  #kept = '';
  /** The position, and the byte, at which the kept text starts. */
  #start = 0;
  #startByte = 0;
  #endByte = 0;

  /** Adds a piece and feeds the scanner with it, up to `limit` for now. */
  append(piece: string, limit?: number): void {
    this.#kept += piece;
    this.#endByte += byteLength(piece);
    this.scanner.feed(piece, limit);
  }

  /** Bytes that are still needed. */
  get keptBytes(): number {
    return this.#endByte - this.#startByte;
  }

  /** Forgets the text before a position. */
  discardTo(position: number): void {
    if (position === this.#start) return;
    const isAscii = this.keptBytes === this.#kept.length;
    this.#kept = this.#kept.slice(position - this.#start);
    this.#start = position;
    // The rest is short: nearly always less than a record.
    this.#startByte = this.#endByte - (isAscii ? this.#kept.length : byteLength(this.#kept));
  }

  slice(start: number, end: number): string {
    return this.#kept.slice(start - this.#start, end - this.#start);
  }

  byteAt(position: number): number {
    if (this.keptBytes === this.#kept.length) return this.#startByte + position - this.#start;
    return this.#startByte + byteLength(this.slice(this.#start, position));
  }

  /** The text of a string from quote to quote, such as a key; `undefined` for one that is too long or broken. */
  stringAt({ start, end, maxChars }: { start: number; end: number; maxChars: number }): string | undefined {
    if (end - start - 2 > maxChars) return undefined;
    try {
      return JSON.parse(this.slice(start, end)) as string;
    } catch {
      return undefined;
    }
  }
}
