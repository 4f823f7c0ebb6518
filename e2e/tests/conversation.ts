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

/** Talks to the demo as its page does, without a browser: as a new visitor with a new chat, or goes on as the one of `before`. */
export function conversationWith(url: string, before?: Visit) {
  const visit: Visit = before ? { ...before } : { chat: randomUUID(), cookie: '' };
  let isNew = before === undefined;
  return {
    visit,
    async say(text: string): Promise<Answer> {
      const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
      const body = JSON.stringify({ id: visit.chat, trigger: 'submit-message', isNew, message });
      isNew = false;
      const response = await fetch(`${url}/api/chat`, { method: 'POST', headers: { cookie: visit.cookie }, body });
      visit.cookie = cookieOf(response) ?? visit.cookie;
      return readAnswer(response);
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
