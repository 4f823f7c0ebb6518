import { codePointBorder } from '../artifacts/line-window.ts';
import { countNewlineBytes, decodeText } from '../text/utf.ts';

/** A part of an artifact that is searched at once: whole lines, or a piece of one that is longer than that. */
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
export async function* searchRegions(
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
