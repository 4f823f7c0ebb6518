import type { TextPosition } from '../artifacts/text-regions.ts';
import { codePointStart, isHighSurrogate, isLowSurrogate } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { windowWords } from './window-words.ts';

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
export function positionAfter({
  line,
  character,
  text,
  isEnd,
  endByte,
  isLast,
}: StoredPiece): TextPosition | undefined {
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
