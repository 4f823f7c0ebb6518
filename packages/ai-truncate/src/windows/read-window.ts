import type { Artifacts } from '../artifacts/artifacts.ts';
import { requireWholeNumber } from '../options.ts';
import { pace } from '../pace.ts';
import { ANSWER_CHARS } from '../reader-limits.ts';
import { byteLength, bytesOfCharacters, codePointStart } from '../text/utf.ts';
import { cursorError, findLineStart, formatPosition, parsePosition, readAt, type TextPosition } from './place.ts';
import { type ContentKind, contentKind, isReadable, isUnreadable, positionAt, textRegions } from './text-regions.ts';
import {
  bytesOfBeginning,
  fitWindow,
  piecesOfBytes,
  piecesOfLines,
  positionAfter,
  type StoredPiece,
  type TextPiece,
  type TextWindow,
  textBytes,
} from './text-window.ts';

export interface ReadWindowOptions {
  /** The first line, counted from 1. A negative number counts from the end: -20 for the last 20 lines. @default 1 */
  offset?: number | undefined;
  /** The most lines, up to 10,000. @default 2000 */
  limit?: number | undefined;
  /** A part of one line, by character, counted from 1. */
  chars?: { line: number; start?: number | undefined; count?: number | undefined } | undefined;
  /** The place to continue: `next` of an earlier answer, or `at` of a match. */
  cursor?: string | undefined;
  /** The most characters of `content`, at least 200. @default 8000 */
  maxChars?: number | undefined;
  /** The most characters of the first line, without its number. @default `chars.count` */
  maxFirstChars?: number | undefined;
  abortSignal?: AbortSignal | undefined;
}

export interface ReadWindowResult {
  /** The lines with their numbers, for a model. Characters that hide or reorder text are made visible. */
  content: string;
  /** The same lines as stored. Empty after the end of the artifact, and for content that is not text. */
  pieces: TextPiece[];
  totalLines: number;
  /** The place to continue; absent at the end. */
  next?: string;
  /** The content is shown only for `text` and `html`. */
  kind: ContentKind;
}

/** The most bytes per character, so that a page of any text fits. */
const MAX_BYTES_PER_CHARACTER = 3;

/**
 * A page of an artifact: lines from a number on, a part of a line, or the continuation of an earlier page. It costs two to four
 * reads of the store, for any place and any size of the artifact. Following `next` to the end reads every character exactly once.
 */
export async function readWindow(
  artifacts: Artifacts,
  path: string,
  options: ReadWindowOptions = {},
): Promise<ReadWindowResult> {
  const { chars, cursor, limit = 2000, maxChars = ANSWER_CHARS } = options;
  const { count = maxChars } = chars ?? {};
  requireWholeNumber('limit', { value: limit, min: 1, max: 10_000 });
  requireWholeNumber('maxChars', { value: maxChars, min: 200, max: 100_000 });
  requireWholeNumber('chars.count', { value: count, min: 1 });
  const page = { ...options, limit, maxChars };
  const found =
    cursor !== undefined
      ? await readOn(artifacts, path, { ...page, cursor })
      : chars !== undefined
        ? await readCharacters(artifacts, path, { ...page, chars })
        : await readLines(artifacts, path, page);
  const { pieces, totalLines } = found;
  const kind = kindOf(pieces);
  if (!isReadable(kind)) return { content: '', pieces: [], totalLines, kind };
  const maxFirst = options.maxFirstChars ?? (cursor === undefined ? chars && count : undefined);
  const window = fitWindow(pieces, { maxChars, maxFirst });
  const next = await nextPosition(artifacts, path, { window, pieces, options });
  const { content, pieces: shown } = window;
  return { content, pieces: shown, totalLines, ...(next ? { next: formatPosition(next) } : {}), kind };
}

interface Page extends ReadWindowOptions {
  limit: number;
  maxChars: number;
}

interface FoundPieces {
  pieces: StoredPiece[];
  totalLines: number;
}

async function readLines(artifacts: Artifacts, path: string, page: Page): Promise<FoundPieces> {
  const { offset = 1, limit, maxChars, abortSignal } = page;
  const maxBytes = maxChars * MAX_BYTES_PER_CHARACTER;
  const window = await artifacts.readLines(path, { start: offset, count: limit, maxBytes, abortSignal });
  return { pieces: piecesOfLines(window), totalLines: window.totalLines };
}

async function readOn(artifacts: Artifacts, path: string, page: Page & { cursor: string }): Promise<FoundPieces> {
  const { cursor, limit, maxChars, abortSignal } = page;
  const position = parsePosition(cursor);
  if (position?.character === 1) {
    const found = await readLines(artifacts, path, { ...page, offset: position.line });
    if (found.pieces[0]?.byte === position.byte) return found;
  } else if (position) {
    const bytes = maxChars * MAX_BYTES_PER_CHARACTER;
    const found = await readAt(artifacts, path, { position, bytes, abortSignal });
    if (found) {
      const pieces = piecesOfBytes(textBytes(found.window, position), { position, limit });
      return { pieces, totalLines: found.totalLines };
    }
  }
  throw cursorError(cursor, 'an unchanged cursor from an answer about this artifact');
}

/**
 * The text of a line from a character on: a few thousand characters, or up to the end of the line. Empty if the line is shorter.
 * The line is read from its start in bounded memory, because the byte of a character is unknown. A cursor avoids this.
 */
async function readCharacters(
  artifacts: Artifacts,
  path: string,
  { chars, abortSignal }: Page & { chars: NonNullable<ReadWindowOptions['chars']> },
): Promise<FoundPieces> {
  const { line, start: character = 1 } = chars;
  requireWholeNumber('chars.line', { value: line, min: 1 });
  requireWholeNumber('chars.start', { value: character, min: 1 });
  const { lineStart, totalLines } = await findLineStart(artifacts, path, { line, abortSignal });
  if (lineStart === undefined) return { pieces: [], totalLines };
  const stream = await artifacts.readStream(path, { start: lineStart, abortSignal });
  const regions = textRegions(stream, { byte: lineStart, leadBytes: 0, character: 0 });
  for await (const region of pace(regions, { abortSignal })) {
    const { bytes, text, byte, from, to, isLast } = region;
    const index = codePointStart(text, from + character - 1 - region.character);
    const newline = text.indexOf('\n', from);
    if (character === 1 || index < (newline === -1 ? to : newline)) {
      const found = {
        bytes,
        from: bytesOfCharacters(bytes, text, index),
        storedOf: region.storedOf ?? ((offset: number) => byte + offset),
        isView: region.storedOf !== undefined,
        isWhole: isLast || newline !== -1,
      };
      const position = positionAt(region, { index, line });
      return { pieces: piecesOfBytes(found, { position, limit: 1 }), totalLines };
    }
    if (newline !== -1) break;
  }
  return { pieces: [], totalLines };
}

/** The place after the content of a page. */
async function nextPosition(
  artifacts: Artifacts,
  path: string,
  { window, pieces, options }: { window: TextWindow; pieces: StoredPiece[]; options: ReadWindowOptions },
): Promise<TextPosition | undefined> {
  const { cut } = window;
  if (!cut) {
    const last = pieces[window.pieces.length - 1];
    return last && positionAfter(last);
  }
  const { piece, characters } = cut;
  const readPiece = () => {
    return artifacts.readBytes(path, { start: piece.byte, end: piece.endByte, abortSignal: options.abortSignal });
  };
  const bytes = await bytesOfBeginning(piece, { characters, readPiece });
  return { line: piece.line, character: piece.character + characters, byte: piece.byte + bytes };
}

function kindOf(pieces: StoredPiece[]): ContentKind {
  // A view escapes a NUL and half a pair.
  if (pieces[0]?.storedBytes) return 'text';
  const text = pieces
    .slice(0, 1024)
    .map((piece) => piece.text)
    .join('\n');
  if (pieces[0]?.byte === 0) return contentKind(text);
  const isUtf8 = pieces.every((piece) => byteLength(piece.text) === piece.endByte - piece.byte);
  return !isUtf8 && isUnreadable(text) ? 'binary' : 'text';
}
