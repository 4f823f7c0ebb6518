import { splitParts } from '../delivery/content-parts.ts';
import type { SentToolResult } from '../delivery/delivery.ts';
import { measureOutput } from '../delivery/measure-output.ts';
import { shapeOfJson } from '../delivery/openai-shapes.ts';
import { shellRunsOf } from '../delivery/openai-shell.ts';
import { exceededByText } from '../preview/limits.ts';
import { isRecord } from '../protocol/guards.ts';
import { framedPreviewOf } from '../text/frame.ts';
import { byteLength } from '../text/utf.ts';
import {
  type FixedLimits,
  previewOfResult,
  type SentContent,
  type SentOutput,
  shortenedRuns,
  type ToolResultBounding,
} from './preview-of-result.ts';

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
  const runs = shape === 'shell' ? shellRunsOf(value) : undefined;
  if (runs) {
    const sent = await shortenedRuns(value as Record<string, unknown>, { runs, result, bounding });
    return sent === undefined ? output : { ...output, value: sent as never };
  }
  if (shape === 'output') {
    const shaped = value as { output: string };
    const text = await boundedText(result, { value: shaped.output, isError: false, bounding });
    return text === undefined || text === shaped.output ? output : { ...output, value: { ...shaped, output: text } };
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
