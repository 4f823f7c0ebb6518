import { requireContent } from '../artifacts/artifact-content.ts';
import { ArtifactTooLargeError } from '../artifacts/artifacts.ts';
import { now } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { looksLikeRecords } from '../json/record-format.ts';
import { serialize } from '../json/serialize.ts';
import { notify } from '../options.ts';
import { inTurn } from '../pace.ts';
import { choosePreview } from '../preview/choose-preview.ts';
import { planPreview } from '../preview/notice-and-hint-words.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { modelText } from '../text/frame.ts';
import { byteLength } from '../text/utf.ts';
import { type CapturedValue, captureBytes, captureValue } from './captured-value.ts';
import type { Delivery } from './delivery.ts';
import { toEnvelope } from './envelope.ts';
import type { TruncationEvent } from './events.ts';
import { isForeignEnvelope, measureOutput, measureReturned, skipsTruncation, textInBytes } from './measure-output.ts';
import { largeExtrasOf, type ModelView, modelViewOf, plainViewOf, toMedia } from './model-output.ts';
import { redactChunks, redactError, redactedOf } from './redact-output.ts';
import { type OutputRedaction, redactValue } from './redact-value.ts';
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
 * The steps for every output: measure, and then for an output over the limits store and scan, preview, envelope, notify. An
 * output within the limits is returned unchanged. A store that is broken, full, slow or missing costs the path, never the
 * output.
 */
export async function deliverOutput(output: unknown, delivery: Delivery): Promise<unknown> {
  if (isOutputStream(output)) {
    requireContent(output);
    return deliverStream(output, delivery);
  }
  const endedAt = now();
  const { redaction } = delivery;
  const isSearched = redaction && !isLongText(output, delivery);
  const measured = await measure(isSearched ? await redactValue(output, redaction) : output, delivery);
  if ('deliverable' in measured) return measured.deliverable;
  const ended = { ...delivery, endedAt };
  const { captured, reason, reported, view, rest } = measured;
  const saved = await saveAndScan(captured, ended);
  const media = view && (await toMedia(view.media));
  const envelope = await replace(ended, { ...saved, reason, reported, media, isError: view?.isError });
  return rest ? { ...rest, structuredContent: envelope } : envelope;
}

/** The same for a stream, which is measured, stored and scanned while it flows. */
export async function deliverStream(stream: OutputStream, delivery: Delivery): Promise<string | TruncatedOutput> {
  const { redaction, abortSignal } = delivery;
  const source = redaction ? redactChunks(stream, { ...redaction, abortSignal }) : stream;
  const read = await readStream(source, delivery);
  return typeof read === 'string' ? read : replace({ ...delivery, endedAt: read.endedAt }, read);
}

/**
 * The error that replaces the error of a tool. It is the same error, unless the SDK would send too much of it to the model. In
 * this case the text for the model is saved, but never the stack. The reason of an abort, and errors that are already bounded,
 * do not change.
 */
export async function deliverError(error: unknown, delivery: Delivery): Promise<unknown> {
  if (isInterruption(error, delivery.abortSignal) || TruncatedToolError.isInstance(error)) return error;
  const ended = { ...delivery, endedAt: now() };
  const thrown = delivery.redaction ? await redactError(error, delivery.redaction) : error;
  const sent = sentForError(thrown);
  const measured = await measureOutput(sent, delivery.limits);
  if (!measured.reason) return measured.deliverable === sent ? thrown : measured.deliverable;
  const saved = await saveAndScan(captureValue(sent), ended);
  return new TruncatedToolError(await replace(ended, { ...saved, reason: measured.reason, isError: true }));
}

/** The last steps, the same for every output: preview, envelope, notify. */
async function replace(
  delivery: Delivery,
  output: OversizedOutput & { isError?: boolean | undefined },
): Promise<TruncatedOutput> {
  const { limits, toolName } = delivery;
  const { scanned, reason, bytes, outcome, isComplete, hasChanged } = output;
  const { scan } = scanned;
  const error = output.isError ? toToolError({ code: 'EXECUTION_ERROR' }, scan.head) : output.reported?.error;
  const info = outcome.status === 'saved' ? outcome.info : undefined;
  const path = info?.path ?? null;
  const isUnsavedByChoice = outcome.status === 'by choice';
  // Outputs that waited for the same store may all continue at the same moment.
  const holdsRecords = await inTurn(() => looksLikeRecords(scanned.value?.beginning ?? scan.head));
  const hasView = scanned.value?.hasView;
  const hints = { hint: delivery.hint(path), holdsRecords, isRepeatable: delivery.isRepeatable };
  const facts = {
    toolName,
    isError: error !== undefined,
    isComplete,
    hasChanged,
    hasView,
    path,
    isUnsavedByChoice,
    ...hints,
  };
  const plan = planPreview(limits, { chars: scan.chars, facts });
  const { keepError, focus, ...shown } = await choosePreview(scanned, { ...delivery, room: plan.limits });
  const text = plan.noticeAndHint(shown.part);

  const envelope = await toEnvelope(delivery, {
    ...output,
    scan,
    chars: scanned.value?.chars,
    shown,
    text,
    error,
    info,
  });

  warn(delivery, { outcome, keepError });
  const { entrance, toolCallId, storage, startedAt, endedAt = startedAt } = delivery;
  const kept = { previewLines: shown.lines, previewBytes: shown.bytes };
  const sentBytes = byteLength(modelText({ text, preview: shown.text }));
  const counted = { reason, lines: scan.lines, bytes, ...kept, sentBytes, path, endedAt };
  const event = toTruncationEvent({ entrance, toolName, toolCallId, ...counted });
  const failed = {
    ...(focus.length > 0 && { focus }),
    ...(keepError !== undefined && { keepError }),
    ...(outcome.status === 'failed' && { error: outcome.error }),
    ...(isUnsavedByChoice && ({ notSavedByChoice: true } as const)),
    ...redactedOf(delivery.redaction?.counts),
  };
  notify(storage.onTruncate, { ...event, ...failed });
  return envelope;
}

/** The fields of an event from which the other fields are computed. */
type TruncationFacts = Omit<TruncationEvent, 'reduction' | 'durationMs'> & { endedAt: number };

export function toTruncationEvent({ endedAt, ...facts }: TruncationFacts): TruncationEvent {
  const { bytes, sentBytes } = facts;
  // The text around a small output can be larger than the omitted part.
  const reduction = bytes > sentBytes ? 1 - sentBytes / bytes : 0;
  return { ...facts, reduction, durationMs: Math.round(now() - endedAt) };
}

/** Prints failures of which an application without a listener would never learn. */
function warn({ limits, storage, abortSignal }: Delivery, { outcome, keepError }: Failures): void {
  if (typeof limits.keep === 'function' && keepError !== undefined && !abortSignal?.aborted) {
    warnOnce(limits.keep, { kind: 'keep', error: keepError });
  }
  if (storage.onTruncate || outcome.status !== 'failed') return;
  // The caller has left, or has set the limit.
  if (abortSignal?.aborted || ArtifactTooLargeError.isInstance(outcome.error)) return;
  const kind = InvalidOptionError.isInstance(outcome.error) ? 'options' : 'store';
  warnOnce(storage.store, { kind, error: outcome.error });
}

interface Failures {
  outcome: SavedOutput['outcome'];
  keepError: unknown;
}

const WARNINGS = {
  options:
    'ai-truncate: the full output of a tool was not saved, because its storage options do not work for this call. `onTruncate` receives ' +
    'each case; this warning is printed once per store.',
  store:
    'ai-truncate: the store could not save the full output of a tool. `onTruncate` receives each case; this warning is printed once per ' +
    'store.',
  // Otherwise a `keep` function that always fails would look like one that always returns `undefined`.
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

/**
 * The deliverable form of an output within the limits, or an output over them. An output whose preview would not be smaller is
 * delivered unchanged.
 */
type Measured = { deliverable: unknown } | TooLarge;

interface TooLarge {
  reason: TruncationEvent['reason'];
  captured: CapturedValue;
  /** The output's own status, as the tool returned it. */
  reported?: ToolOutcome;
  view?: ModelView;
  /** The part of an MCP answer that is within the limits. */
  rest?: object;
}

/** The tool may have changed the value while it was searched for secrets. */
function withChanges(captured: CapturedValue, redaction: OutputRedaction | undefined): CapturedValue {
  return redaction?.hasChanged ? { ...captured, hasChanged: () => true } : captured;
}

/** A redacted copy of a longer text would need as much memory again, and could be longer than a string can be. */
const LONG_TEXT_CHARS = 4 * 1024 * 1024;

/** A text that stays over the limits even if most of it is secrets. Its pieces are redacted while they are saved. */
function isLongText(output: unknown, { redaction, limits, toModelOutput }: Delivery): output is string {
  const isLong = typeof output === 'string' && output.length > Math.max(LONG_TEXT_CHARS, 16 * limits.maxBytes);
  return isLong && redaction !== undefined && toModelOutput === undefined;
}

/** Text or bytes while they are saved and scanned. Their size is known at the end. */
function redactedText(captured: CapturedValue, redaction: OutputRedaction | undefined): CapturedValue {
  if (!redaction) return captured;
  const { bytes: _, ...rest } = captured;
  return { ...rest, chunks: redactChunks(captured.chunks, redaction) };
}

async function measure(returned: unknown, delivery: Delivery): Promise<Measured> {
  const { limits, toModelOutput, redaction } = delivery;
  if (isLongText(returned, delivery))
    return { reason: 'bytes', captured: redactedText(captureValue(returned), redaction) };
  const text = toModelOutput ? undefined : textInBytes(returned, limits.maxBytes);
  if (text && text.bytes.length > limits.maxBytes) {
    return { reason: 'bytes', captured: redactedText(captureBytes(text.bytes), redaction) };
  }
  const output = text ? await (redaction ? redactValue(text.text, redaction) : text.text) : returned;
  if (skipsTruncation(output, delivery)) return { deliverable: output };
  // Without waiting, because the output is captured below, and its owner may change it as soon as the event loop turns.
  const view = toModelOutput ? await modelViewOf(output, delivery) : plainViewOf(output);
  const { measured, captured } = await measureReturned(view.output, limits);
  const tooLarge = (reason: TooLarge['reason']): TooLarge => ({
    reason,
    view,
    reported: outcomeOf(output),
    captured: withChanges(captured ?? captureValue(view.output), redaction),
  });
  if (measured.reason) return tooLarge(measured.reason);
  if (isForeignEnvelope(output)) {
    // With a view of the tool, it is truncated, because its plain text would look like any other text.
    return toModelOutput ? tooLarge('bytes') : { deliverable: [...serialize(view.output).chunks].join('') };
  }
  // The `toModelOutput` of a tool expects the output as the tool returned it.
  if (!toModelOutput) return measured;
  const large = await largeExtrasOf(output, { view, delivery });
  return large
    ? { reason: large.reason, captured: captureValue(large.extras), rest: large.rest }
    : { deliverable: output };
}
