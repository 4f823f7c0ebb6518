import { requireContent } from '../artifacts/artifact-content.ts';
import { isRecord } from '../protocol/is-record.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { isOutputStream } from '../truncation/output-text.ts';
import { deliverStream } from './deliver-stream.ts';
import type { Delivery } from './delivery.ts';
import { keepText } from './keep-text.ts';
import { measureOutput } from './measure-output.ts';
import { type ModelView, modelViewOf } from './model-view.ts';
import type { TruncationEvent } from './output-keeping.ts';
import { toTruncatedOutput } from './to-truncated-output.ts';
import { outcomeOf, skipsTruncation } from './tool-outcome.ts';

/**
 * The way of every output. One within the limits is given back as it is; of one over them every byte is kept, and a bounded
 * `TruncatedOutput` takes its place. A store that is broken, full, slow or missing costs the path, never the result.
 */
export async function deliverOutput(output: unknown, delivery: Delivery): Promise<unknown> {
  if (isOutputStream(output)) {
    requireContent(output);
    return deliverStream(output, delivery);
  }
  const judged = await judgeOutput(output, delivery);
  return 'deliverable' in judged ? judged.deliverable : truncate(output, judged, delivery);
}

/** What is delivered of an output within the limits, or by which limit it is too large. */
export type JudgedOutput = { deliverable: unknown } | TooLarge;

interface TooLarge {
  reason: TruncationEvent['reason'];
  view: ModelView;
}

export async function judgeOutput(output: unknown, delivery: Delivery): Promise<JudgedOutput> {
  if (skipsTruncation(output, delivery)) return { deliverable: output };
  const view = await modelViewOf(output, delivery);
  const measured = await measureOutput(view.output, delivery.limits);
  if (measured.reason) return { reason: measured.reason, view };
  // Of a tool that decides itself what the model is sent, the output is left as its `toModelOutput` expects it.
  if (delivery.toModelOutput) return { deliverable: await withoutSecondCopy(output, delivery) };
  return { deliverable: measured.deliverable };
}

async function truncate(output: unknown, { reason, view }: TooLarge, delivery: Delivery): Promise<TruncatedOutput> {
  const kept = await keepText(view.output, delivery);
  return toTruncatedOutput(delivery, {
    ...kept,
    reason,
    bytes: kept.scanned.scan.bytes,
    outcomeOfTool: outcomeOf(output),
    media: view.media,
  });
}

/**
 * An MCP server answers with `content` for the model and often with the same once more as `structuredContent`, which the
 * model is not sent: too large, it would still weigh on the page, the chat log and every request to come.
 */
async function withoutSecondCopy(output: unknown, delivery: Delivery): Promise<unknown> {
  if (!isRecord(output) || !Array.isArray(output.content) || !('structuredContent' in output)) return output;
  const { toModelOutput: _, ...asValue } = delivery;
  const structuredContent = await deliverOutput(output.structuredContent, asValue);
  return structuredContent === output.structuredContent ? output : { ...output, structuredContent };
}
