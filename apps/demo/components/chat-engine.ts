// First: before anything else asks zod for anything.
import './without-eval';
import { AbstractChat, type ChatState } from 'ai';
import type { ChatMessage } from '../agent/chat-message';
import { approvalSender } from './approval-sender';
import { chatTransport } from './chat-transport';

/** What asks the server and writes its answers into a chat: the same that `useChat` is made of. */
export class ChatEngine extends AbstractChat<ChatMessage> {
  constructor(id: string, state: ChatState<ChatMessage>) {
    super({ id, state, transport: chatTransport(), sendAutomaticallyWhen: approvalSender() });
  }
}
