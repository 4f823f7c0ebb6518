import { requireContent } from '../artifacts/artifact-content.ts';
import { now } from '../deadlines.ts';
import { serialize } from '../json/serialize.ts';
import { inTurn } from '../pace.ts';
import { choosePreview } from '../preview/choose-preview.ts';
import { looksLikeRecords } from '../preview/looks-like-records.ts';
import { planPreview } from '../preview/preview-plan.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { modelText } from '../text/frame.ts';
import { byteLength } from '../text/utf.ts';
import { type CapturedValue, captureBytes, captureValue } from './captured-value.ts';
import type { Delivery } from './delivery.ts';
import { type OversizedOutput, toEnvelope } from './envelope.ts';
import { notifyTruncation, type TruncationEvent } from './events.ts';
import { largeExtrasOf } from './mcp-extras.ts';
import { measureOutput, measureReturned, textInBytes } from './measure-output.ts';
import { toMedia } from './media.ts';
import { type ModelView, modelViewOf, plainViewOf } from './model-output.ts';
import { isOutputStream, type OutputStream, readStream } from './output-stream.ts';
import { outcomeOf, type ToolOutcome, toToolError } from './reported-error.ts';
import { saveAndScan } from './save-and-scan.ts';
import { isInterruption, sentForError, TruncatedToolError } from './tool-error.ts';
import { isForeignEnvelope, skipsTruncation } from './trusted-output.ts';

/**
 * The way of every output: measure, then for one over the limits store and scan, preview, envelope, notify. An output within the
 * limits is returned as it is. A store that is broken, full, slow or missing costs the path, never the output.
 */
export async function deliverOutput(output: unknown, delivery: Delivery): Promise<unknown> {
  if (isOutputStream(output)) {
    requireContent(output);
    return deliverStream(output, delivery);
  }
  const ended = { ...delivery, endedAt: now() };
  const measured = await measure(output, ended);
  if ('deliverable' in measured) return measured.deliverable;
  const { captured, reason, reported, view, rest } = measured;
  const saved = await saveAndScan(captured, ended);
  const media = view && (await toMedia(view.media));
  const envelope = await replace(ended, { ...saved, reason, reported, media, isError: view?.isError });
  return rest ? { ...rest, structuredContent: envelope } : envelope;
}

/** The same for a stream, which is measured, stored and scanned while it flows. */
export async function deliverStream(stream: OutputStream, delivery: Delivery): Promise<string | TruncatedOutput> {
  const read = await readStream(stream, delivery);
  return typeof read === 'string' ? read : replace({ ...delivery, endedAt: read.endedAt }, read);
}

/**
 * The error that is thrown in place of what a tool threw: the same, unless the SDK would send too much of it to the model. Then
 * all that it would have sent is saved, never the stack. The reason that ended the call, and what is bounded already, stay.
 */
export async function deliverError(error: unknown, delivery: Delivery): Promise<unknown> {
  if (isInterruption(error, delivery.abortSignal) || TruncatedToolError.isInstance(error)) return error;
  const ended = { ...delivery, endedAt: now() };
  const sent = sentForError(error);
  const measured = await measureOutput(sent, delivery.limits);
  if (!measured.reason) return measured.deliverable === sent ? error : measured.deliverable;
  const saved = await saveAndScan(captureValue(sent), ended);
  return new TruncatedToolError(await replace(ended, { ...saved, reason: measured.reason, isError: true }));
}

/** The last steps, the same for every output: preview, envelope, notify. */
async function replace(
  delivery: Delivery,
  output: OversizedOutput & { isError?: boolean | undefined },
): Promise<TruncatedOutput> {
  const { limits, toolName, abortSignal } = delivery;
  const { scanned, reason, bytes, outcome, isComplete, hasChanged } = output;
  const { scan } = scanned;
  const error = output.isError ? toToolError({ code: 'EXECUTION_ERROR' }, scan.head) : output.reported?.error;
  const path = outcome.status === 'saved' ? outcome.info.path : null;
  // Outputs that waited for the same store may all go on in the same moment.
  const holdsRecords = await inTurn(() => looksLikeRecords(scan.head));
  const hints = { tools: delivery.hintTools(), holdsRecords };
  const facts = { toolName, isError: error !== undefined, isComplete, hasChanged, path, ...hints };
  const plan = planPreview(limits, { chars: scan.chars, facts });
  const { keepError, ...shown } = await choosePreview(scanned, { limits, room: plan.limits, abortSignal });
  const text = plan.noticeAndHint(shown.part);

  const envelope = await toEnvelope(delivery, { output, shown, text, error });

  const kept = { keptLines: shown.lines, keptBytes: shown.bytes };
  const sentBytes = byteLength(modelText({ text, preview: shown.text }));
  const failed = keepError !== undefined && { keepError };
  notifyTruncation(delivery, { reason, lines: scan.lines, bytes, ...kept, sentBytes, path, outcome, ...failed });
  return envelope;
}

/** An output within the limits, as it is delivered, or one over them. A preview that would not be smaller lets it pass as it is. */
type Measured = { deliverable: unknown } | TooLarge;

interface TooLarge {
  reason: TruncationEvent['reason'];
  captured: CapturedValue;
  /** What the output says about itself, as the tool returned it. */
  reported?: ToolOutcome;
  view?: ModelView;
  /** The part of an MCP answer that is within the limits. */
  rest?: object;
}

async function measure(output: unknown, delivery: Delivery): Promise<Measured> {
  const { limits, toModelOutput } = delivery;
  const text = toModelOutput ? undefined : textInBytes(output, limits.maxBytes);
  if (text && text.bytes.length > limits.maxBytes) return { reason: 'bytes', captured: captureBytes(text.bytes) };
  return measureValue(text ? text.text : output, delivery);
}

async function measureValue(output: unknown, delivery: Delivery): Promise<Measured> {
  const { limits, toModelOutput } = delivery;
  if (skipsTruncation(output, delivery)) return { deliverable: output };
  // Without a wait: the output is captured below, and its owner may change it as soon as the event loop turns.
  const view = toModelOutput ? await modelViewOf(output, delivery) : plainViewOf(output);
  const { measured, captured } = await measureReturned(view.output, limits);
  const tooLarge = (reason: TooLarge['reason']): TooLarge => ({
    reason,
    view,
    reported: outcomeOf(output),
    captured: captured ?? captureValue(view.output),
  });
  if (measured.reason) return tooLarge(measured.reason);
  if (isForeignEnvelope(output)) {
    // With a view of the tool's own it is truncated, because its plain text could not be told from other text.
    return toModelOutput ? tooLarge('bytes') : { deliverable: [...serialize(view.output).chunks].join('') };
  }
  // The `toModelOutput` of a tool expects the output as the tool returned it.
  if (!toModelOutput) return measured;
  const large = await largeExtrasOf(output, { view, delivery });
  return large
    ? { reason: large.reason, captured: captureValue(large.extras), rest: large.rest }
    : { deliverable: output };
}
