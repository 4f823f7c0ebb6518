import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { byteLength, endOfFirstBytes } from '../truncation/byte-length.ts';
import { serialize } from '../truncation/serialize.ts';
import { gapRow, modelText } from '../truncation/truncation-notice.ts';
import { wellFormedText, withoutFrameTags } from '../truncation/visible-text.ts';
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

function boundedModelText(output: { text: string; preview: string }, maxBytes: number): string {
  // A character weighs at least a byte: no more than that is ever looked at.
  const text = safe(output.text.slice(0, maxBytes));
  const preview = safe(output.preview.slice(0, maxBytes));
  const whole = modelText({ text, preview });
  if (byteLength(whole) <= maxBytes) return whole;
  const words = text.slice(0, endOfFirstBytes(text, Math.floor(maxBytes / 2)));
  // The notice tells how much was shown before: the row says that it is less now.
  const row = (shown: string) => `\n${gapRow({ lines: 0, from: 0, chars: output.preview.length - shown.length })}`;
  const room = maxBytes - byteLength(modelText({ text: words, preview: row('') }));
  const shown = preview.slice(0, endOfFirstBytes(preview, Math.max(0, room)));
  return modelText({ text: words, preview: shown.length < output.preview.length ? shown + row(shown) : shown });
}

/** Changes nothing of a preview of ours, so that the same history gives the same bytes. */
function safe(text: string): string {
  return withoutFrameTags(wellFormedText(text));
}
