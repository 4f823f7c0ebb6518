import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChatMessage } from '../agent/chat-message';
import { ChatStore } from './chat-store';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function answer(text: string): ChatMessage {
  return { id: 'answer', role: 'assistant', parts: [{ type: 'text', text }] };
}

function textsOf({ messages }: { messages: ChatMessage[] }): string[] {
  return messages.flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')));
}

/** A store that was told something just now, and what it has told since. */
function listenedStore() {
  const store = new ChatStore([]);
  store.pushMessage(answer(''));
  const told: string[][] = [];
  const leave = store.subscribe(() => told.push(textsOf(store.view())));
  return { store, told, leave };
}

test('words that arrive one after another are announced together, and none is lost', () => {
  const { store, told } = listenedStore();
  for (const text of ['The', 'The certificate', 'The certificate had expired.']) store.replaceMessage(0, answer(text));
  expect(told).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(told).toEqual([['The certificate had expired.']]);
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveLength(1);
});

test('the end of an answer is announced at once, with its last words', () => {
  const { store, told } = listenedStore();
  store.replaceMessage(0, answer('Done.'));
  store.status = 'ready';
  expect(told).toEqual([['Done.']]);
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveLength(1);
});

test('a shown message does not change when the SDK continues to write its own message', () => {
  const store = new ChatStore([answer('')]);
  const written = answer('One');
  store.pushMessage(written);
  store.replaceMessage(0, written);
  const drawn = store.messages;
  if (written.parts[0]?.type === 'text') written.parts[0].text = 'One two';
  written.parts.push({ type: 'step-start' });
  expect(drawn).toEqual([answer('One'), answer('One')]);
});

test('only the changed message is a new object, so that the others are not drawn again', () => {
  const question: ChatMessage = { id: 'question', role: 'user', parts: [] };
  const store = new ChatStore([question, answer('')]);
  store.replaceMessage(1, answer('One'));
  expect(store.view().messages[0]).toBe(question);
  const view = store.view();
  expect(store.view()).toBe(view);
});

test('a removed listener is not called again', () => {
  const { store, told, leave } = listenedStore();
  leave();
  store.status = 'error';
  expect(told).toEqual([]);
});
