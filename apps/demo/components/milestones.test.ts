import { expect, test } from 'vitest';
import type { ChatMessage } from '../agent/chat-message';
import { milestonesOf } from './milestones';

const input = { path: 'cart.ts', patch: '', dryRun: false };

function chatWith(...parts: ChatMessage['parts']): ChatMessage[] {
  return [
    { id: 'question', role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
    { id: 'answer', role: 'assistant', parts },
  ];
}

function wordsOf(messages: ChatMessage[], { isAnswering }: { isAnswering: boolean }): string[] {
  return milestonesOf(messages, { isAnswering }).map(({ words }) => words);
}

test('words that arrive one by one are no milestones', () => {
  const some = milestonesOf(chatWith({ type: 'text', text: 'One' }), { isAnswering: true });
  const more = milestonesOf(chatWith({ type: 'text', text: 'One two' }), { isAnswering: true });
  expect(some).toEqual([]);
  expect(more).toEqual([]);
});

test('the end of an answer is one', () => {
  expect(wordsOf(chatWith({ type: 'text', text: 'One' }), { isAnswering: false })).toEqual(['The answer is complete.']);
});

test('a question for approval is one, and the answer is not complete before it is answered', () => {
  const asking = chatWith({
    type: 'tool-editFile',
    toolCallId: 'call',
    state: 'approval-requested',
    input,
    approval: { id: 'approval' },
  });
  expect(wordsOf(asking, { isAnswering: false })).toEqual(['editFile needs your approval.']);
});

test('a call that no output came for is told as stopped', () => {
  const messages = chatWith({ type: 'tool-editFile', toolCallId: 'call', state: 'input-available', input });
  expect(wordsOf(messages, { isAnswering: true })).toEqual(['editFile is running.']);
  expect(wordsOf(messages, { isAnswering: false })).toEqual([
    'editFile was stopped.',
    'The answer ended before it was complete.',
  ]);
});

test('a request for approval that another message follows is no news, and its answer does not end by that', () => {
  const call = { type: 'tool-editFile', toolCallId: 'call', input } as const;
  const asking = chatWith({ ...call, state: 'approval-requested', approval: { id: 'approval' } });
  const next: ChatMessage = { id: 'next', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] };
  expect(wordsOf([...asking, next], { isAnswering: true })).toEqual([]);
});
