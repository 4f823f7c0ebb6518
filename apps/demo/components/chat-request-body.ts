import { isToolUIPart } from 'ai';
import type { ChatMessage } from '../agent/chat-message';

/**
 * What is posted: the last message alone, and of an answer only what the visitor decided. The history belongs to the server, so
 * a request stays small however much the tools gave, and no visitor can rewrite what a tool said.
 *
 * A retry sends the message once more, under its old id. Whether it ever arrived is for the server to know.
 */
export function chatRequestBody(id: string, messages: readonly ChatMessage[]) {
  const message = messages.at(-1);
  // A chat that the server does not know is an error, never silently a new one: only a message before any answer may open it.
  const isNew = messages.every(({ role }) => role === 'user');
  return {
    id,
    trigger: 'submit-message',
    message: message?.role === 'assistant' ? decisionsOf(message) : message,
    ...(isNew && { isNew }),
  };
}

function decisionsOf({ id, role, parts }: ChatMessage) {
  const decisions = parts.flatMap((part) => {
    if (!isToolUIPart(part) || part.state !== 'approval-responded') return [];
    const { type, toolCallId, state, approval } = part;
    return [{ type, toolCallId, state, approval }];
  });
  return { id, role, parts: decisions };
}
