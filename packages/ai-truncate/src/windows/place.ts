import type { Artifacts, ByteWindow } from '../artifacts/artifacts.ts';
import type { TextPosition } from '../artifacts/text-regions.ts';
import { decodeText } from '../text/utf.ts';

/** Of a line, as much as is read to count its characters. */
const COUNTED_BYTES = 64 * 1024;

/** A place that came from a model, and the byte at which its line begins. */
export interface ClaimedPlace {
  position: TextPosition;
  lineStart: number;
}

/** Where a line begins, by the index; without `lineStart` when it is not there. */
export async function findLineStart(
  artifacts: Artifacts,
  path: string,
  { line, abortSignal }: { line: number; abortSignal: AbortSignal | undefined },
): Promise<{ lineStart: number | undefined; totalLines: number }> {
  if (line === 1) return { lineStart: 0, totalLines: (await artifacts.info(path, { abortSignal })).lines };
  const { lines, totalLines } = await artifacts.readLines(path, { start: line, count: 1, maxBytes: 1, abortSignal });
  return { lineStart: lines[0]?.start, totalLines };
}

/** Where bytes have to begin for `isPlaceIn`. */
export function checkedFrom({ position, lineStart }: ClaimedPlace): number {
  return Math.max(
    0,
    position.byte - lineStart <= COUNTED_BYTES ? Math.min(lineStart, position.byte) : position.byte - 1,
  );
}

/**
 * Whether a place is one of this artifact: a code point starts there, and the characters from the start of its line are as many as
 * it tells. Further in than 64 KB that number only has to be possible.
 */
export function isPlaceIn({ bytes, start, totalBytes }: ByteWindow, { position, lineStart }: ClaimedPlace): boolean {
  const { byte, character } = position;
  const [size, characters] = [byte - lineStart, character - 1];
  if (byte > totalBytes || size < characters || size > 3 * characters) return false;
  if (!isCodePointStart(bytes, byte - start)) return false;
  if (size > COUNTED_BYTES) return bytes[byte - 1 - start] !== 10;
  const text = decodeText(bytes.subarray(lineStart - start, byte - start));
  return text.length === characters && !text.includes('\n');
}

/** Whether a code point, or what stands for bytes that are none, starts here. */
export function isCodePointStart(bytes: Uint8Array, index: number): boolean {
  const [from, to] = [Math.max(0, index - 4), index + 4];
  const parts = decodeText(bytes.subarray(from, index)) + decodeText(bytes.subarray(index, to));
  return parts === decodeText(bytes.subarray(from, to));
}
