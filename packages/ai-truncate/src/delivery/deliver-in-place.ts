import { pace } from '../pace.ts';
import { isRecord } from '../protocol/is-record.ts';
import { byteLength } from '../truncation/byte-length.ts';
import { preview } from '../truncation/preview.ts';
import { textPieces } from '../truncation/text-pieces.ts';
import { createTextScan } from '../truncation/text-scan.ts';
import { countLines } from '../truncation/truncate-text.ts';
import { exceededLimit, type ResolvedLimits } from '../truncation/truncation-limits.ts';
import { modelText, truncationHint, truncationNotice } from '../truncation/truncation-notice.ts';
import type { Delivery } from './delivery.ts';
import { keepText } from './keep-text.ts';
import { tellOfTruncation } from './tell-of-truncation.ts';
import { mapTexts, textsOf, withFewerItems } from './texts-in-place.ts';
import { workInTurns } from './work-in-turns.ts';

/**
 * For tools whose output a provider checks against a shape of its own (OpenAI's shell): an envelope in its place would make the
 * provider refuse this request and every later one of the chat. So the shape stays and the long texts in it get shorter, down
 * to `previewBytes` together. The longest says what is missing and where all of it is.
 */
export async function deliverInPlace(output: unknown, delivery: Delivery): Promise<unknown> {
  const { limits, toolName } = delivery;
  const reason = await exceededByTexts(output, limits);
  if (!reason) return output;

  const { outcome, scanned } = await keepText(output, delivery);
  const { lines, bytes, chars } = scanned.scan;
  const path = outcome.status === 'saved' ? outcome.info.path : null;
  tellOfTruncation(delivery, { reason, lines, bytes, path, outcome });

  const part = { kind: 'sample', unit: 'characters', total: chars } as const;
  const hint = truncationHint({ path, tools: delivery.hintTools() });
  // A patch that does not apply; of a command, the exit code stands beside its text.
  const isError = isRecord(output) && output.status === 'failed';
  const notice = truncationNotice({ toolName, isError, path, part });
  return shortened(output, { limits, text: hint === '' ? notice : `${notice}\n${hint}` });
}

/** The outputs of a generator: while it works, those that are too large are left out. */
export async function* deliverValuesInPlace(
  values: AsyncIterable<unknown>,
  delivery: Delivery,
): AsyncGenerator<unknown> {
  let leftOut: { output: unknown } | undefined;
  const inTurns = workInTurns();
  for await (const output of values) {
    leftOut = (await inTurns(() => exceededByTexts(output, delivery.limits))) && { output };
    if (!leftOut) yield output;
  }
  if (leftOut) yield await deliverInPlace(leftOut.output, delivery);
}

async function exceededByTexts(
  output: unknown,
  limits: ResolvedLimits,
): Promise<'lines' | 'bytes' | 'chars' | undefined> {
  const size = { lines: 0, bytes: 0, chars: 0 };
  for await (const { lines, bytes, chars } of pace(sizesOf(output))) {
    size.lines += lines;
    size.bytes += bytes;
    size.chars += chars;
  }
  return exceededLimit(limits, size);
}

const CHARS_PER_STEP = 128 * 1024;

/** The sizes of all texts, in steps: an empty one is a line too. */
function* sizesOf(output: unknown): Generator<{ lines: number; bytes: number; chars: number }> {
  for (const text of textsOf(output)) {
    yield { lines: 1, bytes: 0, chars: 0 };
    for (const piece of textPieces(text, CHARS_PER_STEP)) {
      yield { lines: countLines(piece) - 1, bytes: byteLength(piece), chars: piece.length };
    }
  }
}

/** However little room there is for each of many texts. */
const MIN_SHARE_BYTES = 16;

async function shortened(
  output: unknown,
  { limits, text }: { limits: ResolvedLimits; text: string },
): Promise<unknown> {
  const fewer = withFewerItems(output);
  const texts = [...textsOf(fewer)];
  // A character weighs at least a byte: of a text that is certainly too large, no more needs to be known.
  const sizes = texts.map((whole) => (whole.length > limits.previewBytes ? whole.length : byteLength(whole)));
  const longest = sizes.indexOf(Math.max(...sizes));
  const room = limits.previewBytes - byteLength(modelText({ text, preview: '' }));
  const share = Math.max(MIN_SHARE_BYTES, fairShare(sizes, room));
  const shown: string[] = [];
  for (const [index, whole] of texts.entries()) {
    const isShort = (sizes[index] ?? 0) <= share;
    const part = isShort ? whole : await bothEnds(whole, { maxLines: limits.maxLines, maxBytes: share });
    shown.push(index === longest ? modelText({ text, preview: part }) : part);
  }
  let index = 0;
  return mapTexts(fewer, (whole) => shown[index++] ?? whole);
}

/** So much for each that all together are within the room: what the small ones leave over goes to the large ones. */
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

async function bothEnds(text: string, limits: { maxLines: number; maxBytes: number }): Promise<string> {
  const scan = createTextScan({
    headChars: 2 * limits.maxBytes,
    tailChars: 2 * limits.maxBytes,
    findsSalientLines: false,
  });
  for await (const piece of pace([text])) scan.push(piece);
  const keep = limits.maxBytes >= MIN_BYTES_FOR_BOTH_ENDS ? 'ends' : 'head';
  return preview({ scan: scan.finish() }, { keep, limits }).text;
}
