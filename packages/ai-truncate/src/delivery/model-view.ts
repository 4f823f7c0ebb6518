import { isRecord } from '../protocol/is-record.ts';
import type { Delivery, ToolResultOutput } from './delivery.ts';
import { toMedia } from './media.ts';

/** What of an output is measured, kept and previewed: what the model would be sent. */
export interface ModelView {
  /** A string is text; everything else is a value that would be sent as JSON. */
  output: unknown;
  /** File parts. They are not counted and go to the model behind the preview. */
  media: unknown[];
}

/**
 * An output as the model would be sent it. Of a tool with a `toModelOutput` of its own that is what this gives; one that
 * throws is asked no more, and the output stands for itself: an error there is the SDK's to tell, when it asks.
 */
export async function modelViewOf(output: unknown, { toModelOutput }: Delivery): Promise<ModelView> {
  if (!toModelOutput) return { output, media: [] };
  let sent: ToolResultOutput;
  try {
    sent = await toModelOutput(output);
  } catch {
    return { output, media: [] };
  }
  return viewOf(sent);
}

function viewOf(sent: ToolResultOutput): ModelView {
  switch (sent?.type) {
    case 'text':
    case 'error-text':
    case 'json':
    case 'error-json':
      return { output: sent.value, media: [] };
    case 'content':
      return viewOfParts(sent.value);
    default:
      return { output: sent, media: [] };
  }
}

function viewOfParts(parts: readonly unknown[]): ModelView {
  const texts: string[] = [];
  const media: unknown[] = [];
  for (const part of parts) {
    const text = textOf(part);
    if (text === undefined) media.push(toMedia(part));
    else texts.push(text);
  }
  return { output: texts.join('\n'), media };
}

/** A file whose content is text is text. */
function textOf(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined;
  const { type, text, data } = part;
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'file' && isRecord(data) && data.type === 'text' && typeof data.text === 'string') return data.text;
  return undefined;
}
