import { artifactNameOf, isArtifactId, parseArtifactName } from '../artifacts/artifact-name.ts';
import type { Artifacts, ByteWindow, ReadOptions } from '../artifacts/artifacts.ts';
import { textViewOf } from '../artifacts/text-views.ts';
import { InvalidOptionError } from '../errors.ts';
import { decodableFrom, LONGEST_ESCAPE, viewOfBytes } from '../json/text-view.ts';
import { decodeText } from '../text/utf.ts';

// Places in artifacts: their form for a model, and the check of a place that a model sends.

/** A place in an artifact. The byte makes reading there cheap. Line and character say where the text is. */
export interface TextPosition {
  /** Counted from 1. */
  line: number;
  /** The character in the line, counted from 1. */
  character: number;
  /** The byte in the artifact, counted from 0. */
  byte: number;
}

/** The beginning of an artifact. */
export const BEGINNING: TextPosition = { line: 1, character: 1, byte: 0 };

/** The text that a model sends to continue: `line:character:byte`. */
export function formatPosition({ line, character, byte }: TextPosition): string {
  return `${line}:${character}:${byte}`;
}

const POSITION = /^([1-9]\d{0,15}):([1-9]\d{0,15}):(0|[1-9]\d{0,15})$/;

/** Reads a formatted place; `undefined` for text that `formatPosition` cannot have written. */
export function parsePosition(text: unknown): TextPosition | undefined {
  if (typeof text !== 'string' || text.length > 60) return undefined;
  const [, ...numbers] = POSITION.exec(text) ?? [];
  const [line = 0, character = 0, byte = 0] = numbers.map(Number);
  // A line break and a character each take at least one byte.
  const isPossible = line > 0 && line - 1 + (character - 1) <= byte;
  return isPossible && [line, character, byte].every(Number.isSafeInteger) ? { line, character, byte } : undefined;
}

const LONGEST_CURSOR = 100;

/** A place with the name of its artifact. */
export function withId(path: string, place: string): string {
  return `${idOf(path)}:${place}`;
}

/** The place in a cursor of this artifact. A cursor without an artifact fits any artifact. */
export function placeOf(path: string, cursor: string): string {
  const id = /^[^:]{16}(?=:)/.exec(cursor)?.[0];
  if (id === undefined) return cursor;
  if (id === idOf(path)) return cursor.slice(id.length + 1, LONGEST_CURSOR);
  throw cursorError(cursor, 'an unchanged cursor from an answer about this artifact');
}

/** The artifact of a cursor, and the place in it. */
export function parseCursor(cursor: string): { id: string; position: TextPosition } {
  const [, id = '', place] = (typeof cursor === 'string' && CURSOR.exec(cursor)) || [];
  const position = parsePosition(place);
  if (!position) throw cursorError(cursor, 'an unchanged cursor from an earlier answer');
  return { id, position };
}

const CURSOR = /^([^:]{0,99}):(.{0,99})$/;

export function cursorError(cursor: unknown, expected: string): InvalidOptionError {
  return new InvalidOptionError({ option: 'cursor', value: cursor, expected });
}

/** The random part of a name. For an invalid name, a text that no artifact has. */
export function idOf(path: string): string {
  if (isArtifactId(path)) return path;
  return parseArtifactName(artifactNameOf(path) ?? '')?.id ?? '';
}

/** The part of a line that is read to count its characters. */
const COUNTED_BYTES = 64 * 1024;
/** Enough bytes for any code point, even if it is escaped. */
const REACH = LONGEST_ESCAPE;
/** The most bytes of a character, in UTF-8 and escaped. */
const MAX_BYTES = 3;
const MAX_ESCAPE_BYTES = LONGEST_ESCAPE / 2;

/** The start of a line, from the index; without `lineStart` if the line does not exist. */
export async function findLineStart(
  artifacts: Artifacts,
  path: string,
  { line, abortSignal }: ReadOptions & { line: number },
): Promise<{ lineStart: number | undefined; totalLines: number }> {
  if (line === 1) return { lineStart: 0, totalLines: (await artifacts.info(path, { abortSignal })).lines };
  const { lines, totalLines } = await artifacts.readLines(path, { start: line, count: 1, maxBytes: 1, abortSignal });
  return { lineStart: lines[0]?.start, totalLines };
}

/**
 * Continues at a place from a model; `undefined` if the place is not valid in this artifact. It is valid if a code point starts
 * there, and its character number in the line is correct. Beyond 64 KB into a line, the number only has to be possible.
 */
export async function readAt(
  artifacts: Artifacts,
  path: string,
  { position, bytes, abortSignal }: ReadOptions & { position: TextPosition; bytes: number },
): Promise<{ window: ByteWindow; totalLines: number } | undefined> {
  const { line, byte, character } = position;
  const { lineStart, totalLines } = await findLineStart(artifacts, path, { line, abortSignal });
  const [size, characters] = [byte - (lineStart ?? 0), character - 1];
  if (lineStart === undefined || size < characters || size > MAX_ESCAPE_BYTES * characters) return undefined;
  const isNear = size <= COUNTED_BYTES;
  const end = byte + bytes + REACH;
  const start = isNear ? lineStart : byte - REACH;
  const window = await artifacts.readBytes(path, { start, end, abortSignal });
  if (byte > window.totalBytes) return undefined;
  const isView = textViewOf(window) !== undefined;
  if (!isView && size > MAX_BYTES * characters) return undefined;
  const at = byte - window.start;
  // Far into a line, the bytes before the place may start inside an escape.
  const from = isNear ? lineStart - window.start : isView ? decodableFrom(window.bytes.subarray(0, at)) : 0;
  const toText = isView ? viewText : decodeText;
  const before = toText(window.bytes.subarray(from, at));
  const behind = toText(window.bytes.subarray(at, at + REACH));
  const isStart = before + behind === toText(window.bytes.subarray(from, at + REACH));
  const isInLine = isNear ? before.length === characters && !before.includes('\n') : !before.endsWith('\n');
  return isStart && isInLine ? { window, totalLines } : undefined;
}

/**
 * The text of the stored bytes of a view. An incomplete escape at their end is not decoded. The first half of a surrogate pair there
 * is not incomplete, because the second half may be missing.
 */
function viewText(bytes: Uint8Array): string {
  const { view, offsets } = viewOfBytes(bytes, { start: 0 });
  const rest = decodeText(bytes.subarray(offsets.storedOf(view.length)));
  return decodeText(view) + (WHOLE_ESCAPE.test(rest) ? '\ufffd' : rest);
}

const WHOLE_ESCAPE = /^\\u[\da-f]{4}$/i;
