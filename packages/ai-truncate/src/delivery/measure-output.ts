import { now } from '../deadlines.ts';
import { plainJson } from '../json/plain-json.ts';
import { compactJson, serialize } from '../json/serialize.ts';
import { inTurns, pace } from '../pace.ts';
import { createOutputScanner, previewInSteps } from '../preview/choose-preview.ts';
import { exceededByText, exceededLimit, type ResolvedLimits } from '../preview/limits.ts';
import { inspectSafely, isRecord } from '../protocol/guards.ts';
import { isOwn, isTruncatedOutput } from '../protocol/truncated-output.ts';
import { byteLength } from '../text/utf.ts';
import { type CapturedValue, captureJson, captureValue, uncapturedValue } from './captured-value.ts';
import type { TruncationEvent } from './events.ts';

/** The limit for which an output is replaced; or, when it is not, what can be sent of it. */
export type MeasuredOutput = { reason: TruncationEvent['reason'] } | { reason?: undefined; deliverable: unknown };

/**
 * A string is measured as text, everything else as the compact JSON that the SDK would send. What JSON cannot carry, or
 * only at many times its size, can be sent as text. Of a small output over a limit, measuring builds the preview, to see whether
 * one would be smaller.
 */
export async function measureOutput(output: unknown, limits: ResolvedLimits): Promise<MeasuredOutput> {
  const text = typeof output === 'string' ? output : plainJson(output, QUICK_PROBE);
  return text === undefined ? measureLarge(output, limits) : measureText(output, { text, limits });
}

/** When the look at a value alone takes so long, one of its objects has so many keys that no step more fits into this turn. */
const LONG_LOOK_MS = 40;
/** Most values are within these limits and take microseconds. The walk below handles any value, but is slower. */
const QUICK_PROBE = { nodes: 4096, levels: 32 };

/** The same for what a tool has just returned, which is captured before the event loop turns: see `captureValue`. */
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

/** Measures an output that is a text, or whose JSON is known. */
async function measureText(
  output: unknown,
  { text, limits }: { text: string; limits: ResolvedLimits },
): Promise<MeasuredOutput> {
  const reason = typeof output === 'string' ? exceededByText(output, limits) : exceededByJson(text, limits);
  return reason && (await isWorthCutting(output, { text, limits })) ? { reason } : { deliverable: output };
}

async function measureLarge(output: unknown, limits: ResolvedLimits): Promise<MeasuredOutput> {
  const size = { lines: 0, bytes: 0, chars: 0 };
  let text = '';
  const { chunks, isTooDeep } = serialize(output);
  for await (const chunk of pace(chunks)) {
    size.bytes += byteLength(chunk);
    size.chars += chunk.length;
    // Of several limits this one is named, so that a value over another alone is read on, to the end or to this one.
    if (size.bytes > limits.maxBytes) return { reason: 'bytes' };
    text += chunk;
  }
  const reason = exceededLimit(limits, size);
  if (reason && (await isWorthCutting(output, { text, limits }))) return { reason };
  // What JSON writes otherwise than we do (the bytes of a Buffer, the holes of an array) may be far larger than it was measured.
  const json = compactJson(output, limits.maxBytes);
  const isCarried = json !== undefined && ((reason && !isTooDeep()) || exceededByJson(json, limits) === undefined);
  // The text lacks the levels that are too deep, so it cannot replace the output.
  if (isTooDeep() && !isCarried) return { reason: 'bytes' };
  return { deliverable: isCarried ? output : text };
}

/** A value has no lines. */
function exceededByJson(json: string, limits: ResolvedLimits): TruncationEvent['reason'] | undefined {
  return exceededLimit(limits, { lines: 0, bytes: byteLength(json), chars: json.length });
}

/** The words around a preview: a notice with a path, the tags of the frame, a hint. */
const WORDS_BYTES = 512;

/**
 * Whether a preview in its place would be smaller: of an output with many short lines it would not. Nothing is saved for an output
 * that passes, and it is within `previewBytes`. The same for both guards, so that the second lets pass what the first one did.
 */
async function isWorthCutting(
  output: unknown,
  { text, limits }: { text: string; limits: ResolvedLimits },
): Promise<boolean> {
  const { maxLines, maxChars, previewBytes, keep } = limits;
  if (text.length > previewBytes) return true;
  const bytes = byteLength(text);
  if (bytes > previewBytes) return true;
  const scanner = createOutputScanner(limits);
  for await (const chunk of pace(serialize(output, { indent: 2 }).chunks)) scanner.push(chunk);
  const steps = previewInSteps(await scanner.finish(), {
    // What a function would answer is not known; both ends are what is shown without its answer.
    keep: typeof keep === 'function' ? 'ends' : keep,
    // How much room the words will leave is not known yet: no preview shows more than this.
    limits: { maxLines, maxBytes: Math.min(previewBytes, maxChars) },
  });
  const shown = await inTurns(steps);
  return shown.bytes + WORDS_BYTES < bytes;
}

/** Enough to tell a text from what is none. */
const BYTES_LOOKED_AT = 64 * 1024;
/** What no text holds: other control characters than white space, backspace and the beginning of a colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them.
const NO_TEXT = /[\0-\x07\x0e-\x1a\x1c-\x1f]/;

/**
 * The text that bytes are, as commands and files often come, `undefined` when they are none. The SDK would send a list of numbers
 * for them. More bytes than `maxBytes` are judged by their beginning, and what is given is that.
 */
export function textInBytes(output: unknown, maxBytes: number): { bytes: Uint8Array; text: string } | undefined {
  const bytes = bytesOf(output);
  if (!bytes) return undefined;
  const isWhole = bytes.length <= maxBytes;
  const beginning = isWhole ? bytes : bytes.subarray(0, BYTES_LOOKED_AT);
  try {
    // The end of a beginning may lie inside a character.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(beginning, { stream: !isWhole });
    return NO_TEXT.test(text) ? undefined : { bytes, text };
  } catch {
    return undefined;
  }
}

function bytesOf(output: unknown): Uint8Array | undefined {
  try {
    if (!(output instanceof Uint8Array)) return undefined;
    // A class of one's own may slice otherwise.
    return new Uint8Array(output.buffer, output.byteOffset, output.byteLength);
  } catch {
    // The buffer belongs to somebody else by now, or a Proxy passes for bytes: JSON makes something of it all the same.
    return undefined;
  }
}

/** Whether the output answers for its own size, and is believed. */
export function skipsTruncation(output: unknown, { allowsSkip }: { allowsSkip?: boolean | undefined }): boolean {
  // Nobody bounds twice what was bounded here, by a tool that calls `truncateOutput` for instance.
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
 * Whether a tool's output has the shape of a `TruncatedOutput` that was not made here: a server that the tool asked may answer
 * with anything. In the chat history it could not be told from one of ours, and would speak in our place.
 */
export function isForeignEnvelope(output: unknown): boolean {
  return (inspectSafely(output, isTruncatedOutput) ?? false) && !isOwn(output);
}
