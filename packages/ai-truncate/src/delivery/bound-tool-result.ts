import { pace } from '../pace.ts';
import { isRecord } from '../protocol/is-record.ts';
import { isTruncatedOutput, type TruncatedOutput } from '../protocol/truncated-output.ts';
import { boundedModelText } from '../truncation/bounded-model-text.ts';
import { framedTextOf, isNoticeAndHint } from '../truncation/framed-text.ts';
import { serialize } from '../truncation/serialize.ts';
import { boundShape } from './bound-shape.ts';
import { formOfJson } from './form-of-json.ts';
import { measureOutput } from './measure-output.ts';
import { textOfFile } from './media.ts';
import { previewOfResult } from './preview-of-result.ts';
import { shapeOf } from './provider-shape.ts';
import { truncatedModelOutput } from './to-model-output.ts';
import { look } from './tool-outcome.ts';
import type { SentContent, SentOutput, SentToolResult, ToolResultBounding } from './tool-result-bounding.ts';

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
    case 'json': {
      const form = formOfJson(output.value, { ...bounding, toolName: result.toolName });
      if (form === 'whole') return output;
      const shape = form === 'in place' ? shapeOf(output.value) : undefined;
      return shape ? boundShape(result, { output, shape, bounding }) : boundJson(result, { output, bounding });
    }
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
  const text = await boundedText(result, { value, isError: false, bounding });
  if (text === undefined) return output;
  const envelope = ownEnvelope(value);
  // What the tool's own `toModelOutput` makes of it, where the history was converted with the tools.
  const sent = envelope && truncatedModelOutput(envelope, bounding.limits.previewBytes);
  return { ...withOptions(output), ...((sent ?? { type: 'text', value: text }) as SentOutput) };
}

async function boundError(
  result: SentToolResult,
  { output, bounding }: Bounded<'error-json' | 'error-text'>,
): Promise<SentOutput> {
  const value = await boundedText(result, { value: output.value, isError: true, bounding });
  return value === undefined || value === output.value ? output : { ...withOptions(output), type: 'error-text', value };
}

/** What providers have of their own in one result, together: a reference or a mark is far smaller. */
const MAX_OWN_CHARS = 2048;

/** Texts are counted together, and one preview takes the place of all. Files stay, unless they are text. */
async function boundContent(result: SentToolResult, { output, bounding }: Bounded<'content'>): Promise<SentOutput> {
  const others: SentContent['value'] = [];
  const texts: string[] = [];
  let options: object = {};
  let ownChars = 0;
  if (!Array.isArray(output.value)) return output;
  for await (const part of pace(output.value)) {
    const text = textOfPart(part);
    const own = text ?? (await jsonOfOwnPart(part, bounding));
    if (text === undefined && own.length <= MAX_OWN_CHARS - ownChars) {
      ownChars += own.length;
      others.push(part);
      continue;
    }
    texts.push(own);
    // The last one that says something: a mark for the prompt cache stands at the end.
    if (text !== undefined) options = { ...options, ...withOptions(part) };
  }
  if (texts.length === 0) return output;
  const joined = texts.join('\n');
  const text = await boundedText(result, { value: joined, isError: false, bounding });
  return text === undefined || (text === joined && texts.length === 1)
    ? output
    : { ...output, value: [{ type: 'text', text, ...options }, ...others] };
}

/** Of a part that only one provider knows: most others write it as JSON into the text that the model reads. */
async function jsonOfOwnPart(part: unknown, { abortSignal }: ToolResultBounding): Promise<string> {
  let json = '';
  if (!isRecord(part) || part.type !== 'custom') return json;
  for await (const chunk of pace(serialize(part.providerOptions).chunks, { abortSignal })) json += chunk;
  return json;
}

function textOfPart(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined;
  return part.type === 'text' && typeof part.text === 'string' ? part.text : textOfFile(part);
}

/** The text that takes the place of what is too large, or of what JSON cannot carry; `undefined` where it can stay. */
async function boundedText(
  result: SentToolResult,
  { value, isError, bounding }: { value: unknown; isError: boolean; bounding: ToolResultBounding },
): Promise<string | undefined> {
  const { limits } = bounding;
  const measured = await measureOutput(value, limits);
  if (!measured.reason) return measured.deliverable === value ? undefined : String(measured.deliverable);
  const framed = typeof value === 'string' ? framedTextOf(value) : ownEnvelope(value);
  if (framed) return boundedModelText('data' in framed ? partsOf(framed) : framed, limits.previewBytes);
  return previewOfResult(value, { ...bounding, result, isError, reason: measured.reason });
}

/** An envelope as `truncateToolOutputs` makes them, from a history that was converted without the tools. */
function ownEnvelope(value: unknown): TruncatedOutput | undefined {
  const isEnvelope = look(value, (members) => isTruncatedOutput(members) && isNoticeAndHint(members.text));
  return isEnvelope ? (value as TruncatedOutput) : undefined;
}

function partsOf({ text, data }: TruncatedOutput): { text: string; preview: string } {
  return { text, preview: data.preview };
}

function withOptions(holder: object): { providerOptions?: never } {
  const { providerOptions } = holder as { providerOptions?: never };
  return isRecord(providerOptions) ? { providerOptions } : {};
}
