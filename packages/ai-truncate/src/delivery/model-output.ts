import { serialize } from '../json/serialize.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { boundedModelText } from '../text/frame.ts';
import { splitParts } from './content-parts.ts';
import type { Delivery, ToolResultOutput } from './delivery.ts';
import { fromMedia } from './media.ts';

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
      return { output: sent.value, media: [], isError: false };
    case 'error-text':
    case 'error-json':
      return { output: sent.value, media: [], isError: true };
    case 'content':
      return { ...(await viewOfParts(sent.value)), isError: false };
    default:
      return { output: sent, media: [], isError: false };
  }
}

async function viewOfParts(parts: readonly unknown[]): Promise<{ output: string; media: unknown[] }> {
  const { texts, others } = await splitParts(parts);
  return { output: texts.join('\n'), media: others };
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
