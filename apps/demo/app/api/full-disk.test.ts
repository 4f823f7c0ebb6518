import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import type { ChatMessage } from '../../agent/chat-message';
import type { DiskRoom } from '../../lib/disk-room';
import { oncePerProcess } from '../../lib/once-per-process';

// Set before the routes are loaded. On Vercel without a Blob store everything goes into a private temporary directory.
process.env.VERCEL = '1';
process.env.DEMO_LOG_MB = '1';
for (const name of ['OPENAI_API_KEY', 'BLOB_READ_WRITE_TOKEN', 'BLOB_STORE_ID', 'MCP_COMMAND', 'TOOL_OUTPUT_DIR'])
  delete process.env[name];
const { CHAT_ROOM_BYTES, DiskFullError } = await import('../../lib/disk-room');

/** Bytes that the disk still takes. */
let leftBytes = 0;
const room: DiskRoom = {
  async take(bytes, { keepFree = 0 } = {}) {
    if (bytes + keepFree > leftBytes) throw new DiskFullError();
    leftBytes -= bytes;
  },
};
oncePerProcess('disk-room', () => room);
const { POST } = await import('./chat/route');
const { GET: getChat } = await import('./chats/[id]/route');
const { dataDirectory } = await import('../../lib/data-directory');
afterAll(() => rmSync(dataDirectory(), { recursive: true, force: true }));

async function ask(text: string) {
  const chat = randomUUID();
  const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
  const body = JSON.stringify({ id: chat, trigger: 'submit-message', isNew: true, message });
  const response = await POST(new Request('http://localhost/api/chat', { method: 'POST', body }));
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { chat, cookie, status: response.status, body: await response.text() };
}

test('without room for an output, the model and the visitor see that it was not saved, and the chat continues', async () => {
  leftBytes = CHAT_ROOM_BYTES - 1;
  const { chat, cookie, status, body } = await ask('Why did checkout fail last night?');
  expect(status).toBe(200);
  expect(body).toContain('The rest was not saved and cannot be retrieved.');
  const request = new Request(`http://localhost/api/chats/${chat}`, { headers: { cookie } });
  const restored = await (await getChat(request, { params: Promise.resolve({ id: chat }) })).json();
  const answer: ChatMessage = restored.messages[1];
  expect(answer.metadata).toMatchObject({ isDiskFull: true, isFinished: true });
  const call = answer.parts.find((part) => part.type === 'tool-readServerLogs');
  expect(call?.output).toMatchObject({ data: { truncation: { full_output_path: null } } });
});

test('without room for the question, the request is refused with a message for the visitor', async () => {
  leftBytes = 10;
  const { status, body } = await ask('hello');
  expect(status).toBe(507);
  expect(JSON.parse(body)).toEqual({
    error: {
      code: 'storage_full',
      message: expect.stringContaining('The disk of this server is full'),
      action: 'wait',
    },
  });
});

test('without room for the answer, the visitor sees why it is not in the chat', async () => {
  leftBytes = 1_000;
  const { status, body } = await ask('Why did checkout fail last night?');
  expect(status).toBe(200);
  expect(body).toContain('The disk of this server is full');
});
