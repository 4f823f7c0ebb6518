import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { chatFolderOf, conversationWith } from './conversation.ts';
import { startDemo } from './demo-server.ts';

const chatsFolder = fileURLToPath(new URL('../../apps/demo/.data/chats/', import.meta.url));

test('a log of 40 MB is transferred in less than 60 kB, and no line of the chat log contains it', async ({
  baseURL,
}) => {
  const conversation = conversationWith(baseURL ?? '');
  const { bytes, text } = await conversation.say('Why did checkout fail last night?');
  expect(text).toContain('cut `payments.timeoutMs` from 30,000 to 300 ms');
  expect(bytes).toBeLessThan(60_000);

  const lines = (await readFile(`${chatsFolder}${chatFolderOf(conversation.visit)}/events.jsonl`, 'utf8')).split('\n');
  expect(lines.length).toBeGreaterThan(4);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(42_000);
});

test('a chat survives a restart of the server, and continues', async () => {
  const first = await startDemo({ DEMO_LOG_MB: '2' });
  const conversation = conversationWith(first.url);
  await conversation.say('Why did checkout fail last night?');
  const before = await (await conversation.restore()).json();
  await first.stop();

  const second = await startDemo({ DEMO_LOG_MB: '2' });
  const restored = conversationWith(second.url, conversation.visit);
  expect(await (await restored.restore()).json()).toEqual(before);
  expect((await restored.say('search for rollback')).text).toContain('rollback to deploy');
  await second.stop();
  await rm(`${chatsFolder}${chatFolderOf(conversation.visit)}`, { recursive: true });
});

test('an unknown chat is a clear 404', async ({ request }) => {
  const response = await request.get('/api/chats/00000000-0000-4000-8000-000000000000');
  expect(response.status()).toBe(404);
  expect(await response.json()).toEqual({
    error: {
      code: 'unknown_chat',
      message: 'This chat is no longer here. Start again with a new one.',
      action: 'start-again',
    },
  });
});

test('a body over 64 KB is refused with 413, and a malformed body with 400', async ({ request }) => {
  const large = await request.post('/api/chat', { data: { trigger: 'submit-message', text: 'x'.repeat(70_000) } });
  expect(large.status()).toBe(413);
  expect((await request.post('/api/chat', { data: { messages: 'none' } })).status()).toBe(400);
});
