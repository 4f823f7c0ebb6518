import { expect, test } from 'vitest';
import { createChatTurns } from './chat-turns';

test('a chat has one turn at a time, and other chats have their own', async () => {
  const turns = createChatTurns();
  const leave = await turns.enter('a');
  const next = turns.enter('a');
  expect(await turns.enter('b')).toBeTypeOf('function');
  expect(await Promise.race([next, 'waits'])).toBe('waits');
  leave?.();
  expect(await next).toBeTypeOf('function');
});

test('only one of two waiting requests gets the turn', async () => {
  const turns = createChatTurns();
  const leave = await turns.enter('a');
  const waiting = [turns.enter('a'), turns.enter('a')];
  leave?.();
  const first = await Promise.race(waiting);
  expect(first).toBeTypeOf('function');
  const state = await Promise.race([Promise.all(waiting), 'one waits']);
  expect(state).toBe('one waits');
  first?.();
  await Promise.all(waiting);
});

test('leaving a turn twice does not end the turn of another request', async () => {
  const turns = createChatTurns();
  const leave = await turns.enter('a');
  leave?.();
  await turns.enter('a');
  leave?.();
  expect(await Promise.race([turns.enter('a'), 'waits'])).toBe('waits');
});

test('a chat is answering until its turn ends', async () => {
  const turns = createChatTurns();
  expect(turns.isAnswering('a')).toBe(false);
  const leave = await turns.enter('a');
  expect(turns.isAnswering('a')).toBe(true);
  expect(turns.isAnswering('b')).toBe(false);
  leave?.();
  expect(turns.isAnswering('a')).toBe(false);
});
