import { artifactNameOf, isArtifactId, parseArtifactName } from '../artifacts/artifact-name.ts';
import type { Artifacts, ByteWindow, ReadOptions } from '../artifacts/artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { decodeText } from '../text/utf.ts';

// Places in artifacts: how a model sees them, and whether a place that a model sends is valid.

/** A place in an artifact. The byte makes going there cheap; line and character make what is there tell where it is. */
export interface TextPosition {
  /** Counted from 1. */
  line: number;
  /** Of the line, counted from 1. */
  character: number;
  /** Of the artifact, counted from 0. */
  byte: number;
}

/** Where an artifact begins. */
export const BEGINNING: TextPosition = { line: 1, character: 1, byte: 0 };

/** The text for a model to give back: `line:character:byte`. */
export function formatPosition({ line, character, byte }: TextPosition): string {
  return `${line}:${character}:${byte}`;
}

const POSITION = /^([1-9]\d{0,15}):([1-9]\d{0,15}):(0|[1-9]\d{0,15})$/;

/** Reads one back; `undefined` for anything that `formatPosition` cannot have written. */
export function parsePosition(text: unknown): TextPosition | undefined {
  if (typeof text !== 'string' || text.length > 60) return undefined;
  const [, ...numbers] = POSITION.exec(text) ?? [];
  const [line = 0, character = 0, byte = 0] = numbers.map(Number);
  // A line break and a character take at least a byte each.
  const isPossible = line > 0 && line - 1 + (character - 1) <= byte;
  return isPossible && [line, character, byte].every(Number.isSafeInteger) ? { line, character, byte } : undefined;
}

const LONGEST_CURSOR = 100;

/** A place, and of which artifact it is one. */
export function withId(path: string, place: string): string {
  return `${idOf(path)}:${place}`;
}

/** The place alone, of a cursor of this artifact; without an artifact it is one of any. */
export function placeOf(path: string, cursor: string): string {
  const id = /^[^:]{16}(?=:)/.exec(cursor)?.[0];
  if (id === undefined) return cursor;
  if (id === idOf(path)) return cursor.slice(id.length + 1, LONGEST_CURSOR);
  throw cursorError(cursor, 'the cursor of an answer about this artifact, as it was given');
}

/** The artifact of a cursor, and the place in it. */
export function parseCursor(cursor: string): { id: string; position: TextPosition } {
  const [, id = '', place] = (typeof cursor === 'string' && CURSOR.exec(cursor)) || [];
  const position = parsePosition(place);
  if (!position) throw cursorError(cursor, 'the cursor of an answer before, as it was given');
  return { id, position };
}

const CURSOR = /^([^:]{0,99}):(.{0,99})$/;

export function cursorError(cursor: unknown, expected: string): InvalidOptionError {
  return new InvalidOptionError({ option: 'cursor', value: cursor, expected });
}

/** The random part of a name; of what is none, nothing that an artifact could have. */
export function idOf(path: string): string {
  if (isArtifactId(path)) return path;
  return parseArtifactName(artifactNameOf(path) ?? '')?.id ?? '';
}

/** How much of a line is read to count its characters. */
const COUNTED_BYTES = 64 * 1024;
const LONGEST_CODE_POINT = 4;

/** Where a line begins, by the index; without `lineStart` when it is not there. */
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
 * Reads on at a place that came from a model; `undefined` when the place is not valid in this artifact. It is valid if a code
 * point starts there, and its number of characters from the start of the line is right. Beyond 64 KB into a line, that number
 * only has to be possible.
 */
export async function readAt(
  artifacts: Artifacts,
  path: string,
  { position, bytes, abortSignal }: ReadOptions & { position: TextPosition; bytes: number },
): Promise<{ window: ByteWindow; totalLines: number } | undefined> {
  const { line, byte, character } = position;
  const { lineStart, totalLines } = await findLineStart(artifacts, path, { line, abortSignal });
  const [size, characters] = [byte - (lineStart ?? 0), character - 1];
  if (lineStart === undefined || size < characters || size > 3 * characters) return undefined;
  const isNear = size <= COUNTED_BYTES;
  const end = byte + bytes + LONGEST_CODE_POINT;
  const window = await artifacts.readBytes(path, { start: isNear ? lineStart : byte - 1, end, abortSignal });
  const at = byte - window.start;
  if (byte > window.totalBytes || !isCodePointStart(window.bytes, at)) return undefined;
  if (!isNear) return window.bytes[at - 1] === 10 ? undefined : { window, totalLines };
  const text = decodeText(window.bytes.subarray(lineStart - window.start, at));
  return text.length === characters && !text.includes('\n') ? { window, totalLines } : undefined;
}

/** Whether a code point, or what stands for bytes that are none, starts here. */
function isCodePointStart(bytes: Uint8Array, index: number): boolean {
  const [from, to] = [Math.max(0, index - LONGEST_CODE_POINT), index + LONGEST_CODE_POINT];
  const parts = decodeText(bytes.subarray(from, index)) + decodeText(bytes.subarray(index, to));
  return parts === decodeText(bytes.subarray(from, to));
}
