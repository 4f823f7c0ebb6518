import { textViewOf } from '../artifacts/text-views.ts';
import { decodableFrom, ViewDecoder } from '../json/text-view.ts';
import { bytesOfCharacters, codePointBorder, countNewlineBytes, countNewlines, decodeText } from '../text/utf.ts';
import type { TextPosition } from './place.ts';

/** A part of an artifact that is read at once: whole lines, or a piece of a longer line. */
export interface Region {
  /**
   * Valid until the second region after this one is requested. In a text view, the bytes are decoded, and `storedOf` returns
   * their stored place.
   */
  bytes: Uint8Array<ArrayBuffer>;
  text: string;
  /** The byte of the artifact at which bytes and text start, and the byte after them. */
  byte: number;
  endByte: number;
  /** The start of the region in the text, after the repeated part of the line. */
  from: number;
  /** The end of the region in the text, before more of a line that continues. */
  to: number;
  /** Characters of its line before `from`; 0 at the start of a line. */
  character: number;
  /** Line breaks from `from` to `to`. */
  newlines: number;
  /** The artifact ends with this region. */
  isLast: boolean;
  /** The stored place of a byte of the region. Present only in a text view, and valid as long as `bytes`. */
  storedOf?: (offset: number) => number;
}

export interface RegionStart {
  /** The byte of the artifact at which the bytes start. */
  byte: number;
  /** The number of bytes that only precede the searched bytes. */
  leadBytes: number;
  /** Characters of the line before the searched bytes. */
  character: number;
}

/** V8 decodes texts of less than 128 KB eight times as fast, because it allocates separate memory pages for larger texts. */
const REGION_BYTES = 60 * 1024;
/** The bytes of an unfinished line that are repeated in the next region, so that a match shows the text before it. */
const LEAD_BYTES = 1024;
/** Enough for the characters that are searched in one step, in any script. */
const AHEAD_BYTES = 16 * 1024;
const NEWLINE = 10;

/**
 * Cuts bytes into regions. The cuts depend on the start of the bytes, not on their chunks, so that the same search has the same
 * result in every store. A line of any length takes no more memory than two regions. The bytes of a text view are decoded.
 */
export async function* textRegions(chunks: AsyncIterable<Uint8Array>, start: RegionStart): AsyncGenerator<Region> {
  const source = textViewOf(chunks) ? viewSource(start) : storedSource(start);
  // Two buffers in turns, because a new one for each region would make the garbage collector do most of the work.
  let buffer = new Uint8Array(REGION_BYTES);
  let other = new Uint8Array(REGION_BYTES);
  let filled = 0;
  let next = { start: 0, lead: 0, character: start.character };
  let isFirst = true;

  function cut(isLast: boolean): Region {
    if (isFirst) next.lead = source.lead();
    isFirst = false;
    const { lead, character } = next;
    const newline = isLast ? -1 : buffer.lastIndexOf(NEWLINE, filled - 1);
    const isWhole = isLast || newline >= lead;
    const bytes = buffer.subarray(0, newline >= lead ? newline + 1 : filled);
    const end = isWhole ? bytes.length : codePointBorder(bytes, filled - AHEAD_BYTES);
    const text = decodeText(bytes);
    const from = lengthOf(bytes.subarray(0, lead));
    const to = isWhole ? text.length : lengthOf(bytes.subarray(0, end));
    const newlines = countNewlineBytes(bytes, { from: Math.min(lead, bytes.length), to: bytes.length });
    const place = source.placeOf(bytes.length);
    if (newline >= lead) next = { start: bytes.length, lead: 0, character: 0 };
    else if (!isLast) {
      const start = codePointBorder(bytes, end - LEAD_BYTES);
      next = { start, lead: end - start, character: character + to - from };
    }
    return { bytes, text, ...place, from, to, character, newlines, isLast };
  }

  /** Moves the part that the next region repeats to the other buffer. */
  function goOn(): void {
    const rest = buffer.subarray(next.start, filled);
    other.set(rest);
    [buffer, other] = [other, buffer];
    filled = rest.length;
    source.advance(next.start);
  }

  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const { read, written } = source.copy(chunk.subarray(at), buffer.subarray(filled));
      filled += written;
      at += read;
      if (at === chunk.length && filled < buffer.length) continue;
      yield cut(false);
      goOn();
    }
  }
  yield cut(true);
}

/** Fills the buffer of a region, and knows the stored place of its bytes. */
interface RegionSource {
  /** Copies as many bytes as fit. */
  copy(chunk: Uint8Array, room: Uint8Array): { read: number; written: number };
  /** Bytes of the first region that only precede the searched bytes. */
  lead(): number;
  /** The stored place of the first `length` bytes of the buffer. */
  placeOf(length: number): Pick<Region, 'byte' | 'endByte' | 'storedOf'>;
  /** Called after `count` bytes leave the start of the buffer. */
  advance(count: number): void;
}

function storedSource({ byte, leadBytes }: RegionStart): RegionSource {
  let base = byte;
  return {
    copy(chunk, room) {
      const part = chunk.subarray(0, room.length);
      room.set(part);
      return { read: part.length, written: part.length };
    },
    lead: () => leadBytes,
    placeOf: (length) => ({ byte: base, endByte: base + length }),
    advance(count) {
      base += count;
    },
  };
}

function viewSource({ byte, leadBytes }: RegionStart): RegionSource {
  /** `undefined` until the first decodable byte, because the bytes before a search may start inside an escape. */
  let decoder = leadBytes === 0 ? new ViewDecoder(byte) : undefined;
  let skipped = 0;
  let base = 0;
  let baseBefore = 0;
  return {
    copy(chunk, room) {
      let from = 0;
      if (!decoder) {
        from = Math.min(decodableFrom(chunk, { isInRun: skipped > 0 }), leadBytes - skipped);
        skipped += from;
        if (from < chunk.length || skipped === leadBytes) decoder = new ViewDecoder(byte + skipped);
        if (!decoder) return { read: chunk.length, written: 0 };
      }
      const { read, written } = decoder.decodeInto(chunk.subarray(from), room);
      return { read: from + read, written };
    },
    lead: () => decoder?.offsets.viewOf(byte + leadBytes) ?? 0,
    placeOf(length) {
      const { offsets } = decoder ?? new ViewDecoder(byte);
      offsets.forget(baseBefore);
      const start = base;
      const storedOf = (offset: number) => offsets.storedOf(start + offset);
      return { byte: storedOf(0), endByte: storedOf(length), storedOf };
    },
    advance(count) {
      baseBefore = base;
      base += count;
    },
  };
}

function lengthOf(bytes: Uint8Array): number {
  return bytes.length === 0 ? 0 : decodeText(bytes).length;
}

/**
 * The place in the artifact of an index into the text of a region. `line` is the line of an earlier index (`counted`), by default
 * the start of the region.
 */
export function positionAt(
  region: Region,
  { index, line, counted = region.from }: { index: number; line: number; counted?: number },
): TextPosition {
  const { bytes, text, byte, from, character, storedOf = (offset) => byte + offset } = region;
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  const isFirst = index === 0 || lineStart <= from;
  return {
    line: line + countNewlines(text, { from: counted, to: index }),
    character: (isFirst ? character + index - from : index - lineStart) + 1,
    byte: storedOf(bytesOfCharacters(bytes, text, index)),
  };
}

/** The kind of stored bytes, as far as reading them by lines needs it. */
export type ContentKind = 'text' | 'html' | 'gzip' | 'utf-16' | 'binary';

const LOOKED_AT = 1024;
/** Fewer characters are not enough to decide. */
const ENOUGH = 100;

/** Detects the kind of bytes from the beginning of their decoded text. */
export function contentKind(beginning: string): ContentKind {
  const text = beginning.slice(0, LOOKED_AT);
  // The second byte of 1f 8b is not valid UTF-8.
  if (text.startsWith('\x1f\ufffd')) return 'gzip';
  if (text.startsWith('\ufffd\ufffd') && text.includes('\0')) return 'utf-16';
  if (text.includes('\0')) return 'binary';
  return /^\ufeff?\s*<(?:!doctype html|html|head|body)\b/i.test(text) ? 'html' : 'text';
}

/** The same for the first region of an artifact. A view is always text, even with an escaped NUL. */
export function regionKind({ text, storedOf }: Region): ContentKind {
  return storedOf ? 'text' : contentKind(text);
}

/** Whether the content can be read as text. */
export function isReadable(kind: ContentKind): boolean {
  return kind === 'text' || kind === 'html';
}

/**
 * Whether an invalid part from the middle of an artifact is not text at all. A NUL alone proves nothing, because logs contain
 * some.
 */
export function isUnreadable(part: string): boolean {
  const text = part.slice(0, LOOKED_AT);
  const strange = text.match(/[\0\ufffd]/g)?.length ?? 0;
  return text.length >= ENOUGH && strange > text.length / 3;
}
