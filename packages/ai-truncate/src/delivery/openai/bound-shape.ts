import { now } from '../../deadlines.ts';
import { serialize } from '../../json/serialize.ts';
import { tellOfCut, unkept } from '../../middleware/preview-of-result.ts';
import type {
  FixedLimits,
  SentOutput,
  SentToolResult,
  ToolResultBounding,
} from '../../middleware/tool-result-bounding.ts';
import { pace } from '../../pace.ts';
import { truncationHint, truncationNotice } from '../../preview/preview-words.ts';
import { framedPreviewOf } from '../../text/frame.ts';
import { createTextScan } from '../../text/text-scan.ts';
import { byteLength } from '../../text/utf.ts';
import { measureShape, shortenTexts } from './deliver-in-place.ts';
import { MAX_ITEMS, type ProviderShape } from './provider-shape.ts';

/**
 * A result in one of the shapes that OpenAI checks: the shape stays, and the long texts in it get shorter. So it does of a tool
 * that has the same by chance, which is as well bounded.
 */
export async function boundShape(
  result: SentToolResult,
  {
    output,
    shape,
    bounding,
  }: { output: Extract<SentOutput, { type: 'json' }>; shape: ProviderShape; bounding: ToolResultBounding },
): Promise<SentOutput> {
  const { limits, onTruncate } = bounding;
  const { value } = output;
  if (isShortened(shape, limits)) return output;
  const startedAt = now();
  const { reason } = await measureShape(value, { shape, limits });
  if (!reason) return output;
  const { lines, bytes, chars } = await sizeOf(value, bounding.abortSignal);
  const rebuilt = shape.rebuild(MAX_ITEMS);
  const facts = {
    toolName: result.toolName,
    isError: rebuilt.sent.status === 'failed',
    ...unkept({ ...bounding, result }),
  };
  const notice = truncationNotice({ ...facts, part: { kind: 'sample', unit: 'characters', total: chars } });
  const hint = truncationHint(facts);
  const shown = await shortenTexts(rebuilt, { limits, text: hint === '' ? notice : `${notice}\n${hint}` });
  tellOfCut({ result, onTruncate }, { reason, lines, bytes, ...shown, endedAt: startedAt });
  return { ...output, value: rebuilt.sent as never };
}

async function sizeOf(value: unknown, abortSignal: AbortSignal | undefined) {
  const scan = createTextScan({ headChars: 0, tailChars: 0, findsSalientLines: false });
  for await (const chunk of pace(serialize(value, { indent: 2 }).chunks, { abortSignal })) scan.push(chunk);
  return scan.finish();
}

/** Two texts for each item that stays, and no more. */
const MAX_TEXTS = 2 * MAX_ITEMS;
/** However little room there is, each of them keeps a few bytes. */
const MIN_ROOM_BYTES = 1024;

/** Whether it was shortened before, here or in the tool: one of its texts says so, and together they are small. */
function isShortened(shape: ProviderShape, { previewBytes }: FixedLimits): boolean {
  const maxBytes = previewBytes + MIN_ROOM_BYTES;
  let count = 0;
  let bytes = 0;
  let saysSo = false;
  for (const text of shape.texts()) {
    count++;
    // A character weighs at least a byte: of a text that is certainly too large, no more needs to be known.
    bytes += text.length > maxBytes ? text.length : byteLength(text);
    if (count > MAX_TEXTS || bytes > maxBytes) return false;
    saysSo ||= framedPreviewOf(text) !== undefined;
  }
  return saysSo;
}
