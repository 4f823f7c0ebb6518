import { isRecord } from '../protocol/guards.ts';
import type { Delivery } from './delivery.ts';
import { keepText } from './keep-text.ts';
import { measureOutput } from './measure-output.ts';
import { type ModelView, modelViewOf } from './model-view.ts';
import { toTruncatedOutput } from './to-truncated-output.ts';
import { look } from './tool-outcome.ts';

/**
 * An MCP server answers with `content` for the model, often with the same once more as `structuredContent`, and with what else it
 * likes. The model is not sent that, but too large it would weigh on the page, the chat log and every request to come. Then all of it
 * is kept, and one preview stands in its place; unless the tool's `toModelOutput` does look at it.
 */
export async function withoutLargeExtras(
  output: unknown,
  { view, delivery }: { view: ModelView; delivery: Delivery },
): Promise<unknown> {
  const answer = delivery.isMcp ? look(output, answerOf) : undefined;
  if (!answer) return output;
  const { extras, ...rest } = answer;
  const names = Object.keys(extras);
  const { reason } = await measureOutput(extras, delivery.limits);
  if (!reason || !isSameView(view, await modelViewOf(rest, delivery))) return output;
  const kept = await keepText(names.length === 1 ? extras[names[0] ?? ''] : extras, delivery);
  return { ...rest, structuredContent: await toTruncatedOutput(delivery, { ...kept, reason }) };
}

function answerOf(output: Record<string, unknown>) {
  const { content, isError, ...extras } = output;
  if (!Array.isArray(content)) return undefined;
  return { content, ...(isError !== undefined && { isError }), extras };
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
