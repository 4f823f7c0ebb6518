import { appendFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { chatFolderOf, conversationWith } from './conversation.ts';
import { startDemo } from './demo-server.ts';

test('a visitor who leaves stops the work, and the chat continues at once', async ({ baseURL }) => {
  const conversation = conversationWith(baseURL ?? '');
  const leave = await conversation.sayUntil('Why did checkout fail last night?', 'tool-input-available');
  leave();

  // A chat that still worked would refuse this: it answers one question at a time.
  expect((await conversation.say('How do subagents work?')).text).toContain('06-subagents.mdx');
  const { messages } = await (await conversation.restore()).json();
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  const [, stopped] = messages;
  expect(stopped.parts.map(({ type, state }: { type: string; state?: string }) => `${type} ${state ?? ''}`)).toContain(
    'tool-readServerLogs input-available',
  );
});

test('a chat says that its server was killed during an answer, and the answer can be requested again', async ({
  page,
}) => {
  // It starts two servers.
  test.slow();
  const killed = await startDemo({ DEMO_LOG_MB: '2' });
  const { visit, sayUntil } = conversationWith(killed.url);
  await sayUntil('Why did checkout fail last night?', '"toolName":"task"');
  await killed.stop('SIGKILL');
  const folder = fileURLToPath(new URL(`../../apps/demo/.data/chats/${chatFolderOf(visit)}`, import.meta.url));
  // What is left when it is killed within a write.
  await appendFile(`${folder}/events.jsonl`, '{"type":"part","messageId":"');

  const demo = await startDemo({ DEMO_LOG_MB: '2' });
  const { messages, isAnswering } = await (await conversationWith(demo.url, visit).restore()).json();
  expect(isAnswering).toBe(false);
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant']);

  const [name = '', value = ''] = visit.cookie.split('=');
  await page.context().addCookies([{ name, value, url: demo.url }]);
  await page.goto(`${demo.url}/c/${visit.chat}`);
  const note = page.getByRole('note').filter({ hasText: 'This answer was not finished' });
  await note.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('from 30,000 to 300 ms').first()).toBeVisible();
  await expect(note).toHaveCount(0);
  await demo.stop();
  await rm(folder, { recursive: true });
});
