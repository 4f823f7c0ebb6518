import type { ChatState, ChatStatus } from 'ai';
import type { ChatMessage } from '../agent/chat-message';

/** What a page draws of a chat. A new object whenever any of it is another. */
export interface ChatView {
  messages: ChatMessage[];
  status: ChatStatus;
  error: Error | undefined;
}

/** How often a page that is being written to is drawn: more often is not seen, and costs on phones. */
const redrawMs = 50;

/**
 * What is known of a chat. It is here from the first paint, without the SDK; the engine that writes answers into it comes later.
 * Its functions are bound, as React and the SDK call them.
 */
export class ChatStore implements ChatState<ChatMessage> {
  #current: ChatView;
  /** What was told last. While words arrive it is older than what is current. */
  #told: ChatView;
  #toldAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(messages: ChatMessage[]) {
    this.#current = this.#told = { messages, status: 'ready', error: undefined };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): ChatView => this.#told;

  get messages(): ChatMessage[] {
    return this.#current.messages;
  }
  set messages(messages: ChatMessage[]) {
    this.#current = { ...this.#current, messages };
    this.#tellSoon();
  }

  get status(): ChatStatus {
    return this.#current.status;
  }
  set status(status: ChatStatus) {
    this.#current = { ...this.#current, status };
    this.#tell();
  }

  get error(): Error | undefined {
    return this.#current.error;
  }
  set error(error: Error | undefined) {
    this.#current = { ...this.#current, error };
    this.#tell();
  }

  readonly setMessages = (messages: ChatMessage[]): void => {
    this.messages = messages;
  };

  readonly pushMessage = (message: ChatMessage): void => {
    this.messages = [...this.messages, copyOf(message)];
  };

  readonly popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };

  readonly replaceMessage = (index: number, message: ChatMessage): void => {
    this.messages = this.messages.with(index, copyOf(message));
  };

  // Not the function itself: browsers refuse to call it as a method.
  readonly snapshot = <VALUE>(value: VALUE): VALUE => structuredClone(value);

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = this.#current;
    this.#toldAt = performance.now();
    for (const listener of this.#listeners) listener();
  }

  #tellSoon(): void {
    const waitMs = this.#toldAt + redrawMs - performance.now();
    if (waitMs <= 0) this.#tell();
    else this.#timer ??= setTimeout(() => this.#tell(), waitMs);
  }
}

/** The SDK goes on to write into the message and the parts that it hands out. */
function copyOf(message: ChatMessage): ChatMessage {
  return { ...message, parts: message.parts.map((part) => ({ ...part })) };
}
