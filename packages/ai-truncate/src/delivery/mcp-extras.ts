import type { Delivery } from './delivery.ts';
import { keepText } from './keep-text.ts';
import { measureOutput } from './measure-output.ts';
import { type ModelView, modelViewOf } from './model-view.ts';
import { toTruncatedOutput } from './to-truncated-output.ts';
import { look } from './tool-outcome.ts';

/**
 * An MCP server answers with `content` for the model, often with the same once more as `structuredContent`, and with what else it
 * likes. The model is not sent that, but too large it would weigh on the page, the chat log and every request to come. So each such
 * member is bounded by itself, unless the tool's `toModelOutput` does look at it.
 */
export async function withoutLargeExtras(
  output: unknown,
  { view, delivery }: { view: ModelView; delivery: Delivery },
): Promise<unknown> {
  const answer = look(output, (members) => (Array.isArray(members.content) ? { ...members } : undefined));
  if (!answer) return output;
  const smaller = { ...answer };
  const large: { name: string; reason: 'lines' | 'bytes' | 'chars' }[] = [];
  for (const [name, extra] of Object.entries(answer)) {
    if (name === 'content') continue;
    const { reason } = await measureOutput(extra, delivery.limits);
    if (!reason) continue;
    large.push({ name, reason });
    delete smaller[name];
  }
  if (large.length === 0 || !isSameView(view, await modelViewOf(smaller, delivery))) return output;
  for (const { name, reason } of large) {
    const kept = await keepText(answer[name], delivery);
    smaller[name] = await toTruncatedOutput(delivery, { ...kept, reason, bytes: kept.scanned.scan.bytes });
  }
  return smaller;
}

function isSameView(one: ModelView, other: ModelView): boolean {
  try {
    return JSON.stringify(one) === JSON.stringify(other);
  } catch {
    return false;
  }
}
