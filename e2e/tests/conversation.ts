import { randomUUID } from 'node:crypto';

/** An answer as it came over the wire. */
export interface Answer {
  bytes: number;
  chunks: { type: string; [key: string]: unknown }[];
  text: string;
}

/** What a visitor has to have to go on with a chat. */
export interface Visit {
  chat: string;
  /** The cookie that the first answer came with. */
  cookie: string;
}

export interface Conversation {
  visit: Visit;
  say(text: string): Promise<Answer>;
  /** Waits until this stands in the answer, and gives what goes away from the rest of it. */
  sayUntil(text: string, expected: string): Promise<() => void>;
  restore(): Promise<Response>;
}

/** Talks to the demo as its page does, without a browser: as a new visitor with a new chat, or goes on as the one of `before`. */
export function conversationWith(url: string, before?: Visit): Conversation {
  const visit: Visit = before ? { ...before } : { chat: randomUUID(), cookie: '' };
  let isNew = before === undefined;
  async function send(text: string, signal?: AbortSignal): Promise<Response> {
    const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
    const body = JSON.stringify({ id: visit.chat, trigger: 'submit-message', isNew, message });
    isNew = false;
    const options = { method: 'POST', headers: { cookie: visit.cookie }, body, ...(signal && { signal }) };
    const response = await fetch(`${url}/api/chat`, options);
    visit.cookie = cookieOf(response) ?? visit.cookie;
    return response;
  }
  return {
    visit,
    say: async (text) => readAnswer(await send(text)),
    async sayUntil(text, expected) {
      const leaving = new AbortController();
      const { body } = await send(text, leaving.signal);
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      let read = '';
      while (!read.includes(expected)) {
        const chunk = await reader?.read();
        if (chunk === undefined || chunk.done) throw new Error(`The answer ended without ${expected}: ${read}`);
        read += chunk.value;
      }
      return () => leaving.abort();
    },
    restore: () => fetch(`${url}/api/chats/${visit.chat}`, { headers: { cookie: visit.cookie } }),
  };
}

/** The cookie that an answer sets, as it is sent back. */
export function cookieOf(response: Response): string | undefined {
  return response.headers.getSetCookie()[0]?.split(';')[0];
}

/** Under which name the server keeps this chat: the visitor's id and the chat's. */
export function chatFolderOf({ chat, cookie }: Visit): string {
  return `${/^visitor=(\w+)/.exec(cookie)?.[1]}-${chat}`;
}

async function readAnswer(response: Response): Promise<Answer> {
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${body}`);
  const chunks = body
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Answer['chunks'][number]);
  const text = chunks.map(({ type, delta }) => (type === 'text-delta' ? String(delta) : '')).join('');
  return { bytes: Buffer.byteLength(body), chunks, text };
}
