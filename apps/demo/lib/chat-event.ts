import type { ChatMessage, ChatMetadata } from '../agent/chat-message';

export type ChatPart = ChatMessage['parts'][number];

/** What happened in a chat. A chat is the list of these and nothing else: they are appended, never changed. */
export type ChatEvent =
  /** The visitor said something. */
  | { type: 'message'; message: ChatMessage }
  /** A part of an answer came into being, or became another one: a call got its output. */
  | { type: 'part'; messageId: string; index: number; part: ChatPart }
  | { type: 'metadata'; messageId: string; metadata: ChatMetadata }
  /** The visitor allowed or denied a call. */
  | { type: 'approval'; approvalId: string; approved: boolean; reason?: string }
  /** The visitor asked for another answer: what follows this message of theirs no longer counts. */
  | { type: 'retry'; messageId: string }
  /** A file of the workspace was written. */
  | { type: 'file'; path: string; content: string };

/** The messages of a chat as these events leave them. */
export function messagesOf(events: readonly ChatEvent[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const event of events) applyEvent(messages, event);
  // A part whose event was lost leaves a hole.
  return messages.map((message) => ({ ...message, parts: message.parts.filter((part) => part !== undefined) }));
}

function applyEvent(messages: ChatMessage[], event: ChatEvent): void {
  switch (event.type) {
    case 'message':
      messages.push(event.message);
      return;
    case 'part':
      answerOf(messages, event.messageId).parts[event.index] = event.part;
      return;
    case 'metadata':
      answerOf(messages, event.messageId).metadata = event.metadata;
      return;
    case 'approval':
      respond(messages.at(-1), event);
      return;
    case 'retry': {
      const index = messages.findIndex(({ id }) => id === event.messageId);
      if (index !== -1) messages.length = index + 1;
      return;
    }
    case 'file':
      return;
    default:
      // Written by a newer version of this demo: it means nothing here.
      event satisfies never;
  }
}

function answerOf(messages: ChatMessage[], id: string): ChatMessage {
  const last = messages.at(-1);
  if (last?.id === id) return last;
  const answer: ChatMessage = { id, role: 'assistant', parts: [] };
  messages.push(answer);
  return answer;
}

type Approval = Extract<ChatEvent, { type: 'approval' }>;

function respond(message: ChatMessage | undefined, { approvalId, approved, reason }: Approval): void {
  const index = message?.parts.findIndex((part) => isWaitingFor(part, approvalId)) ?? -1;
  const part = message?.parts[index];
  if (!message || !part || !('approval' in part)) return;
  message.parts[index] = {
    ...part,
    state: 'approval-responded',
    approval: { ...part.approval, id: approvalId, approved, ...(reason !== undefined && { reason }) },
  } as ChatPart;
}

/** Whether this part waits for the answer to this request, or to any. */
export function isWaitingFor(part: ChatPart, approvalId?: string): boolean {
  if (!('state' in part) || part.state !== 'approval-requested' || !('approval' in part)) return false;
  return !part.approval?.isAutomatic && (approvalId === undefined || part.approval?.id === approvalId);
}

/** The files of the workspace that were written, as they are now. */
export function writtenFilesOf(events: readonly ChatEvent[]): Map<string, string> {
  return new Map(events.flatMap((event) => (event.type === 'file' ? [[event.path, event.content] as const] : [])));
}
