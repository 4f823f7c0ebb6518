import { workInTurns } from '../delivery/work-in-turns.ts';
import { boundToolResult } from './bound-tool-result.ts';
import type { CallParameters, PromptMessage, ToolMessage, ToolResultBounding } from './tool-result-bounding.ts';

/**
 * The same parameters with every result bounded that the application's own tools gave; the very same where all are within the
 * limits. What a provider ran itself stands in messages of the assistant, in a form that only it understands: that stays.
 */
export async function boundToolResults(
  params: CallParameters,
  options: Omit<ToolResultBounding, 'abortSignal'>,
): Promise<CallParameters> {
  const { abortSignal } = params;
  const bounding: ToolResultBounding = { ...options, abortSignal };
  const inTurns = workInTurns();
  const prompt: PromptMessage[] = [];
  let changed = false;
  for (const message of params.prompt) {
    const bounded = message.role === 'tool' ? await boundMessage(message, { bounding, inTurns }) : message;
    changed ||= bounded !== message;
    prompt.push(bounded);
  }
  return changed ? { ...params, prompt } : params;
}

async function boundMessage(
  message: ToolMessage,
  { bounding, inTurns }: { bounding: ToolResultBounding; inTurns: ReturnType<typeof workInTurns> },
): Promise<ToolMessage> {
  const content: ToolMessage['content'] = [];
  let changed = false;
  for (const part of message.content) {
    bounding.abortSignal?.throwIfAborted();
    const bounded = part.type === 'tool-result' ? await inTurns(() => boundToolResult(part, bounding)) : part;
    changed ||= bounded !== part;
    content.push(bounded);
  }
  return changed ? { ...message, content } : message;
}
