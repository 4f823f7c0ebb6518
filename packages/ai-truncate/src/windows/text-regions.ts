import { bytesOfCharacters, codePointBorder, countNewlineBytes, countNewlines, decodeText } from '../text/utf.ts';
import type { TextPosition } from './place.ts';

/** A part of an artifact that is read at once: whole lines, or a piece of one that is longer than that. */
export interface Region {
  bytes: Uint8Array<ArrayBuffer>;
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
/** The bytes of an unfinished line that are repeated in the next region, so that a match shows the text before it. */
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
    const isWhole = isLast || newline >= lead;
    const bytes = buffer.slice(0, newline >= lead ? newline + 1 : filled);
    const end = isWhole ? bytes.length : codePointBorder(bytes, filled - AHEAD_BYTES);
    const text = decodeText(bytes);
    const from = lengthOf(bytes.subarray(0, lead));
    const to = isWhole ? text.length : lengthOf(bytes.subarray(0, end));
    const newlines = countNewlineBytes(bytes, { from: Math.min(lead, bytes.length), to: bytes.length });
    if (newline >= lead) keep(bytes.length, { lead: 0, character: 0 });
    else if (!isLast) {
      const start = codePointBorder(bytes, end - LEAD_BYTES);
      keep(start, { lead: end - start, character: character + to - from });
    }
    return { bytes, text, byte, from, to, character, newlines, isLast };
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

/** The facts about stored bytes that reading them line by line needs. */
export type ContentKind = 'text' | 'html' | 'gzip' | 'utf-16' | 'binary';

const LOOKED_AT = 1024;
/** With less there is nothing to judge by. */
const ENOUGH = 100;

/** What the beginning of a text tells of the bytes that it was decoded from. */
export function contentKind(beginning: string): ContentKind {
  const text = beginning.slice(0, LOOKED_AT);
  // 1f 8b: the second is no UTF-8.
  if (text.startsWith('\x1f\ufffd')) return 'gzip';
  if (text.startsWith('\ufffd\ufffd') && text.includes('\0')) return 'utf-16';
  if (text.includes('\0')) return 'binary';
  return /^\ufeff?\s*<(?:!doctype html|html|head|body)\b/i.test(text) ? 'html' : 'text';
}

/** Whether it can be read as text. */
export function isReadable(kind: ContentKind): boolean {
  return kind === 'text' || kind === 'html';
}

/** Whether a part from the middle of an artifact, which is no UTF-8, is no text at all: a NUL alone, as logs have them, says nothing. */
export function isUnreadable(part: string): boolean {
  const text = part.slice(0, LOOKED_AT);
  const strange = text.match(/[\0\ufffd]/g)?.length ?? 0;
  return text.length >= ENOUGH && strange > text.length / 3;
}
