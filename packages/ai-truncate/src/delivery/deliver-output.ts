import { requireContent } from '../artifacts/artifact-content.ts';
import { isOwn } from '../protocol/own-envelope.ts';
import { isTruncatedOutput, type TruncatedOutput } from '../protocol/truncated-output.ts';
import { isOutputStream } from '../truncation/output-text.ts';
import { deliverStream } from './deliver-stream.ts';
import type { Delivery } from './delivery.ts';
import { keepText } from './keep-text.ts';
import { withoutLargeExtras } from './mcp-extras.ts';
import { measureOutput } from './measure-output.ts';
import { toMedia } from './media.ts';
import { type ModelView, modelViewOf } from './model-view.ts';
import type { TruncationEvent } from './output-keeping.ts';
import { isTextInBytes } from './text-in-bytes.ts';
import { toTruncatedOutput } from './to-truncated-output.ts';
import { look, outcomeOf, skipsTruncation, toToolError } from './tool-outcome.ts';

/**
 * The way of every output. One within the limits is given back as it is; of one over them every byte is kept, and a bounded
 * `TruncatedOutput` takes its place. A store that is broken, full, slow or missing costs the path, never the result.
 */
export async function deliverOutput(output: unknown, delivery: Delivery): Promise<unknown> {
  if (isOutputStream(output)) {
    requireContent(output);
    return deliverStream(output, delivery);
  }
  if (!delivery.toModelOutput && isTextInBytes(output)) return deliverStream(inOnePiece(output), delivery);
  const endedAt = performance.now();
  const judged = await judgeOutput(output, delivery);
  return 'deliverable' in judged ? judged.deliverable : truncate(output, judged, { ...delivery, endedAt });
}

async function* inOnePiece<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}

/** What is delivered of an output within the limits, or by which limit it is too large. */
type JudgedOutput = { deliverable: unknown } | TooLarge;

interface TooLarge {
  reason: TruncationEvent['reason'];
  view: ModelView;
}

async function judgeOutput(output: unknown, delivery: Delivery): Promise<JudgedOutput> {
  if (skipsTruncation(output, delivery)) return { deliverable: output };
  const view = await modelViewOf(output, delivery);
  // In the chat history it could not be told from one of ours, and would speak in our place.
  if (isForeignEnvelope(output)) return { reason: 'bytes', view };
  const measured = await measureOutput(view.output, delivery.limits);
  if (measured.reason) return { reason: measured.reason, view };
  // Of a tool that decides itself what the model is sent, the output is left as its `toModelOutput` expects it.
  if (delivery.toModelOutput) return { deliverable: await withoutLargeExtras(output, { view, delivery }) };
  return { deliverable: measured.deliverable };
}

/** Of the shape of a `TruncatedOutput`, and not made here: a server that a tool asked may answer with anything. */
function isForeignEnvelope(output: unknown): boolean {
  return (look(output, isTruncatedOutput) ?? false) && !isOwn(output);
}

async function truncate(output: unknown, { reason, view }: TooLarge, delivery: Delivery): Promise<TruncatedOutput> {
  const kept = await keepText(view.output, delivery);
  const { head } = kept.scanned.scan;
  const outcome = outcomeOf(output);
  const error = view.isError ? toToolError({ code: 'EXECUTION_ERROR' }, head) : outcome.error;
  return toTruncatedOutput(delivery, {
    ...kept,
    reason,
    bytes: kept.scanned.scan.bytes,
    outcomeOfTool: { ...outcome, error },
    media: await toMedia(view.media),
  });
}
