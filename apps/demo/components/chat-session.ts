import type { ChatMessage } from '../agent/chat-message';
import type { ApprovalAnswer } from './approval-request';
import type { ChatEngine } from './chat-engine';
import { ChatLoadError } from './chat-failure';
import { ChatStore } from './chat-store';

/**
 * One chat of a page, and all that its visitor can do with it. The engine weighs more than the rest of the page: it is fetched
 * when it is needed, and what was asked for meanwhile is shown at once.
 */
export class ChatSession {
  readonly store: ChatStore;
  readonly #id: string;
  #engine: ChatEngine | undefined;
  #loading: Promise<ChatEngine> | undefined;
  /** Counts what was asked for: what still waits for the engine when something else is asked for, or it is stopped, is over. */
  #turn = 0;
  #pendingDecisions = 0;

  constructor({ id, messages }: { id: string; messages: ChatMessage[] }) {
    this.#id = id;
    this.store = new ChatStore(messages);
  }

  /** Fetches the engine, on the first sign that somebody is about to need it. */
  readonly prepare = (): void => {
    // Who needs it asks once more, and is told of the failure.
    this.#load().catch(() => {});
  };

  /** A decision of the visitor waits for the engine. Until it is taken nothing is asked: behind a question it would be lost. */
  get isDeciding(): boolean {
    return this.#pendingDecisions > 0;
  }

  /** Asks a question, unless `isDeciding`. */
  async send(text: string): Promise<void> {
    if (this.isDeciding) return;
    const id = randomId();
    this.store.pushMessage({ id, role: 'user', parts: [{ type: 'text', text }] });
    // Under the id that it has on the page, it takes the place of what is shown.
    await this.#ask((engine) => engine.sendMessage({ text, messageId: id }));
  }

  /** Asks for the last answer once more, unless `isDeciding`. */
  async retry(): Promise<void> {
    if (this.isDeciding) return;
    await this.#ask((engine) => engine.regenerate());
  }

  /** Says yes or no to a call that waits for it. */
  readonly answer = async (answer: ApprovalAnswer): Promise<void> => {
    const turn = this.#turn;
    this.#pendingDecisions++;
    try {
      const engine = await this.#loadOrFail();
      if (turn === this.#turn) await engine?.addToolApprovalResponse(answer);
    } finally {
      this.#pendingDecisions--;
    }
  };

  /** Ends the answer that is being written. What has arrived of it stays. */
  readonly stop = async (): Promise<void> => {
    const turn = ++this.#turn;
    await this.#engine?.stop();
    // The engine knows nothing of a question that it has not taken up.
    if (turn === this.#turn && this.store.status === 'submitted') this.store.status = 'ready';
  };

  /** Takes the last question back, with all that followed it, and says what it was. */
  takeBack(): string {
    const { messages } = this.store;
    const last = messages.findLastIndex(({ role }) => role === 'user');
    this.store.messages = messages.slice(0, last);
    this.store.error = undefined;
    this.store.status = 'ready';
    return messages[last]?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';
  }

  async #ask(action: (engine: ChatEngine) => Promise<void>): Promise<void> {
    const turn = ++this.#turn;
    this.store.error = undefined;
    this.store.status = 'submitted';
    const engine = await this.#loadOrFail();
    if (!engine || turn !== this.#turn) return;
    try {
      await action(engine);
    } catch (error) {
      if (turn === this.#turn) this.#fail(error as Error);
    }
  }

  async #loadOrFail(): Promise<ChatEngine | undefined> {
    const turn = this.#turn;
    try {
      return await this.#load();
    } catch (cause) {
      if (turn !== this.#turn) return undefined;
      this.#fail(new ChatLoadError({ cause, isQuestion: this.store.messages.at(-1)?.role === 'user' }));
      return undefined;
    }
  }

  #fail(error: Error): void {
    this.store.error = error;
    this.store.status = 'error';
  }

  #load(): Promise<ChatEngine> {
    this.#loading ??= this.#makeEngine().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #makeEngine(): Promise<ChatEngine> {
    const { ChatEngine } = await import('./chat-engine');
    this.#engine = new ChatEngine(this.#id, this.store);
    return this.#engine;
  }
}

/** Of `getRandomValues`, since browsers have no `randomUUID` for pages that came over plain HTTP. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
