import type { ChatMessage } from '../agent/chat-message';
import { chatModel } from '../agent/chat-model';
import { storageNotice } from '../lib/data-directory';
import { Chat } from './chat';
import { ChatHeader } from './chat-header';

interface ChatPageProps {
  id: string;
  storedMessages: ChatMessage[];
  /** An answer to the stored messages is being written: for a page that was reloaded, or for another one. */
  isStillAnswering?: boolean;
}

/** What a page of a chat is made of, new or stored. */
export function ChatPage({ id, storedMessages, isStillAnswering = false }: ChatPageProps) {
  const { label, isScripted } = chatModel();
  const notices = [label, storageNotice()].filter((notice) => notice !== undefined);
  return (
    <div className="flex h-dvh flex-col">
      <a href="#composer" className="quiet-button -translate-y-16 absolute top-2 left-2 z-10 focus:translate-y-0">
        Skip to message box
      </a>
      <ChatHeader chatId={id} modelName={label} isScripted={isScripted} />
      <Chat key={id} id={id} storedMessages={storedMessages} isStillAnswering={isStillAnswering} notices={notices} />
    </div>
  );
}
