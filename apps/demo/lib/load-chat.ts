import type { ChatMessage } from '../agent/chat-message';
import { messagesOf } from './chat-event';
import { isChatId } from './chat-id';
import { toChatKey } from './chat-key';
import { chatLog } from './chat-log';
import { chatTurns } from './chat-turns';
import { type FromVisitor, visitorOf } from './visitor';
import { visitorLimits } from './visitor-limits';

/** What a page gets of a chat. */
interface LoadedChat {
  messages: ChatMessage[];
  /** Whether more of the last answer comes. */
  isAnswering: boolean;
}

/** A chat as it stands; `undefined` when who asks has no such chat. Counts as reading, and throws a `RequestError` like it. */
export async function loadChat(request: FromVisitor, chatId: string): Promise<LoadedChat | undefined> {
  const visitor = await visitorOf(request);
  if (!visitor || !isChatId(chatId)) return undefined;
  const asker = { request, visitor, isNew: false };
  visitorLimits().requireReading(asker, { isSearch: false });
  const chatKey = toChatKey(visitor, chatId);
  // Asked first: `false` then means that the log has all of the answer.
  const isAnswering = chatTurns().isAnswering(chatKey);
  const events = await chatLog().read(chatKey);
  if (events) visitorLimits().tookReading(asker, { isSearch: false, bytes: 0 });
  return events && { messages: messagesOf(events), isAnswering };
}
