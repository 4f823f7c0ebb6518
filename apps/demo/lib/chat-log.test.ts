import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore } from 'ai-truncate';
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../agent/chat-message';
import { type ChatEvent, messagesOf } from './chat-event';
import { chatLogInStore } from './chat-log-in-store';
import { chatLogOnDisk } from './chat-log-on-disk';
import { maxLineChars } from './event-line';

const folder = await mkdtemp(join(tmpdir(), 'chat-log-'));
afterAll(() => rm(folder, { recursive: true }));
const onDisk = chatLogOnDisk(folder);

const said = (id: string, text = 'hello'): ChatEvent => ({
  type: 'message',
  message: { id, role: 'user', parts: [{ type: 'text', text }] },
});
const answered = (text: string, index = 0): ChatEvent => ({
  type: 'part',
  messageId: 'answer',
  index,
  part: { type: 'text', text },
});

describe.each([
  ['on a disk', onDisk],
  ['in a store', chatLogInStore(memoryStore())],
])('%s', (_, log) => {
  test('appended events are read in order, by another call, and separately for each chat', async () => {
    const [chat, other] = [randomUUID(), randomUUID()];
    await log.append(chat, [said('1'), answered('a')]);
    await log.append(other, [said('2')]);
    await log.append(chat, [answered('b', 1)]);
    expect(await log.read(chat)).toEqual([said('1'), answered('a'), answered('b', 1)]);
    expect(await log.read(other)).toEqual([said('2')]);
  });

  test('a deleted chat is gone, and other chats stay', async () => {
    const [chat, other] = [randomUUID(), randomUUID()];
    await log.append(chat, [said('1'), answered('a')]);
    await log.append(other, [said('2')]);
    await log.delete(chat);
    await log.delete(chat);
    expect(await log.read(chat)).toBeUndefined();
    expect(await log.read(other)).toEqual([said('2')]);
  });

  test('an unknown chat is not found', async () => {
    expect(await log.read(randomUUID())).toBeUndefined();
  });

  test('a part that is too large for a line is left out, and says so', async () => {
    const chat = randomUUID();
    await log.append(chat, [answered('x'.repeat(maxLineChars + 1))]);
    expect(await log.read(chat)).toMatchObject([
      { part: { text: expect.stringContaining('was left out of the log') } },
    ]);
  });
});

test('a line that was cut when a process ended is left out, and the events after it are read', async () => {
  const chat = randomUUID();
  const path = join(folder, chat, 'events.jsonl');
  await onDisk.append(chat, [said('1')]);
  await appendFile(path, '{"type":"part","messa');
  expect(await onDisk.read(chat)).toEqual([said('1')]);
  await onDisk.append(chat, [answered('after')]);
  expect(await onDisk.read(chat)).toEqual([said('1'), answered('after')]);
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(4);
});

test('only the owner of the process may read a chat', async () => {
  const chat = randomUUID();
  await onDisk.append(chat, [said('1')]);
  expect((await stat(join(folder, chat))).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, chat, 'events.jsonl'))).mode & 0o777).toBe(0o600);
});

test('a log at its limit takes no more events', async () => {
  const chat = randomUUID();
  const large = Array.from({ length: 70 }, () => answered('x'.repeat(240_000)));
  await expect(onDisk.append(chat, large)).rejects.toThrow('This chat is full');
});

test('a repeated part replaces the first, and a retry drops the messages after it', () => {
  const approval = { id: 'ask-1' };
  const waiting = { type: 'tool-editFile', toolCallId: 'c', input: { path: 'a', patch: '', dryRun: false }, approval };
  const part = { ...waiting, state: 'approval-requested' } as ChatMessage['parts'][number];
  const events: ChatEvent[] = [
    said('1'),
    answered('draft'),
    answered('final'),
    { type: 'part', messageId: 'answer', index: 1, part },
  ];
  expect(messagesOf(events)).toMatchObject([
    { id: '1' },
    { id: 'answer', parts: [{ text: 'final' }, { state: 'approval-requested' }] },
  ]);

  events.push({ type: 'approval', approvalId: 'ask-1', approved: false, reason: 'no' });
  expect(messagesOf(events)[1]?.parts[1]).toMatchObject({
    state: 'approval-responded',
    approval: { id: 'ask-1', approved: false, reason: 'no' },
  });

  events.push({ type: 'retry', messageId: '1' });
  expect(messagesOf(events)).toHaveLength(1);
});
