import { bytesOfCharacters, codePointBorder, countNewlineBytes, countNewlines, decodeText } from '../text/utf.ts';

/** A part of an artifact that is read at once: whole lines, or a piece of one that is longer than that. */
export interface Region {
  bytes: Uint8Array;
  text: string;
  /** The byte of the artifact at which bytes and text begin. */
  byte: number;
  /** Where in the text the region itself begins; before it stands what came before. */
  from: number;
  /** Where it ends; behind it stands what comes next, if a line goes on there. */
  to: number;
  /** Characters of its line before `from`; 0 at the start of a line. */
  character: number;
  /** Line breaks from `from` to `to`. */
  newlines: number;
  /** The artifact ends with it. */
  isLast: boolean;
}

export interface RegionStart {
  /** The byte of the artifact at which the bytes begin. */
  byte: number;
  /** How many of them only come before what is searched. */
  leadBytes: number;
  /** Characters of the line before what is searched. */
  character: number;
}

const REGION_BYTES = 256 * 1024;
/** Of a line that goes on in the next region: enough to show what stands before a match. */
const LEAD_BYTES = 1024;
/** Holds as many characters as are ever searched in one step, whatever they are. */
const AHEAD_BYTES = 16 * 1024;
const NEWLINE = 10;

/**
 * Cuts bytes into regions. Where they are cut depends on where the bytes begin, not on the chunks they come in, so that the
 * same search finds the same in every store; a line of any length needs no more memory than two regions.
 */
export async function* textRegions(
  chunks: AsyncIterable<Uint8Array>,
  { byte, leadBytes, character }: RegionStart,
): AsyncGenerator<Region> {
  const buffer = new Uint8Array(REGION_BYTES);
  let filled = 0;
  let next = { byte, lead: leadBytes, character };

  function cut(isLast: boolean): Region {
    const { byte, lead, character } = next;
    const newline = isLast ? -1 : buffer.lastIndexOf(NEWLINE, filled - 1);
    const bytes = buffer.slice(0, newline >= lead ? newline + 1 : filled);
    const text = decodeText(bytes);
    const from = lengthOf(bytes.subarray(0, lead));
    const newlines = countNewlineBytes(bytes, { from: Math.min(lead, bytes.length), to: bytes.length });
    const region = { bytes, text, byte, from, to: text.length, character, newlines, isLast };
    if (isLast) return region;
    if (newline >= lead) {
      keep(bytes.length, { lead: 0, character: 0 });
      return region;
    }
    const end = codePointBorder(bytes, filled - AHEAD_BYTES);
    const to = lengthOf(bytes.subarray(0, end));
    const nextStart = codePointBorder(bytes, end - LEAD_BYTES);
    keep(nextStart, { lead: end - nextStart, character: character + to - from });
    return { ...region, to };
  }

  function keep(start: number, rest: { lead: number; character: number }): void {
    buffer.copyWithin(0, start, filled);
    filled -= start;
    next = { byte: next.byte + start, ...rest };
  }

  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + buffer.length - filled);
      buffer.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled === buffer.length) yield cut(false);
    }
  }
  yield cut(true);
}

function lengthOf(bytes: Uint8Array): number {
  return bytes.length === 0 ? 0 : decodeText(bytes).length;
}

/** A place in an artifact. The byte makes going there cheap; line and character make what is there tell where it is. */
export interface TextPosition {
  /** Counted from 1. */
  line: number;
  /** Of the line, counted from 1. */
  character: number;
  /** Of the artifact, counted from 0. */
  byte: number;
}

/** The text for a model to give back: `line:character:byte`. */
export function formatPosition({ line, character, byte }: TextPosition): string {
  return `${line}:${character}:${byte}`;
}

/** Reads one back; `undefined` for anything that `formatPosition` cannot have written. */
export function parsePosition(text: unknown): TextPosition | undefined {
  if (typeof text !== 'string' || text.length > 60) return undefined;
  const match = /^([1-9]\d{0,15}):([1-9]\d{0,15}):(0|[1-9]\d{0,15})$/.exec(text);
  if (!match) return undefined;
  const [line = 0, character = 0, byte = 0] = match.slice(1).map(Number);
  // A line break and a character take at least a byte each.
  const isPossible = line - 1 + (character - 1) <= byte;
  return isPossible && [line, character, byte].every(Number.isSafeInteger) ? { line, character, byte } : undefined;
}

/** Which place of the artifact an index into the text of a region is; `line` is the line of an earlier index, by default of its start. */
export function positionAt(
  region: Region,
  { index, line, counted = region.from }: { index: number; line: number; counted?: number },
): TextPosition {
  const { bytes, text, byte, from, character } = region;
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  const isFirst = index === 0 || lineStart <= from;
  return {
    line: line + countNewlines(text, { from: counted, to: index }),
    character: (isFirst ? character + index - from : index - lineStart) + 1,
    byte: byte + bytesOfCharacters(bytes, text, index),
  };
}
