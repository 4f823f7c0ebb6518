import { isRecord } from '../protocol/guards.ts';
import type { Delivery } from './delivery.ts';
import type { TruncationEvent } from './events.ts';
import { measureOutput } from './measure-output.ts';
import { type ModelView, modelViewOf } from './model-output.ts';
import { inspectSafely } from './trusted-output.ts';

/**
 * An MCP server answers with `content` for the model, often with the same once more as `structuredContent`, and with what else it
 * likes. The model is not sent that, but too large it would weigh on the UI, the chat log and every request to come. Then one
 * preview takes its place; unless the tool's `toModelOutput` does look at it.
 */
export async function largeExtrasOf(
  output: unknown,
  { view, delivery }: { view: ModelView; delivery: Delivery },
): Promise<{ extras: unknown; rest: object; reason: TruncationEvent['reason'] } | undefined> {
  const answer = delivery.isMcp ? inspectSafely(output, answerOf) : undefined;
  if (!answer) return undefined;
  const { extras, ...rest } = answer;
  const [name = '', ...more] = Object.keys(extras);
  const { reason } = await measureOutput(extras, delivery.limits);
  if (!reason || !isSameView(view, await modelViewOf(rest, delivery))) return undefined;
  return { extras: more.length === 0 ? extras[name] : extras, rest, reason };
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
