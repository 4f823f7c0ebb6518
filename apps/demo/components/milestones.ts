import { isTruncatedOutput } from 'ai-truncate/ui';
import type { ChatMessage } from '../agent/chat-message';
import { answerEnd } from './answer-end';
import { formatBytes } from './format-size';
import { isToolCallPart, type ToolCallPart, toolNameOf } from './tool-call-part';
import { type MessagePlace, toolPhase } from './tool-phase';

/** Something that a person who does not see the page should hear of, once. */
export interface Milestone {
  /** The same event has the same key, however often the page is drawn. */
  key: string;
  words: string;
}

/** What has happened in a chat so far, in order. Words of an answer are not announced one by one. */
export function milestonesOf(messages: readonly ChatMessage[], chat: { isAnswering: boolean }): Milestone[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant') return [];
    const isLast = index === messages.length - 1;
    const isAnswering = chat.isAnswering && isLast;
    const calls = message.parts.filter(isToolCallPart).flatMap((part) => callMilestone(part, { isAnswering, isLast }));
    const end = answerEnd([message]);
    if (isAnswering || end === 'asking') return calls;
    const words = end === 'complete' ? 'The answer is complete.' : 'The answer ended before it was complete.';
    return [...calls, { key: `${message.id}:${message.parts.length}:end`, words }];
  });
}

function callMilestone(part: ToolCallPart, place: MessagePlace): Milestone[] {
  const phase = toolPhase(part, place);
  const words = wordsOf(part, phase);
  return words === undefined ? [] : [{ key: `${part.toolCallId}:${phase}`, words }];
}

function wordsOf(part: ToolCallPart, phase: ReturnType<typeof toolPhase>): string | undefined {
  const name = toolNameOf(part);
  switch (phase) {
    case 'running':
      return `${name} is running.`;
    case 'asking':
      return `${name} needs your approval.`;
    case 'denied':
      return `${name} was denied.`;
    case 'failed':
      return `${name} failed.`;
    case 'stopped':
      return `${name} was stopped.`;
    case 'done': {
      if (!isTruncatedOutput(part.output)) return `${name} is done.`;
      const { original_bytes, kept_bytes } = part.output.data.truncation;
      return `${name} is done: ${formatBytes(original_bytes)}, of which the model reads ${formatBytes(kept_bytes)}.`;
    }
    default:
      return undefined;
  }
}
