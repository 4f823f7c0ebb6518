import type { ModelMessage } from 'ai';
import { isRecord } from '../protocol/is-record.ts';

/** An agent that is called may call another one; that one may not. */
export const MAX_TASK_DEPTH = 2;

/** How deep the run is that a signal belongs to. */
const depths = new WeakMap<AbortSignal, number>();
/** The SDK joins signals where there are timeouts: what is remembered of one is then lost, and the messages tell. */
const MARK = 'ai-truncate';

export function rememberDepth(signal: AbortSignal, depth: number): void {
  depths.set(signal, depth);
}

/** The messages with which a run at this depth begins. Providers take no notice of options that are not theirs. */
export function promptAtDepth(prompt: string, depth: number): ModelMessage[] {
  return [{ role: 'user', content: prompt, providerOptions: { [MARK]: { depth } } }];
}

/** How deep the run is that makes this call: 0 for the main agent. */
export function depthOf({
  abortSignal,
  messages,
}: {
  abortSignal?: AbortSignal | undefined;
  messages?: readonly ModelMessage[] | undefined;
}): number {
  const ofSignal = (abortSignal && depths.get(abortSignal)) ?? 0;
  const ofMessages = Array.isArray(messages) ? messages.map(markedDepth) : [];
  return ofMessages.reduce((most, depth) => Math.max(most, depth), ofSignal);
}

function markedDepth(message: unknown): number {
  const options = isRecord(message) ? message.providerOptions : undefined;
  const mark = isRecord(options) && Object.hasOwn(options, MARK) ? options[MARK] : undefined;
  const depth = isRecord(mark) ? mark.depth : undefined;
  return typeof depth === 'number' && depth > 0 ? depth : 0;
}
