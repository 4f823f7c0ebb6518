import { expect, test } from 'vitest';
import type { ChatMessage } from '../agent/chat-message';
import { chatRequestBody } from './chat-request-body';

const question: ChatMessage = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Fix it' }] };
const input = { path: 'price.ts', patch: 'x'.repeat(100_000), dryRun: false };
const asking: ChatMessage = {
  id: 'a',
  role: 'assistant',
  parts: [
    {
      type: 'tool-readFile',
      toolCallId: 'read',
      state: 'output-available',
      input: { path: 'price.ts' },
      output: 'x'.repeat(1_000_000),
    },
    {
      type: 'tool-editFile',
      toolCallId: 'edit',
      state: 'approval-responded',
      input,
      approval: { id: 'approval', approved: true },
    },
  ],
};

test('only the last message is sent, and the first message may open the chat', () => {
  expect(chatRequestBody('c', [question])).toEqual({
    id: 'c',
    trigger: 'submit-message',
    message: question,
    isNew: true,
  });
  const next: ChatMessage = { ...question, id: 'next' };
  expect(chatRequestBody('c', [question, asking, next])).toEqual({ id: 'c', trigger: 'submit-message', message: next });
});

test('after a first message that never arrived, the second message may still open the chat', () => {
  expect(chatRequestBody('c', [question, { ...question, id: 'again' }])).toMatchObject({ isNew: true });
});

test('only the decisions of an answer are sent, however large its outputs', () => {
  const body = chatRequestBody('c', [question, asking]);
  expect(JSON.stringify(body).length).toBeLessThan(500);
  expect(body.message).toEqual({
    id: 'a',
    role: 'assistant',
    parts: [
      {
        type: 'tool-editFile',
        toolCallId: 'edit',
        state: 'approval-responded',
        approval: { id: 'approval', approved: true },
      },
    ],
  });
});
