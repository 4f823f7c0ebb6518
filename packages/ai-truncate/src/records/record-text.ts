import { JsonScanner } from '../json/json-scanner.ts';
import { byteLength, bytePieces, codePointBorder, decodeText } from '../text/utf.ts';

/** Records, some hundred at a time. Reading them ends with a `RecordError` when they cannot be read to their end. */
export interface Records extends AsyncIterable<unknown[]> {
  /** What was odd about them, for the model, as far as they were read. */
  notes?(): string[];
}

/** So much is decoded, scanned and parsed in one step: about 300 records. */
const PIECE_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Bytes as text, in pieces that are one short step each, without the mark that may stand before UTF-8. Each piece is decoded by
 * itself, so that ASCII takes one byte a character: with `stream: true` it takes two.
 */
export async function* textsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  /** The last character, unless it is ASCII: its end may be in the next piece. */
  let rest: Uint8Array = new Uint8Array();
  let isFirst = true;
  const withoutMark = (text: string): string => {
    const start = isFirst && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    isFirst = false;
    return text.slice(start);
  };
  for await (const chunk of bytes) {
    for (const piece of bytePieces(chunk, PIECE_BYTES)) {
      const joined = rest.length === 0 ? piece : joinBytes(rest, piece);
      const last = joined.length - 1;
      const end = (joined[last] as number) < 0x80 ? joined.length : codePointBorder(joined, last);
      // A copy: the source may fill the same chunk again.
      rest = joined.slice(end);
      const text = decodeText(joined.subarray(0, end));
      if (text !== '') yield withoutMark(text);
    }
  }
  if (rest.length > 0) yield withoutMark(decodeText(rest));
}

function joinBytes(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}

/** JSON text that comes in pieces: its scanner, and what is not done with yet. */
export class RecordText {
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

  /** Bytes that are not done with. */
  get keptBytes(): number {
    return this.#endByte - this.#startByte;
  }

  /** Forgets what stands before a position. */
  discardTo(position: number): void {
    if (position === this.#start) return;
    this.#kept = this.#kept.slice(position - this.#start);
    this.#start = position;
    // What is left is short: nearly always less than a record.
    this.#startByte = this.#endByte - byteLength(this.#kept);
  }

  slice(start: number, end: number): string {
    return this.#kept.slice(start - this.#start, end - this.#start);
  }

  byteAt(position: number): number {
    return this.#startByte + byteLength(this.slice(this.#start, position));
  }
}
