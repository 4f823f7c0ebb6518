import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { conversationWith, cookieOf } from './conversation.ts';

test('a visitor who goes away stops the work, and the chat goes on at once', async ({ baseURL }) => {
  const chat = randomUUID();
  const stop = new AbortController();
  const message = {
    id: randomUUID(),
    role: 'user',
    parts: [{ type: 'text', text: 'Why did checkout fail last night?' }],
  };
  const response = await fetch(`${baseURL}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ id: chat, trigger: 'submit-message', isNew: true, message }),
    signal: stop.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let chunk = await reader?.read(); !chunk?.value?.includes('tool-input-available'); )
    chunk = await reader?.read();
  stop.abort();

  // A chat that still worked would refuse this: it answers one question at a time.
  const conversation = conversationWith(baseURL ?? '', { chat, cookie: cookieOf(response) ?? '' });
  expect((await conversation.say('How do subagents work?')).text).toContain('06-subagents.mdx');
  const { messages } = await (await conversation.restore()).json();
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  const [, stopped] = messages;
  expect(stopped.parts.map(({ type, state }: { type: string; state?: string }) => `${type} ${state ?? ''}`)).toContain(
    'tool-readServerLogs input-available',
  );
});
