import { inTurns, pace } from '../../pace.ts';
import { previewInSteps } from '../../preview/preview.ts';
import type { CutLimits } from '../../preview/truncate-text.ts';
import { createTextScan } from '../../text/text-scan.ts';
import { byteLength, countLines } from '../../text/utf.ts';

/** However little room there is for each of many texts. */
const MIN_SHARE: CutLimits = { maxLines: 1, maxBytes: 16 };

/** Texts that are together within the room: what the small ones leave over goes to the large ones. */
export async function fitTogether(texts: readonly string[], room: CutLimits): Promise<string[]> {
  // A character weighs at least a byte: of a text that is certainly too large, no more needs to be known.
  const sizes = texts.map((text) =>
    text.length > room.maxBytes
      ? { bytes: text.length, lines: Number.MAX_SAFE_INTEGER }
      : { bytes: byteLength(text), lines: countLines(text) },
  );
  const bytes = sizes.map((size) => size.bytes);
  const lines = sizes.map((size) => size.lines);
  const share: CutLimits = {
    maxBytes: Math.max(MIN_SHARE.maxBytes, fairShare(bytes, room.maxBytes)),
    maxLines: Math.max(MIN_SHARE.maxLines, fairShare(lines, room.maxLines)),
  };
  const shown: string[] = [];
  for (const [index, text] of texts.entries()) {
    const size = sizes[index] ?? { bytes: 0, lines: 0 };
    const isWhole = size.bytes <= share.maxBytes && size.lines <= share.maxLines;
    // What is made visible weighs more: a short text may not take the room of another for it.
    const limits = isWhole ? { ...share, maxBytes: Math.max(MIN_SHARE.maxBytes, size.bytes) } : share;
    shown.push(text === '' ? '' : await shownOf(text, { limits, isWhole }));
  }
  return shown;
}

/** So much for each that all together are within the room. */
function fairShare(sizes: readonly number[], room: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = room;
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return room;
}

/** In less, the row for the gap would be all that is left. */
const MIN_BYTES_FOR_BOTH_ENDS = 256;

async function shownOf(text: string, { limits, isWhole }: { limits: CutLimits; isWhole: boolean }): Promise<string> {
  const windowChars = 2 * limits.maxBytes;
  const scan = createTextScan({ headChars: windowChars, tailChars: windowChars, findsSalientLines: false });
  for await (const piece of pace([text])) scan.push(piece);
  const keep = isWhole || limits.maxBytes < MIN_BYTES_FOR_BOTH_ENDS ? 'head' : 'ends';
  return (await inTurns(previewInSteps({ scan: scan.finish() }, { keep, limits }))).text;
}
