import { now } from '../deadlines.ts';
import { splitParts } from '../delivery/content-parts.ts';
import { toTruncationEvent } from '../delivery/deliver-output.ts';
import type { SentToolResult } from '../delivery/delivery.ts';
import type { TruncationEvent } from '../delivery/events.ts';
import { measureOutput } from '../delivery/measure-output.ts';
import { shapeOfJson } from '../delivery/openai-shapes.ts';
import { outcomeOf } from '../delivery/tool-error.ts';
import { serialize } from '../json/serialize.ts';
import { notify } from '../options.ts';
import { pace } from '../pace.ts';
import { choosePreview, createOutputScanner } from '../preview/choose-preview.ts';
import { exceededByText, type KeepFunction, type PreviewKeep, type ResolvedLimits } from '../preview/limits.ts';
import { planPreview } from '../preview/notice-and-hint-words.ts';
import { isRecord } from '../protocol/guards.ts';
import { framedPreviewOf, modelText } from '../text/frame.ts';
import { byteLength } from '../text/utf.ts';

type SentOutput = SentToolResult['output'];
type SentContent = Extract<SentOutput, { type: 'content' }>;

/** Limits that make the same preview each time: no function, which may ask a model. */
export interface FixedLimits extends ResolvedLimits {
  keep: Exclude<PreviewKeep, KeepFunction>;
}

/** What holds for all results of a prompt. */
export interface ToolResultBounding {
  limits: FixedLimits;
  /** The names of the tools that the agent can call, for the hint. */
  tools: readonly string[];
  /** Further names of tools that are OpenAI's own, whose JSON keeps its shape. */
  openAiTools: readonly string[];
  abortSignal: AbortSignal | undefined;
  onTruncate: ((event: TruncationEvent) => void) | undefined;
}

/**
 * A result as it may go to a provider: the same object when it is within the limits. What is cut here is not kept, and the text
 * says so. Pure: a result of a later request that is the same becomes the same, and one that was bounded stays as it is.
 */
export async function boundToolResult(result: SentToolResult, bounding: ToolResultBounding): Promise<SentToolResult> {
  const output = await boundOutput(result, bounding);
  return output === result.output ? result : { ...result, output };
}

async function boundOutput(result: SentToolResult, bounding: ToolResultBounding): Promise<SentOutput> {
  const { output } = result;
  // Whoever calls the model directly may send what is no output: the provider says so, and better.
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

/** Texts are counted together, and one preview takes the place of all. Files stay, unless they are text. */
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

/** The text that takes the place of what is too large, or of what JSON cannot carry; `undefined` where it can stay. */
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
 * Whether a text is as small as what a guard puts in the place of a large output: then it stays, so that bounding it twice changes
 * nothing. The notice and the frame make four lines more than the limits allow. Who wrote them cannot be known: a larger text of
 * that form is cut and framed like every other.
 */
function hasSizeOfPreview(text: string, limits: FixedLimits): boolean {
  if (text.length > limits.previewBytes || byteLength(text) > limits.previewBytes) return false;
  const preview = framedPreviewOf(text);
  return preview !== undefined && exceededByText(preview, limits) === undefined;
}

function withOptions(holder: object): { providerOptions?: never } {
  const { providerOptions } = holder as { providerOptions?: never };
  return isRecord(providerOptions) ? { providerOptions } : {};
}

/** The text that the model sees in place of a result that is too large and was not saved. */
async function previewOfResult(
  value: unknown,
  cut: ToolResultBounding & { result: SentToolResult; isError: boolean; reason: TruncationEvent['reason'] },
): Promise<string> {
  const startedAt = now();
  const { result, limits, reason, abortSignal, tools } = cut;
  const scanner = createOutputScanner(limits);
  for await (const chunk of pace(serialize(value, { indent: 2 }).chunks, { abortSignal })) scanner.push(chunk);
  const scanned = await scanner.finish();
  const { lines, bytes, chars } = scanned.scan;
  const isError = cut.isError || outcomeOf(value).error !== undefined;
  const { toolName, toolCallId } = result;
  // Nothing is saved here, so no reader can help. The tool itself may, where the application says that it can be called.
  const repeatable = tools.includes(toolName) ? toolName : undefined;
  const facts = { toolName, isError, path: null, tools: [], repeatable };
  const plan = planPreview(limits, { chars, facts });
  const shown = await choosePreview(scanned, { limits, room: plan.limits });
  const text = modelText({ text: plan.noticeAndHint(shown.part), preview: shown.text });
  const kept = { previewLines: shown.lines, previewBytes: shown.bytes, sentBytes: byteLength(text) };
  const call = { toolName: toolName.slice(0, MAX_NAME_CHARS), toolCallId: toolCallId.slice(0, MAX_NAME_CHARS) };
  const counted = { ...call, reason, lines, bytes, ...kept, path: null, endedAt: startedAt };
  notify(cut.onTruncate, toTruncationEvent({ entrance: 'middleware', ...counted }));
  return text;
}

/** Names come with the history, and so from anyone. */
const MAX_NAME_CHARS = 128;
