import { join } from 'node:path';
import { vercelBlobStore } from 'ai-truncate/vercel-blob';
import type { ChatEvent } from './chat-event';
import { chatLogInStore } from './chat-log-in-store';
import { chatLogOnDisk } from './chat-log-on-disk';
import { dataDirectory } from './data-directory';
import { diskRoom } from './disk-room';
import { environment } from './environment';
import { oncePerProcess } from './once-per-process';

/**
 * Where chats are kept: by appending. The history that a model is sent is read from here and never taken from a client, who
 * could have written anything into it.
 */
export interface ChatLog {
  /** What happened in this chat, oldest first; `undefined` when there is no such chat. Lines that are broken are left out. */
  read(chatKey: string): Promise<ChatEvent[] | undefined>;
  /** Resolves when the events are where they survive the process. Begins the chat when it does not exist. */
  append(chatKey: string, events: readonly ChatEvent[]): Promise<void>;
  /** Forgets this chat. It is no error when there is none. */
  delete(chatKey: string): Promise<void>;
}

/** The log of this demo: in Vercel Blob when a store is connected, else on the disk. */
export function chatLog(): ChatLog {
  return oncePerProcess('chat-log', () => {
    const { blob } = environment();
    if (blob) return chatLogInStore(vercelBlobStore({ prefix: 'chats/', ...blob }));
    return chatLogOnDisk(join(dataDirectory(), 'chats'), { room: diskRoom() });
  });
}
