import { pace } from '../pace.ts';
import { isRecord } from '../protocol/is-record.ts';
import type { Delivery, ToolResultOutput } from './delivery.ts';
import { textOfFile } from './media.ts';

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
  if (!toModelOutput) return { output, media: [], isError: false };
  try {
    return await viewOf(await toModelOutput(output));
  } catch {
    return { output, media: [], isError: false };
  }
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

/** More than this are looked at in turns of the event loop. */
const FEW_PARTS = 1000;

async function viewOfParts(parts: readonly unknown[]): Promise<{ output: string; media: unknown[] }> {
  const media: unknown[] = [];
  let output: string | undefined;
  const take = (part: unknown): void => {
    const text = textOf(part);
    if (text === undefined) media.push(part);
    else output = output === undefined ? text : `${output}\n${text}`;
  };
  if (parts.length <= FEW_PARTS) parts.forEach(take);
  else for await (const part of pace(parts)) take(part);
  return { output: output ?? '', media };
}

/** A file whose content is text is text. */
function textOf(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined;
  if (part.type === 'text' && typeof part.text === 'string') return part.text;
  return textOfFile(part);
}
