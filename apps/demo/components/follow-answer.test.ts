import { expect, test } from 'vitest';
import { followAnswer } from './follow-answer';
import type { StoredChat } from './stored-chat';

/** Follows a chat about which the server says this, and tells what the page heard and how long it waited. */
async function follow(isAnsweringAt: (time: number) => boolean) {
  const heard: StoredChat[] = [];
  let waitedMs = 0;
  const sawEnd = await followAnswer({
    ask: async () => ({ messages: [], isAnswering: isAnsweringAt(heard.length) }),
    onChat: (chat) => heard.push(chat),
    wait: async (ms) => {
      waitedMs += ms;
    },
  });
  return { sawEnd, heard, waitedMs };
}

test('an answer is followed until the server says that it has ended', async () => {
  const { sawEnd, heard, waitedMs } = await follow((time) => time < 2);
  expect(sawEnd).toBe(true);
  expect(heard.map(({ isAnswering }) => isAnswering)).toEqual([true, true, false]);
  expect(waitedMs).toBeLessThan(3_000);
});

test('an answer without an end is not followed forever', async () => {
  const { sawEnd, heard, waitedMs } = await follow(() => true);
  expect(sawEnd).toBe(false);
  expect(heard.length).toBeLessThan(100);
  expect(waitedMs).toBeGreaterThan(5 * 60_000);
  expect(waitedMs).toBeLessThan(7 * 60_000);
});

test('a server failure ends the following with that failure', async () => {
  const ask = () => Promise.reject(new Error('The server answered with status 500.'));
  await expect(followAnswer({ ask, onChat: () => {}, wait: async () => {} })).rejects.toThrow('status 500');
});
