import { now } from '../deadlines.ts';
import { splitParts } from '../delivery/content-parts.ts';
import { toTruncationEvent } from '../delivery/deliver-output.ts';
import type { SentToolResult } from '../delivery/delivery.ts';
import type { TruncationEvent } from '../delivery/events.ts';
import { measureOutput } from '../delivery/measure-output.ts';
import { shapeOfJson } from '../delivery/openai-shapes.ts';
import { redactedOf, redactModelOutput } from '../delivery/redact-output.ts';
import { outcomeOf } from '../delivery/tool-error.ts';
import { serialize } from '../json/serialize.ts';
import { type Listener, notify } from '../options.ts';
import { pace } from '../pace.ts';
import { choosePreview, createOutputScanner } from '../preview/choose-preview.ts';
import {
  exceededByText,
  fitsPreview,
  type KeepFunction,
  type PreviewKeep,
  type ResolvedLimits,
} from '../preview/limits.ts';
import { planPreview } from '../preview/notice-and-hint-words.ts';
import { isRecord } from '../protocol/guards.ts';
import type { FocusTerm } from '../text/focus-terms.ts';
import { framedPreviewOf, modelText } from '../text/frame.ts';
import type { RedactedCounts, Redactor } from '../text/redaction.ts';
import { byteLength } from '../text/utf.ts';

type SentOutput = SentToolResult['output'];
type SentContent = Extract<SentOutput, { type: 'content' }>;

/** Limits that always make the same preview, so `keep` is not a function, which may call a model. */
export interface FixedLimits extends ResolvedLimits {
  keep: Exclude<PreviewKeep, KeepFunction>;
}

/** The options for all results of a prompt. */
export interface ToolResultBounding {
  limits: FixedLimits;
  /** The terms of the question. */
  terms: () => readonly FocusTerm[];
  /** The names of the tools that may be called again without harm, for the hint. */
  repeatable: readonly string[];
  /** Your names for tools of OpenAI whose JSON keeps its shape. */
  openAiTools: readonly string[];
  abortSignal: AbortSignal | undefined;
  onTruncate: Listener<TruncationEvent> | undefined;
  /** Patterns whose matches are replaced in every result. */
  redactor?: Redactor | undefined;
  /** The replaced secrets in the current result. */
  counts?: RedactedCounts;
}

/**
 * A result in the form for a provider: the same object if it is within the limits. The text says that the rest was not saved.
 * It is pure: the same result becomes the same bytes in a later request, and a bounded result does not change.
 */
export async function boundToolResult(result: SentToolResult, bounding: ToolResultBounding): Promise<SentToolResult> {
  const { redactor } = bounding;
  const counts: RedactedCounts = {};
  const clean = redactor ? await redactModelOutput(result.output, { redactor, counts }) : result.output;
  const output = await boundOutput({ ...result, output: clean }, { ...bounding, counts });
  return output === result.output ? result : { ...result, output };
}

async function boundOutput(result: SentToolResult, bounding: ToolResultBounding): Promise<SentOutput> {
  const { output } = result;
  // A direct caller of the model may send an invalid output. The provider reports it better.
  if (!isRecord(output)) return output;
  switch (output.type) {
    case 'json':
      return boundJson(result, { output, bounding });
    case 'error-json':
    case 'error-text':
      return boundError(result, { output, bounding });
    case 'text': {
      const value = await boundedText(result, { value: output.value, isError: false, bounding });
      return value === undefined || value === output.value ? output : { ...output, value };
    }
    case 'content':
      return boundContent(result, { output, bounding });
    case 'execution-denied': {
      const reason = await boundedText(result, { value: output.reason ?? '', isError: true, bounding });
      return reason === undefined || reason === output.reason ? output : { ...output, reason };
    }
    default:
      return output;
  }
}

type Bounded<TYPE extends SentOutput['type']> = {
  output: Extract<SentOutput, { type: TYPE }>;
  bounding: ToolResultBounding;
};

async function boundJson(result: SentToolResult, { output, bounding }: Bounded<'json'>): Promise<SentOutput> {
  const { value } = output;
  const shape = await shapeOfJson(value, { ...bounding, toolName: result.toolName });
  if (shape === 'whole') return output;
  if (shape !== 'text') {
    const { content, limits } = shape;
    const text = await boundedText(result, { value: content, isError: false, bounding: { ...bounding, limits } });
    return text === undefined || text === content ? output : { ...output, value: shape.around(text) as never };
  }
  const text = await boundedText(result, { value, isError: false, bounding });
  if (text === undefined) return output;
  return { ...withOptions(output), type: 'text', value: text };
}

async function boundError(
  result: SentToolResult,
  { output, bounding }: Bounded<'error-json' | 'error-text'>,
): Promise<SentOutput> {
  const value = await boundedText(result, { value: output.value, isError: true, bounding });
  return value === undefined || value === output.value ? output : { ...withOptions(output), type: 'error-text', value };
}

/** Texts are counted together, and one preview replaces all of them. Files stay, unless they are text. */
async function boundContent(result: SentToolResult, { output, bounding }: Bounded<'content'>): Promise<SentOutput> {
  if (!Array.isArray(output.value)) return output;
  const split = await splitParts(output.value, bounding);
  const { texts } = split;
  const others = split.others as SentContent['value'];
  if (texts.length === 0) return output;
  const joined = texts.join('\n');
  const text = await boundedText(result, { value: joined, isError: false, bounding });
  return text === undefined || (text === joined && texts.length === 1)
    ? output
    : { ...output, value: [{ type: 'text', text, ...withOptions(split) }, ...others] };
}

/** The text that replaces a large result, or a value that JSON cannot carry; `undefined` if the result can stay. */
async function boundedText(
  result: SentToolResult,
  { value, isError, bounding }: { value: unknown; isError: boolean; bounding: ToolResultBounding },
): Promise<string | undefined> {
  const { limits } = bounding;
  const measured = await measureOutput(value, limits);
  if (!measured.reason) return measured.deliverable === value ? undefined : String(measured.deliverable);
  if (typeof value === 'string' && hasSizeOfPreview(value, limits)) return undefined;
  return previewOfResult(value, { ...bounding, result, isError, reason: measured.reason });
}

/**
 * Whether a text is as small as the replacement of a large output by a guard. It then stays, so that bounding twice changes
 * nothing. The notice and the frame add four lines to the limits. The author of a text cannot be known, so a larger text of
 * this form is cut and framed like any other.
 */
function hasSizeOfPreview(text: string, limits: FixedLimits): boolean {
  if (!fitsPreview(text, limits)) return false;
  const preview = framedPreviewOf(text);
  return preview !== undefined && exceededByText(preview, limits) === undefined;
}

function withOptions(holder: object): { providerOptions?: never } {
  const { providerOptions } = holder as { providerOptions?: never };
  return isRecord(providerOptions) ? { providerOptions } : {};
}

/** The text that the model sees in place of a result over the limits that was not saved. */
async function previewOfResult(
  value: unknown,
  cut: ToolResultBounding & { result: SentToolResult; isError: boolean; reason: TruncationEvent['reason'] },
): Promise<string> {
  const startedAt = now();
  const { result, limits, reason, abortSignal, repeatable } = cut;
  const { chunks, mediaType } = serialize(value, { indent: 2 });
  const scanner = createOutputScanner(limits, { isValue: mediaType === 'application/json', terms: cut.terms });
  for await (const chunk of pace(chunks, { abortSignal })) await scanner.push(chunk);
  const scanned = await scanner.finish();
  const { lines, chars } = scanned.scan;
  const bytes = scanned.value?.bytes ?? scanned.scan.bytes;
  const isError = cut.isError || outcomeOf(value).error !== undefined;
  const { toolName, toolCallId } = result;
  // Nothing is saved here, so no reader can help. The tool itself may; otherwise the notice says everything.
  const isRepeatable = repeatable.includes(toolName);
  const facts = { toolName, isError, path: null, hint: isRepeatable && {}, isRepeatable };
  const plan = planPreview(limits, { chars, facts });
  const shown = await choosePreview(scanned, { limits, room: plan.limits, toolName, input: undefined });
  const text = modelText({ text: plan.noticeAndHint(shown.part), preview: shown.text });
  const kept = { previewLines: shown.lines, previewBytes: shown.bytes, sentBytes: byteLength(text) };
  const call = { toolName: toolName.slice(0, MAX_NAME_CHARS), toolCallId: toolCallId.slice(0, MAX_NAME_CHARS) };
  const counted = { ...call, reason, lines, bytes, ...kept, path: null, endedAt: startedAt };
  const focus = shown.focus.length > 0 ? { focus: shown.focus } : {};
  const event = toTruncationEvent({ entrance: 'middleware', ...counted, ...focus });
  notify(cut.onTruncate, { ...event, ...redactedOf(cut.counts) });
  return text;
}

/** Names come with the history, so anyone may have written them. */
const MAX_NAME_CHARS = 128;
