import { isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import type { ChatMessage } from '../agent/chat-message';

/**
 * Decides whether the visitor's decisions are sent now. The SDK asks again after each answer, and would ask for ever where the
 * server ends an answer without taking a decision up: each set of decisions is sent once.
 */
export function approvalSender(): (chat: { messages: ChatMessage[] }) => boolean {
  const sent = new Set<string>();
  return ({ messages }) => {
    if (!lastAssistantMessageIsCompleteWithApprovalResponses({ messages })) return false;
    const decisions = decisionsOf(messages.at(-1));
    if (sent.has(decisions)) return false;
    sent.add(decisions);
    return true;
  };
}

function decisionsOf(message: ChatMessage | undefined): string {
  const ids = message?.parts.flatMap((part) =>
    isToolUIPart(part) && part.state === 'approval-responded' ? [part.approval.id] : [],
  );
  return JSON.stringify(ids);
}
