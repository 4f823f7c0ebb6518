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

test('single words are not milestones', () => {
  const some = milestonesOf(chatWith({ type: 'text', text: 'One' }), { isAnswering: true });
  const more = milestonesOf(chatWith({ type: 'text', text: 'One two' }), { isAnswering: true });
  expect(some).toEqual([]);
  expect(more).toEqual([]);
});

test('the end of an answer is a milestone', () => {
  expect(wordsOf(chatWith({ type: 'text', text: 'One' }), { isAnswering: false })).toEqual(['The answer is complete.']);
});

test('a request for approval is a milestone, and the answer is complete only after its decision', () => {
  const asking = chatWith({
    type: 'tool-editFile',
    toolCallId: 'call',
    state: 'approval-requested',
    input,
    approval: { id: 'approval' },
  });
  expect(wordsOf(asking, { isAnswering: false })).toEqual(['editFile needs your approval.']);
});

test('a call without an output is announced as stopped', () => {
  const messages = chatWith({ type: 'tool-editFile', toolCallId: 'call', state: 'input-available', input });
  expect(wordsOf(messages, { isAnswering: true })).toEqual(['editFile is running.']);
  expect(wordsOf(messages, { isAnswering: false })).toEqual([
    'editFile was stopped.',
    'The answer ended before it was complete.',
  ]);
});

test('a request for approval that another message follows is not announced, and does not end its answer', () => {
  const call = { type: 'tool-editFile', toolCallId: 'call', input } as const;
  const asking = chatWith({ ...call, state: 'approval-requested', approval: { id: 'approval' } });
  const next: ChatMessage = { id: 'next', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] };
  expect(wordsOf([...asking, next], { isAnswering: true })).toEqual([]);
});
