import type { ChatMessage } from '../agent/chat-message';

/** What the server has of a chat, and whether it still writes to it. */
export interface StoredChat {
  messages: ChatMessage[];
  isAnswering: boolean;
}

const maxWaitMs = 10_000;

/** Asks the server for a chat. Rejects when it does not answer soon, or with anything but a chat. */
export async function fetchStoredChat(id: string, signal: AbortSignal): Promise<StoredChat> {
  const response = await fetch(`/api/chats/${id}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]),
  });
  if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
  return response.json();
}
