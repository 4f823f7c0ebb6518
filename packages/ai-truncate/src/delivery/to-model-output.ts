import { serialize } from '../json/serialize.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { boundedModelText } from '../text/frame.ts';
import type { ToolResultOutput } from './delivery.ts';
import { fromMedia } from './media.ts';

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
