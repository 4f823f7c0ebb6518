import { randomUUID } from 'node:crypto';

/** An answer as it came over the wire. */
export interface Answer {
  bytes: number;
  chunks: { type: string; [key: string]: unknown }[];
  text: string;
}

/** Talks to the demo as its page does, without a browser. */
export function conversationWith(url: string, chat: string = randomUUID()) {
  let isNew = true;
  return {
    chat,
    async say(text: string): Promise<Answer> {
      const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
      const body = JSON.stringify({ id: chat, trigger: 'submit-message', isNew, message });
      isNew = false;
      return readAnswer(await fetch(`${url}/api/chat`, { method: 'POST', body }));
    },
    /** A page that knows the chat already: it was reloaded, or is another one. */
    goOn() {
      isNew = false;
      return this;
    },
    restore: () => fetch(`${url}/api/chats/${chat}`),
  };
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
