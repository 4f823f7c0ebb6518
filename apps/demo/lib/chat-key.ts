import { isChatId } from './chat-id';
import { type FromVisitor, type Visitor, visitorOf } from './visitor';

/**
 * Under which a chat and its artifacts are kept: the visitor and the chat in one, so that the id of somebody else's chat names
 * a chat that does not exist.
 */
export function toChatKey({ id }: Visitor, chatId: string): string {
  return `${id}-${chatId}`;
}

/** The key of a chat for who asks, as the scope of its artifacts too; `undefined` when nobody can have such a chat. */
export async function chatKeyOf(request: FromVisitor, chatId: string | null | undefined): Promise<string | undefined> {
  const visitor = await visitorOf(request);
  return visitor && isChatId(chatId) ? toChatKey(visitor, chatId) : undefined;
}
