import type { ChatMessage } from '../agent/chat-message';
import { isToolCallPart } from './tool-call-part';

/** How a chat to which nothing is added ends: with all that was asked for, with a question to the visitor, or too early. */
export type AnswerEnd = 'complete' | 'asking' | 'unfinished' | 'unanswered';

/**
 * How the last answer ended. What cut it short (the visitor, a reload, a server that went away) may have had no time to say so:
 * an answer is complete when it says that it is finished and ends with words, as agents do.
 */
export function answerEnd(messages: readonly ChatMessage[]): AnswerEnd {
  const last = messages.at(-1);
  if (last === undefined) return 'complete';
  if (last.role === 'user' || last.parts.every(({ type }) => type === 'step-start')) return 'unanswered';
  if (last.parts.some((part) => isToolCallPart(part) && part.state === 'approval-requested')) return 'asking';
  if (last.metadata?.isFinished === false) return 'unfinished';
  const part = last.parts.findLast((each) => isToolCallPart(each) || isReasoning(each) || isSpoken(each));
  return part?.type === 'text' && part.state !== 'streaming' ? 'complete' : 'unfinished';
}

type Part = ChatMessage['parts'][number];

function isReasoning({ type }: Part): boolean {
  return type === 'reasoning';
}

function isSpoken(part: Part): boolean {
  return part.type === 'text' && part.text.trim() !== '';
}
