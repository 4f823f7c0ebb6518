import { chatModel } from '../agent/chat-agent';
import type { ChatMessage } from '../agent/chat-message';

import { Chat } from './chat';
import { ChatHeader } from './chat-header';

/** What a page of a chat is made of, new or stored. */
export function ChatPage({ id, storedMessages }: { id: string; storedMessages: ChatMessage[] }) {
  const { label } = chatModel();
  const notices = [label];
  return (
    <div className="flex h-dvh flex-col">
      <a href="#composer" className="quiet-button -translate-y-16 absolute top-2 left-2 z-10 focus:translate-y-0">
        Skip to your message
      </a>
      <ChatHeader modelName={nameOf(label)} />
      <Chat id={id} storedMessages={storedMessages} notices={notices} />
    </div>
  );
}

/** `Offline model` of `Offline model: rules, no LLM. …`: the header has room for a name. */
function nameOf(label: string): string {
  return label.split(':', 1)[0] ?? label;
}
