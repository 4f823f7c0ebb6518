import { isTruncatedOutput } from 'ai-truncate/ui';
import type { ChatMessage } from '../agent/chat-message';
import { type ChatEvent, isWaitingFor, messagesOf } from './chat-event';
import type { ChatRequest } from './chat-request';
import { RequestError } from './request-error';

/** Reading a longer chat at each request would cost too much, most of all where each event is a request of its own. */
const MAX_EVENTS = 2_000;

/** A longer history costs too much to send. */
const MAX_MESSAGES = 40;
/** What tools gave costs space until it expires. A chat that kept so much has asked enough. */
const MAX_ARTIFACTS = 40;

export const chatIsFull = () => new RequestError('chat_full', 'This chat is full. Begin a new one.');

/** What a request changes in a chat, before it is answered. Throws a `RequestError` when it does not fit the chat. */
export function changesFor(request: ChatRequest, events: readonly ChatEvent[] | undefined): ChatEvent[] {
  if (events === undefined) {
    if (request.kind === 'message' && request.isNew) return [toMessage(request)];
    throw new RequestError('unknown_chat', 'This chat is no longer here. Start again with a new one.');
  }
  const messages = messagesOf(events);
  if (isFull(events, messages, request)) throw chatIsFull();
  if (request.kind === 'message') {
    if (!messages.some(({ id }) => id === request.messageId)) return [toMessage(request)];
    // The answer to it was lost on the way, and the page asks once more. What came after an older one would be gone.
    const question = messages.findLast(({ role }) => role === 'user');
    if (question?.id === request.messageId) return [{ type: 'retry', messageId: request.messageId }];
    throw new RequestError(
      'not_waiting',
      'This message was sent already, and the chat went on since. Reload the page.',
    );
  }
  if (request.kind === 'retry') {
    const question = messages.findLast(({ role }) => role === 'user');
    if (!question) throw new RequestError('bad_request', 'There is nothing to answer again. Write a message.');
    return [{ type: 'retry', messageId: question.id }];
  }
  const answer = messages.at(-1);
  const waiting = answer?.role === 'assistant' ? answer.parts.filter((part) => isWaitingFor(part)) : [];
  // A page that was reloaded between two answers sends the older ones again: those are known.
  const responses = request.responses.filter(({ approvalId }) =>
    waiting.some((part) => isWaitingFor(part, approvalId)),
  );
  if (responses.length === 0) {
    throw new RequestError('not_waiting', 'This request for approval was answered already. Reload the page.');
  }
  // Checked by call, because two decisions about one call do not decide two calls.
  if (!waiting.every((part) => responses.some(({ approvalId }) => isWaitingFor(part, approvalId)))) {
    throw new RequestError('bad_request', 'More than one call waits for approval. Answer all of them.');
  }
  return responses.map((response) => ({ type: 'approval', ...response }));
}

function isFull(events: readonly ChatEvent[], messages: readonly ChatMessage[], { kind }: ChatRequest): boolean {
  // The answer to the last question that fits may still be allowed its calls, and be had again.
  const isTooLong = kind === 'message' && messages.length >= MAX_MESSAGES;
  return isTooLong || events.length >= MAX_EVENTS || artifactsIn(events) >= MAX_ARTIFACTS;
}

/** Also those of answers that no longer count: what they kept is still there. */
function artifactsIn(events: readonly ChatEvent[]): number {
  const paths = events.flatMap((event) => {
    const output = event.type === 'part' && 'output' in event.part ? event.part.output : undefined;
    return isTruncatedOutput(output) ? (output.data.truncation.full_output_path ?? []) : [];
  });
  return new Set(paths).size;
}

function toMessage({ messageId, text }: Extract<ChatRequest, { kind: 'message' }>): ChatEvent {
  return { type: 'message', message: { id: messageId, role: 'user', parts: [{ type: 'text', text }] } };
}
