import { now } from '../deadlines.ts';
import { plainJson } from '../json/plain-json.ts';
import { compactJson, serialize } from '../json/serialize.ts';
import { countLineBreaks, LineBreaks } from '../json/view-lines.ts';
import { inTurns, pace } from '../pace.ts';
import { createOutputScanner, previewInSteps } from '../preview/choose-preview.ts';
import { exceededByText, exceededLimit, fitsPreview, type ResolvedLimits } from '../preview/limits.ts';
import { inspectSafely, isRecord } from '../protocol/guards.ts';
import { isOwn, isTruncatedOutput } from '../protocol/truncated-output.ts';
import { byteLength } from '../text/utf.ts';
import { type CapturedValue, captureJson, captureValue, uncapturedValue } from './captured-value.ts';
import type { TruncationEvent } from './events.ts';

/** The limit for which an output is replaced or, if it is not replaced, the form that can be sent. */
export type MeasuredOutput = { reason: TruncationEvent['reason'] } | { reason?: undefined; deliverable: unknown };

/**
 * A string is measured as text, everything else as the compact JSON that the SDK would send. A value that JSON cannot carry, or
 * only at many times its size, can be sent as text. For a small output over a limit, measuring makes the preview, to check
 * whether it would be smaller.
 */
export function measureOutput(output: unknown, limits: ResolvedLimits): Promise<MeasuredOutput> {
  // Not `async`, because most outputs are small texts, and each additional promise would cost a third of the time.
  return typeof output === 'string' ? measureText(output, { text: output, limits }) : measureValue(output, limits);
}

async function measureValue(output: unknown, limits: ResolvedLimits): Promise<MeasuredOutput> {
  const text = plainJson(output, QUICK_PROBE);
  return text === undefined ? measureLarge(output, limits) : measureText(output, { text, limits });
}

/** If reading a value alone takes this long, one of its objects has so many keys that no further step fits into this turn. */
const LONG_LOOK_MS = 40;
/** Most values are within these limits and take microseconds. The walk below handles any value, but is slower. */
const QUICK_PROBE = { nodes: 4096, levels: 32 };

/** The same for an output that a tool has just returned, which is captured before the event loop turns: see `captureValue`. */
export async function measureReturned(
  output: unknown,
  limits: ResolvedLimits,
): Promise<{ measured: MeasuredOutput; captured?: CapturedValue | undefined }> {
  if (typeof output !== 'object' || output === null) return { measured: await measureOutput(output, limits) };
  const startedAt = now();
  const small = plainJson(output, QUICK_PROBE);
  const hasTime = now() - startedAt <= LONG_LOOK_MS;
  const capture = () => (hasTime ? captureValue(output, limits.maxBytes) : uncapturedValue(output));
  const captured = small === undefined ? capture() : captureJson(small);
  if (captured.isOver) return { measured: { reason: 'bytes' }, captured };
  const { json: text } = captured;
  const measured = text === undefined ? measureLarge(output, limits) : measureText(output, { text, limits });
  return { measured: await measured, captured };
}

/** Measures a text, or an output whose JSON is known. */
async function measureText(
  output: unknown,
  { text, limits }: { text: string; limits: ResolvedLimits },
): Promise<MeasuredOutput> {
  const reason = typeof output === 'string' ? exceededByText(output, limits) : exceededByJson(text, limits);
  return reason && (await isWorthCutting(output, { text, limits })) ? { reason } : { deliverable: output };
}

async function measureLarge(output: unknown, limits: ResolvedLimits): Promise<MeasuredOutput> {
  const size = { lines: 1, bytes: 0, chars: 0 };
  let text = '';
  const breaks = new LineBreaks();
  const { chunks, isTooDeep } = serialize(output);
  for await (const chunk of pace(chunks)) {
    size.bytes += byteLength(chunk);
    size.chars += chunk.length;
    // This limit is reported first, so a value over another limit is read on to its end or to this limit.
    if (size.bytes > limits.maxBytes) return { reason: 'bytes' };
    text += chunk;
    breaks.push(chunk);
  }
  size.lines += breaks.count;
  const reason = exceededLimit(limits, size);
  if (reason && (await isWorthCutting(output, { text, limits }))) return { reason };
  // Parts whose JSON differs from our text (the bytes of a Buffer, the holes of an array) may be far larger than measured.
  const json = compactJson(output, limits.maxBytes);
  const isCarried = json !== undefined && ((reason && !isTooDeep()) || exceededByJson(json, limits) === undefined);
  // The text lacks the levels that are too deep, so it cannot replace the output.
  if (isTooDeep() && !isCarried) return { reason: 'bytes' };
  return { deliverable: isCarried ? output : text };
}

/** The lines of a value are the lines inside its strings. */
function exceededByJson(json: string, limits: ResolvedLimits): TruncationEvent['reason'] | undefined {
  return exceededLimit(limits, { lines: 1 + countLineBreaks(json), bytes: byteLength(json), chars: json.length });
}

/** The text around a preview: a notice with a path, the tags of the frame, a hint. */
const WORDS_BYTES = 512;

/**
 * Whether a preview would be smaller than the output. For an output with many short lines, it would not. Nothing is saved for an
 * output that passes, and it is within `previewBytes`. Both guards use this function, so that the second one passes the same
 * outputs as the first.
 */
async function isWorthCutting(
  output: unknown,
  { text, limits }: { text: string; limits: ResolvedLimits },
): Promise<boolean> {
  const { maxLines, maxChars, previewBytes, previewChars, keep } = limits;
  if (!fitsPreview(text, limits)) return true;
  const bytes = byteLength(text);
  const scanner = createOutputScanner(limits, { isValue: typeof output !== 'string' });
  for await (const chunk of pace(serialize(output, { indent: 2 }).chunks)) await scanner.push(chunk);
  const steps = previewInSteps(await scanner.finish(), {
    // The result of a function is not known. Without it, both ends are shown.
    keep: typeof keep === 'function' ? 'ends' : keep,
    // The size of the surrounding text is not known yet. No preview shows more than this.
    limits: { maxLines, maxBytes: Math.min(previewBytes, maxChars, previewChars) },
  });
  const shown = await inTurns(steps);
  return shown.bytes + WORDS_BYTES < bytes;
}

/** Enough bytes to recognize text. */
const BYTES_LOOKED_AT = 64 * 1024;
/** The control characters that text never contains: all except white space, backspace and the start of a color. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them.
const NO_TEXT = /[\0-\x07\x0e-\x1a\x1c-\x1f]/;

/**
 * The text in bytes, which commands and files often return; `undefined` if the bytes are not text. The SDK would send a list of
 * numbers for them. If there are more bytes than `maxBytes`, only their beginning is checked and returned.
 */
export function textInBytes(output: unknown, maxBytes: number): { bytes: Uint8Array; text: string } | undefined {
  const bytes = bytesOf(output);
  if (!bytes) return undefined;
  const isWhole = bytes.length <= maxBytes;
  const beginning = isWhole ? bytes : bytes.subarray(0, BYTES_LOOKED_AT);
  try {
    // The beginning may end inside a character.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(beginning, { stream: !isWhole });
    return NO_TEXT.test(text) ? undefined : { bytes, text };
  } catch {
    return undefined;
  }
}

function bytesOf(output: unknown): Uint8Array | undefined {
  try {
    if (!(output instanceof Uint8Array)) return undefined;
    // A subclass may slice differently.
    return new Uint8Array(output.buffer, output.byteOffset, output.byteLength);
  } catch {
    // The buffer was transferred, or a Proxy looks like bytes. JSON still works.
    return undefined;
  }
}

/** Whether the output bounds its own size, and is trusted. */
export function skipsTruncation(output: unknown, { allowsSkip }: { allowsSkip?: boolean | undefined }): boolean {
  // An output that was bounded here is not bounded twice, for instance from a tool that calls `truncateOutput`.
  if (!isOwn(output) && !allowsSkip) return false;
  const skips = inspectSafely(output, (members) => {
    const { context, metadata, data } = members;
    if (isRecord(context) && context.truncation_skip === true) return true;
    if (isRecord(metadata) && typeof metadata.truncated === 'boolean' && 'output' in members) return true;
    return isOwn(output) && isRecord(data) && isRecord(data.truncation);
  });
  return skips ?? false;
}

/**
 * Whether a tool's output has the form of a `TruncatedOutput` that was not made here. A remote server may answer with anything.
 * In the chat history, it would look like an envelope of this library, and could imitate its text.
 */
export function isForeignEnvelope(output: unknown): boolean {
  return (inspectSafely(output, isTruncatedOutput) ?? false) && !isOwn(output);
}
