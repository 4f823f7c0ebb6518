import { createContext, use } from 'react';

const ChatId = createContext<string | undefined>(undefined);

/** Tells everything inside which chat it belongs to: links to artifacts need it, and stand deep inside of answers. */
export const ChatIdProvider = ChatId.Provider;

/** The chat that this component belongs to. */
export function useChatId(): string {
  const id = use(ChatId);
  if (id === undefined) throw new Error('A component that links to artifacts must stand inside of <ChatIdProvider>.');
  return id;
}
