import type { ChatMessage } from '../agent/chat-message';

/** Whether the last message of the visitor has nothing behind it: no word, no call of a tool. */
export function isUnanswered(messages: readonly ChatMessage[]): boolean {
  const last = messages.at(-1);
  if (last === undefined) return false;
  return last.role === 'user' || last.parts.every(({ type }) => type === 'step-start');
}
