import type { ByteWindow } from '../artifacts/byte-window.ts';
import { codePointBorder, type LineWindow } from '../artifacts/line-window.ts';
import type { TextPosition } from '../artifacts/text-regions.ts';
import { byteLength, bytesOfCharacters, decodeText } from '../text/utf.ts';
import type { StoredPiece } from './text-window.ts';

const NEWLINE = 10;

/** Lines as `readLines` gives them. */
export function piecesOfLines({ lines, totalLines }: LineWindow): StoredPiece[] {
  return lines.map(({ number, text, start, bytes, shownBytes }) => ({
    line: number,
    character: 1,
    text,
    isEnd: shownBytes === bytes,
    byte: start,
    endByte: start + shownBytes,
    isLast: number === totalLines && shownBytes === bytes,
  }));
}

/** Lines as bytes hold them that start at a known place; what is cut inside a code point is left out. */
export function piecesOfBytes(
  { bytes: all, start, end, totalBytes }: ByteWindow,
  position: TextPosition,
): StoredPiece[] {
  const isWhole = end >= totalBytes;
  // A window starts at the border of a code point, which in what is no text can be before the place.
  const from = position.byte - start;
  const to = isWhole ? all.length : codePointBorder(all, Math.max(from, all.length - 4));
  const pieces: StoredPiece[] = [];
  let { line, character } = position;
  for (let at = from; at <= to; ) {
    const newline = all.indexOf(NEWLINE, at);
    const isEnded = newline !== -1 && newline < to;
    const pieceEnd = isEnded ? newline : to;
    const isLast = !isEnded && isWhole;
    if (isEnded || isLast || pieceEnd > at) {
      const text = decodeText(all.subarray(at, pieceEnd));
      const place = { byte: start + at, endByte: start + pieceEnd };
      pieces.push({ line, character, text, isEnd: isEnded || isLast, isLast, ...place });
    }
    if (!isEnded) break;
    at = newline + 1;
    line++;
    character = 1;
  }
  return pieces;
}

/** The bytes of the first characters of a piece; `undefined` when that cannot be told from its text. */
export function bytesOfBeginning({ text, byte, endByte }: StoredPiece, characters: number): number | undefined {
  const beginning = text.slice(0, characters);
  // What was no UTF-8 weighs less than U+FFFD, which stands for it.
  const isExact = !beginning.includes('\ufffd') || byteLength(text) === endByte - byte;
  return isExact ? byteLength(beginning) : undefined;
}

/** The same from the stored bytes. */
export function storedBytesOfBeginning(window: ByteWindow, piece: StoredPiece, characters: number): number {
  return bytesOfCharacters(window.bytes.subarray(piece.byte - window.start), piece.text, characters);
}
