import { requireContent } from '../artifacts/artifact-content.ts';
import { ArtifactTooLargeError } from '../artifacts/artifacts.ts';
import { now } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { serialize } from '../json/serialize.ts';
import { notify } from '../options.ts';
import { inTurn } from '../pace.ts';
import { choosePreview } from '../preview/choose-preview.ts';
import { looksLikeRecords, planPreview } from '../preview/notice-and-hint-words.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { modelText } from '../text/frame.ts';
import { byteLength } from '../text/utf.ts';
import { type CapturedValue, captureBytes, captureValue } from './captured-value.ts';
import type { Delivery } from './delivery.ts';
import { toEnvelope } from './envelope.ts';
import type { TruncationEvent } from './events.ts';
import { isForeignEnvelope, measureOutput, measureReturned, skipsTruncation, textInBytes } from './measure-output.ts';
import { largeExtrasOf, type ModelView, modelViewOf, plainViewOf, toMedia } from './model-output.ts';
import {
  isOutputStream,
  type OutputStream,
  type OversizedOutput,
  readStream,
  type SavedOutput,
  saveAndScan,
} from './save-and-scan.ts';
import {
  isInterruption,
  outcomeOf,
  sentForError,
  type ToolOutcome,
  TruncatedToolError,
  toToolError,
} from './tool-error.ts';

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
  const info = outcome.status === 'saved' ? outcome.info : undefined;
  const path = info?.path ?? null;
  // Outputs that waited for the same store may all go on in the same moment.
  const holdsRecords = await inTurn(() => looksLikeRecords(scan.head));
  const hints = { tools: delivery.hintTools(), holdsRecords };
  const facts = { toolName, isError: error !== undefined, isComplete, hasChanged, path, ...hints };
  const plan = planPreview(limits, { chars: scan.chars, facts });
  const { keepError, ...shown } = await choosePreview(scanned, { limits, room: plan.limits, abortSignal });
  const text = plan.noticeAndHint(shown.part);

  const envelope = await toEnvelope(delivery, { ...output, scan, shown, text, error, info });

  warn(delivery, { outcome, keepError });
  const { entrance, toolCallId, storage, startedAt, endedAt = startedAt } = delivery;
  const kept = { previewLines: shown.lines, previewBytes: shown.bytes };
  const sentBytes = byteLength(modelText({ text, preview: shown.text }));
  const counted = { reason, lines: scan.lines, bytes, ...kept, sentBytes, path, endedAt };
  const event = toTruncationEvent({ entrance, toolName, toolCallId, ...counted });
  const failed = {
    ...(keepError !== undefined && { keepError }),
    ...(outcome.status === 'failed' && { error: outcome.error }),
  };
  notify(storage.onTruncate, { ...event, ...failed });
  return envelope;
}

/** The fields of an event from which the others follow. */
type TruncationFacts = Omit<TruncationEvent, 'reduction' | 'durationMs'> & { endedAt: number };

export function toTruncationEvent({ endedAt, ...facts }: TruncationFacts): TruncationEvent {
  const { bytes, sentBytes } = facts;
  // The words around a small output can weigh more than what they leave out.
  const reduction = bytes > sentBytes ? 1 - sentBytes / bytes : 0;
  return { ...facts, reduction, durationMs: now() - endedAt };
}

/** Warns about what an application without a listener would never learn. */
function warn({ limits, storage, abortSignal }: Delivery, { outcome, keepError }: Failures): void {
  if (typeof limits.keep === 'function' && keepError !== undefined && !abortSignal?.aborted) {
    warnOnce(limits.keep, { kind: 'keep', error: keepError });
  }
  if (storage.onTruncate || outcome.status === 'saved') return;
  // The caller left, or set the limit.
  if (abortSignal?.aborted || ArtifactTooLargeError.isInstance(outcome.error)) return;
  const kind = InvalidOptionError.isInstance(outcome.error) ? 'options' : 'store';
  warnOnce(storage.store, { kind, error: outcome.error });
}

interface Failures {
  outcome: SavedOutput['outcome'];
  keepError: unknown;
}

const NOT_KEPT =
  'ai-truncate: the full output of a tool was not kept. `onTruncate` would be told of each; this is said once.';
const WARNINGS = {
  options: NOT_KEPT,
  store: NOT_KEPT,
  // A `keep` that always fails would otherwise look like one that always answers `undefined`.
  keep:
    'ai-truncate: a `keep` function failed, so both ends of the output are shown. `onTruncate` receives each failure as ' +
    '`keepError`; this warning is printed once.',
} as const;

/** The kinds of warnings that were printed for a store or a `keep` function. */
const warnedOf = new WeakMap<object, Set<string>>();

function warnOnce(subject: object, { kind, error }: { kind: keyof typeof WARNINGS; error: unknown }): void {
  const warned = warnedOf.get(subject) ?? new Set();
  if (warned.has(kind)) return;
  warnedOf.set(subject, warned.add(kind));
  console.warn(WARNINGS[kind], error);
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

async function measure(returned: unknown, delivery: Delivery): Promise<Measured> {
  const { limits, toModelOutput } = delivery;
  const text = toModelOutput ? undefined : textInBytes(returned, limits.maxBytes);
  if (text && text.bytes.length > limits.maxBytes) return { reason: 'bytes', captured: captureBytes(text.bytes) };
  const output = text ? text.text : returned;
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
