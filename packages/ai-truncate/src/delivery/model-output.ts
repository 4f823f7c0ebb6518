import { serialize } from '../json/serialize.ts';
import { isRecord } from '../protocol/guards.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { boundedModelText } from '../text/frame.ts';
import { splitParts } from './content-parts.ts';
import type { Delivery, ToolResultOutput } from './delivery.ts';
import type { TruncationEvent } from './events.ts';
import { measureOutput } from './measure-output.ts';
import { fromMedia } from './media.ts';
import { inspectSafely } from './trusted-output.ts';

/** What of an output is measured, kept and previewed: what the model would be sent. */
export interface ModelView {
  /** A string is text; everything else is a value that would be sent as JSON. */
  output: unknown;
  /** File parts. They are not counted and go to the model behind the preview. */
  media: readonly unknown[];
  /** The tool's own view says that it failed. */
  isError: boolean;
}

/**
 * An output as the model would be sent it. Of a tool with a `toModelOutput` of its own that is what this gives; one that
 * throws is asked no more, and the output stands for itself: an error there is the SDK's to tell, when it asks.
 */
export async function modelViewOf(output: unknown, { toModelOutput }: Delivery): Promise<ModelView> {
  if (!toModelOutput) return plainViewOf(output);
  try {
    return await viewOf(await toModelOutput(output));
  } catch {
    return plainViewOf(output);
  }
}

/** The output itself, as the SDK sends it of a tool without a `toModelOutput`. */
export function plainViewOf(output: unknown): ModelView {
  return { output, media: [], isError: false };
}

async function viewOf(sent: ToolResultOutput): Promise<ModelView> {
  switch (sent?.type) {
    case 'text':
    case 'json':
      return plainViewOf(sent.value);
    case 'error-text':
    case 'error-json':
      return { ...plainViewOf(sent.value), isError: true };
    case 'content': {
      const { texts, others } = await splitParts(sent.value);
      return { ...plainViewOf(texts.join('\n')), media: others };
    }
    default:
      return plainViewOf(sent);
  }
}

/** What the SDK sends for an output when the tool says nothing else. */
export function plainModelOutput(output: unknown): ToolResultOutput {
  if (typeof output === 'string') return { type: 'text', value: output };
  try {
    return { type: 'json', value: JSON.parse(JSON.stringify(output) ?? 'null') };
  } catch {
    return { type: 'text', value: [...serialize(output).chunks].join('') };
  }
}

/**
 * What a model reads in place of an output that was too large. Takes any object of that shape: the chat history comes back
 * from the client, who may have put anything into it, so the budget holds again and nothing leaves the frame.
 */
export function truncatedModelOutput(output: TruncatedOutput, previewBytes: number): ToolResultOutput {
  const text = boundedModelText({ text: output.text, preview: output.data.preview }, previewBytes);
  const media = fromMedia(output.data.media);
  if (media.length === 0) return { type: 'text', value: text };
  return { type: 'content', value: [{ type: 'text', text }, ...media] as never };
}

/**
 * An MCP server answers with `content` for the model, often with the same once more as `structuredContent`, and with what else it
 * likes. The model is not sent that, but too large it would weigh on the UI, the chat log and every request to come. Then one
 * preview takes its place; unless the tool's `toModelOutput` does look at it.
 */
export async function largeExtrasOf(
  output: unknown,
  { view, delivery }: { view: ModelView; delivery: Delivery },
): Promise<{ extras: unknown; rest: object; reason: TruncationEvent['reason'] } | undefined> {
  const answer =
    delivery.isMcp &&
    inspectSafely(output, ({ content, isError, ...extras }) => {
      return { extras, rest: { content, ...(isError !== undefined && { isError }) } };
    });
  if (!answer || !Array.isArray(answer.rest.content)) return undefined;
  const { extras, rest } = answer;
  const [name = '', ...more] = Object.keys(extras);
  const { reason } = await measureOutput(extras, delivery.limits);
  if (!reason || !isSameView(view, await modelViewOf(rest, delivery))) return undefined;
  return { extras: more.length === 0 ? extras[name] : extras, rest, reason };
}

/** By the data itself: a picture as JSON once more would take its time. */
function isSameView(one: ModelView, other: ModelView): boolean {
  if (one.output !== other.output || one.media.length !== other.media.length) return false;
  return one.media.every((part, index) => dataOf(part) === dataOf(other.media[index]));
}

function dataOf(part: unknown): unknown {
  if (!isRecord(part)) return part;
  return isRecord(part.data) ? (part.data.data ?? part.data.url ?? part.data.reference) : part.data;
}
