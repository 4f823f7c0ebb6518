import type { ByteWindow, LineWindow } from '../artifacts/artifacts.ts';
import { textViewOf } from '../artifacts/text-views.ts';
import { viewOfBytes } from '../json/text-view.ts';
import {
  byteLength,
  bytesOfCharacters,
  codePointBorder,
  codePointStart,
  decodeText,
  isHighSurrogate,
  isLowSurrogate,
} from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import type { TextPosition } from './place.ts';

/** A line, or a part of one, as it is stored. */
export interface TextPiece {
  /** Counted from 1. */
  line: number;
  /** The character in the line at which the piece starts, counted from 1. */
  character: number;
  /** Without the line break. A carriage return is a part of the text. */
  text: string;
  /** The line ends with this piece. */
  isEnd: boolean;
}

/** A piece, and its place in the artifact. */
export interface StoredPiece extends TextPiece {
  /** The byte of the artifact at which it starts, and the byte after it. */
  byte: number;
  endByte: number;
  /** The byte at which the next line starts, if the line ends with this piece. */
  nextByte: number;
  /** The artifact ends with this piece. */
  isLast: boolean;
  /** The number of stored bytes for a number of bytes of the text. Present only in a text view. */
  storedBytes?: (bytes: number) => number;
}

export interface TextWindow {
  /** The shown part of the pieces. */
  pieces: TextPiece[];
  /** The same for a model: with line numbers, and without characters that hide or reorder text. */
  content: string;
  /** The piece that is shown in part, and the number of its shown characters. */
  cut?: { piece: StoredPiece; characters: number };
}

/**
 * As many pieces as fit on a page. A line that does not fit is left for the next page. Only the first line is cut, at a code
 * point; `maxFirst` cuts it earlier. So even a small page shows some text.
 */
export function fitWindow(
  pieces: readonly StoredPiece[],
  { maxChars, maxFirst = Number.POSITIVE_INFINITY }: { maxChars: number; maxFirst?: number | undefined },
): TextWindow {
  const rows: string[] = [];
  const shown: TextPiece[] = [];
  let room = maxChars + 1;
  for (const piece of pieces) {
    const row = rowOf(piece);
    const isFirst = shown.length === 0;
    if (row.length + 1 > room || (isFirst && piece.text.length > maxFirst)) {
      if (!isFirst) break;
      const characters = charactersThatFit(piece, { maxChars, maxFirst });
      const part = { ...piece, text: piece.text.slice(0, characters), isEnd: false };
      return { pieces: [toTextPiece(part)], content: rowOf(part), cut: { piece, characters } };
    }
    rows.push(row);
    shown.push(toTextPiece(piece));
    room -= row.length + 1;
  }
  return { pieces: shown, content: rows.join('\n') };
}

/** The place in the artifact after a piece. */
export function positionAfter(piece: StoredPiece): TextPosition | undefined {
  const { line, character, text, isEnd, endByte, nextByte, isLast } = piece;
  if (!isEnd) return { line, character: character + text.length, byte: endByte };
  return isLast ? undefined : { line: line + 1, character: 1, byte: nextByte };
}

function rowOf({ line, character, text, isEnd }: TextPiece): string {
  const label = character === 1 ? windowWords.line(line) : windowWords.restOfLine(line, character);
  return label + visibleText(text) + (isEnd ? '' : windowWords.goesOn);
}

/**
 * Invisible characters are shown as longer codes, so fewer fit. At least one code point must fit, because the next page would
 * otherwise be the same.
 */
function charactersThatFit(piece: StoredPiece, { maxChars, maxFirst }: { maxChars: number; maxFirst: number }): number {
  let count = codePointStart(piece.text, Math.min(piece.text.length, maxChars, maxFirst));
  for (;;) {
    const row = rowOf({ ...piece, text: piece.text.slice(0, count), isEnd: false });
    const excess = row.length - maxChars;
    if (excess <= 0 || count === 0) return Math.max(count, firstCharacter(piece.text));
    count = codePointStart(piece.text, Math.max(count - excess, count >> 1));
  }
}

function firstCharacter(text: string): number {
  return isHighSurrogate(text.charCodeAt(0)) && isLowSurrogate(text.charCodeAt(1)) ? 2 : 1;
}

function toTextPiece({ line, character, text, isEnd }: TextPiece): TextPiece {
  return { line, character, text, isEnd };
}

const NEWLINE = 10;

/** Lines as returned by `readLines`. */
export function piecesOfLines(window: LineWindow): StoredPiece[] {
  const { lines, totalLines } = window;
  const offsets = textViewOf(window)?.offsets;
  return lines.map(({ number, text, start, bytes, shownBytes }) => {
    const endByte = start + shownBytes;
    return {
      line: number,
      character: 1,
      text,
      isEnd: shownBytes === bytes,
      byte: start,
      endByte,
      // The line break of a view can be an escape.
      nextByte: offsets ? offsets.storedOf(offsets.viewOf(endByte) + 1) : endByte + 1,
      isLast: number === totalLines && shownBytes === bytes,
      ...(offsets && { storedBytes: (count: number) => offsets.storedOf(offsets.viewOf(start) + count) - start }),
    };
  });
}

/** The bytes of a text, starting at a known place. */
export interface TextBytes {
  /** The bytes of a view are decoded. */
  bytes: Uint8Array;
  /** The index of the place. */
  from: number;
  /** The stored place of the byte at an index. */
  storedOf: (index: number) => number;
  isView: boolean;
  /** The artifact, or the requested line, ends with these bytes. */
  isWhole: boolean;
}

/** The bytes of a window, starting at a place in it. */
export function textBytes(window: ByteWindow, position: TextPosition): TextBytes {
  const { bytes, start, end, totalBytes } = window;
  // A window starts at the border of a code point. In invalid text, this can be before the place.
  const from = position.byte - start;
  const isWhole = end >= totalBytes;
  if (!textViewOf(window)) return { bytes, from, storedOf: (index) => start + index, isView: false, isWhole };
  const { view, offsets } = viewOfBytes(bytes.subarray(from), { start: position.byte });
  return { bytes: view, from: 0, storedOf: (index) => offsets.storedOf(index), isView: true, isWhole };
}

/** At most `limit` lines, as far as the bytes contain them. A split code point is left out. */
export function piecesOfBytes(
  { bytes: all, from, storedOf, isView, isWhole }: TextBytes,
  { position, limit }: { position: TextPosition; limit: number },
): StoredPiece[] {
  const to = isWhole ? all.length : codePointBorder(all, Math.max(from, all.length - 4));
  const pieces: StoredPiece[] = [];
  let { line, character } = position;
  for (let at = from; at <= to && pieces.length < limit; line++, character = 1) {
    const newline = all.indexOf(NEWLINE, at);
    const isEnded = newline !== -1 && newline < to;
    const pieceEnd = isEnded ? newline : to;
    const isLast = !isEnded && isWhole;
    if (isEnded || isLast || pieceEnd > at) {
      const text = decodeText(all.subarray(at, pieceEnd));
      const [start, byte] = [at, storedOf(at)];
      pieces.push({
        line,
        character,
        text,
        isEnd: isEnded || isLast,
        isLast,
        byte,
        endByte: storedOf(pieceEnd),
        nextByte: storedOf(pieceEnd + 1),
        ...(isView && { storedBytes: (count: number) => storedOf(start + count) - byte }),
      });
    }
    if (!isEnded) break;
    at = newline + 1;
  }
  return pieces;
}

/** The size of a piece's first characters. Reads them, because invalid UTF-8 has fewer bytes than the U+FFFD shown for it. */
export async function bytesOfBeginning(
  { text, byte, endByte, storedBytes }: StoredPiece,
  { characters, readPiece }: { characters: number; readPiece: () => Promise<ByteWindow> },
): Promise<number> {
  const beginning = text.slice(0, characters);
  if (storedBytes) return storedBytes(byteLength(beginning));
  if (!beginning.includes('\ufffd') || byteLength(text) === endByte - byte) return byteLength(beginning);
  const { bytes, start } = await readPiece();
  return bytesOfCharacters(bytes.subarray(byte - start), text, characters);
}

/** The format of lines in the text of a page. */
const windowWords = {
  line: (line: number): string => `${line}: `,
  /** For a line that starts on an earlier page. */
  restOfLine: (line: number, character: number): string => `${line} (from character ${character}): `,
  goesOn: ' … (this line goes on)',
};
