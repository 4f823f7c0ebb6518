import type { ByteWindow, LineWindow } from '../artifacts/artifacts.ts';
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
  /** Of the line, counted from 1: where the piece starts. */
  character: number;
  /** Without the line break; a carriage return is a part of it. */
  text: string;
  /** Whether the line ends with it. */
  isEnd: boolean;
}

/** A piece, and where it lies. */
export interface StoredPiece extends TextPiece {
  /** The byte of the artifact at which it starts, and the one after its last. */
  byte: number;
  endByte: number;
  /** The artifact ends with it. */
  isLast: boolean;
}

export interface TextWindow {
  /** What of the pieces is shown. */
  pieces: TextPiece[];
  /** The same for a model: with line numbers, and with nothing that hides or reorders text. */
  content: string;
  /** The piece that is shown in part, and how many of its characters. */
  cut?: { piece: StoredPiece; characters: number };
}

/**
 * As many pieces as a page has room for. A line that does not fit is left for the next page; only when it is the first it is
 * cut, at a code point; `maxFirst` cuts it earlier. So every page shows something, however small it is.
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

/** Where the artifact goes on behind a piece. */
export function positionAfter(piece: StoredPiece): TextPosition | undefined {
  const { line, character, text, isEnd, endByte, isLast } = piece;
  if (!isEnd) return { line, character: character + text.length, byte: endByte };
  return isLast ? undefined : { line: line + 1, character: 1, byte: endByte + 1 };
}

function rowOf({ line, character, text, isEnd }: TextPiece): string {
  const label = character === 1 ? windowWords.line(line) : windowWords.restOfLine(line, character);
  return label + visibleText(text) + (isEnd ? '' : windowWords.goesOn);
}

/** Characters that cannot be seen are shown by their codes: less fit then. At least one code point, or no page would follow. */
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

/** At most so many lines as bytes hold them that start at a known place; what is cut inside a code point is left out. */
export function piecesOfBytes(
  { bytes: all, start, end, totalBytes }: ByteWindow,
  { position, limit }: { position: TextPosition; limit: number },
): StoredPiece[] {
  const isWhole = end >= totalBytes;
  // A window starts at the border of a code point, which in what is no text can be before the place.
  const from = position.byte - start;
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
      const place = { byte: start + at, endByte: start + pieceEnd };
      pieces.push({ line, character, text, isEnd: isEnded || isLast, isLast, ...place });
    }
    if (!isEnded) break;
    at = newline + 1;
  }
  return pieces;
}

/** The size of a piece's first characters. Reads them, because invalid UTF-8 has fewer bytes than the U+FFFD shown for it. */
export async function bytesOfBeginning(
  { text, byte, endByte }: StoredPiece,
  { characters, readPiece }: { characters: number; readPiece: () => Promise<ByteWindow> },
): Promise<number> {
  const beginning = text.slice(0, characters);
  if (!beginning.includes('\ufffd') || byteLength(text) === endByte - byte) return byteLength(beginning);
  const { bytes, start } = await readPiece();
  return bytesOfCharacters(bytes.subarray(byte - start), text, characters);
}

/** How lines stand in the text of a page. */
const windowWords = {
  line: (line: number): string => `${line}: `,
  /** Of a line whose beginning stands on an earlier page. */
  restOfLine: (line: number, character: number): string => `${line} (from character ${character}): `,
  goesOn: ' … (this line goes on)',
};
