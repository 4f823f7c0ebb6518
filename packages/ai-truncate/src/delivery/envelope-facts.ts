import { now } from '../deadlines.ts';
import { serialize } from '../json/serialize.ts';
import { pace } from '../pace.ts';
import { isRecord } from '../protocol/guards.ts';
import { toProjectPath } from '../protocol/project-path.ts';
import type { ToolResponseContext, ToolResponseStats } from '../protocol/tool-response.ts';
import { byteLength, firstChars } from '../text/utf.ts';
import type { Delivery } from './delivery.ts';
import type { ToolOutcome } from './tool-outcome.ts';

const MAX_NAME = 128;
const MAX_BYTES = 2048;
const MAX_EXCERPT = 500;

/** What the call cost, and where it was done: of an envelope its own word where that is short, else ours. */
export async function envelopeFacts(
  { toolName, toolCallId, input, startedAt, endedAt = now() }: Delivery,
  { stats, context }: ToolOutcome,
): Promise<{ stats: ToolResponseStats; context: ToolResponseContext }> {
  const own = stats || context ? await boundedJson({ stats, context }) : undefined;
  const kept = isRecord(own) ? own : {};
  // What was bounded here does not answer for its own size.
  const { truncation_skip: _, cwd, path_resolved: path, ...keptContext } = isRecord(kept.context) ? kept.context : {};
  const pathResolved = projectPathOf(path);
  return {
    stats: { time_ms: Math.round(endedAt - startedAt), ...onlyNumbersAndText(kept.stats) },
    context: {
      cwd: projectPathOf(cwd) ?? '.',
      params_input: input === undefined ? {} : await boundedInput(input),
      ...(pathResolved !== undefined && { path_resolved: pathResolved }),
      ...keptContext,
      tool_name: firstChars(toolName, MAX_NAME),
      tool_call_id: firstChars(toolCallId, MAX_NAME),
    },
  };
}

/** A place of the server is nothing for a chat log. */
function projectPathOf(path: unknown): string | undefined {
  return typeof path === 'string' ? toProjectPath(path, undefined) : undefined;
}

function onlyNumbersAndText(stats: unknown): Record<string, number | string> {
  if (!isRecord(stats)) return {};
  const entries = Object.entries(stats).filter(([, value]) => typeof value === 'number' || typeof value === 'string');
  return Object.fromEntries(entries) as Record<string, number | string>;
}

/** The input as plain JSON up to 2 KiB; of a larger one the first characters. */
async function boundedInput(input: unknown): Promise<unknown> {
  const whole = await boundedJson(input);
  if (whole !== undefined) return whole;
  return firstChars(typeof input === 'string' ? input : await beginningOfJson(input), MAX_EXCERPT);
}

/** A value as plain JSON, `undefined` when it is larger than 2 KiB. */
async function boundedJson(value: unknown): Promise<unknown> {
  if (typeof value === 'string')
    return byteLength(JSON.stringify(firstChars(value, MAX_BYTES + 1))) <= MAX_BYTES ? value : undefined;
  const json = await beginningOfJson(value);
  return byteLength(json) <= MAX_BYTES ? JSON.parse(json) : undefined;
}

async function beginningOfJson(value: unknown): Promise<string> {
  let text = '';
  for await (const chunk of pace(serialize(value).chunks)) {
    text += chunk;
    if (text.length > MAX_BYTES) break;
  }
  return text;
}
