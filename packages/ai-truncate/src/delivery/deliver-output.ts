import { requireContent } from '../artifacts/artifact-content.ts';
import { now } from '../deadlines.ts';
import { serialize } from '../json/serialize.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import type { CapturedValue } from './captured-value.ts';
import { deliverStream, isOutputStream } from './deliver-stream.ts';
import type { Delivery } from './delivery.ts';
import { isForeignEnvelope } from './foreign-envelope.ts';
import { keepBytes, keepText } from './keep-text.ts';
import { withoutLargeExtras } from './mcp-extras.ts';
import { measureReturned } from './measure-output.ts';
import { toMedia } from './media.ts';
import { type ModelView, modelViewOf, plainViewOf } from './model-view.ts';
import { textInBytes } from './text-in-bytes.ts';
import { toTruncatedOutput } from './to-truncated-output.ts';
import { outcomeOf, skipsTruncation, toToolError } from './tool-outcome.ts';
import type { TruncationEvent } from './truncation-event.ts';

/**
 * The way of every output. One within the limits is given back as it is; of one over them every byte is kept, and a bounded
 * `TruncatedOutput` takes its place. A store that is broken, full, slow or missing costs the path, never the result.
 */
export async function deliverOutput(output: unknown, delivery: Delivery): Promise<unknown> {
  if (isOutputStream(output)) {
    requireContent(output);
    return deliverStream(output, delivery);
  }
  const ended = { ...delivery, endedAt: now() };
  const text = delivery.toModelOutput ? undefined : textInBytes(output, delivery.limits.maxBytes);
  if (text && text.bytes.length > delivery.limits.maxBytes) {
    return toTruncatedOutput(ended, { ...(await keepBytes(text.bytes, ended)), reason: 'bytes' });
  }
  const value = text ? text.text : output;
  const judged = await judgeOutput(value, ended);
  return 'deliverable' in judged ? judged.deliverable : truncate(value, judged, ended);
}

/** What is delivered of an output within the limits, or by which limit it is too large. */
type JudgedOutput = { deliverable: unknown } | TooLarge;

interface TooLarge {
  reason: TruncationEvent['reason'];
  view: ModelView;
  captured?: CapturedValue | undefined;
}

async function judgeOutput(output: unknown, delivery: Delivery): Promise<JudgedOutput> {
  if (skipsTruncation(output, delivery)) return { deliverable: output };
  // Without a wait: the output is captured below, and its owner may change it as soon as the event loop turns.
  const view = delivery.toModelOutput ? await modelViewOf(output, delivery) : plainViewOf(output);
  const { measured, captured } = await measureReturned(view.output, delivery.limits);
  if (measured.reason) return { reason: measured.reason, view, captured };
  if (isForeignEnvelope(output)) return foreign(view, delivery);
  // Of a tool that decides itself what the model is sent, the output is left as its `toModelOutput` expects it.
  if (delivery.toModelOutput) return { deliverable: await withoutLargeExtras(output, { view, delivery }) };
  return { deliverable: measured.deliverable };
}

/** As the text that it is. Where the tool has a view of its own, that stands in a preview: it could not be told from text else. */
function foreign(view: ModelView, delivery: Delivery): JudgedOutput {
  if (delivery.toModelOutput) return { reason: 'bytes', view };
  return { deliverable: [...serialize(view.output).chunks].join('') };
}

async function truncate(
  output: unknown,
  { reason, view, captured }: TooLarge,
  delivery: Delivery,
): Promise<TruncatedOutput> {
  // Now, as the tool returned it.
  const outcome = outcomeOf(output);
  const kept = await keepText(view.output, { ...delivery, captured });
  const { head } = kept.scanned.scan;
  const error = view.isError ? toToolError({ code: 'EXECUTION_ERROR' }, head) : outcome.error;
  return toTruncatedOutput(delivery, {
    ...kept,
    reason,
    outcomeOfTool: { ...outcome, error },
    media: await toMedia(view.media),
  });
}
