import { expect, test } from 'vitest';
import type { ChatMessage } from '../agent/chat-message';
import { type AnswerEnd, answerEnd } from './answer-end';

type Parts = ChatMessage['parts'];

const question: ChatMessage = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Why?' }] };
const words: Parts[number] = { type: 'text', text: 'Because.', state: 'done' };
const call = { type: 'tool-runTests', toolCallId: 'call', input: {} } as const;
const done: Parts[number] = { ...call, state: 'output-available', output: 'ok' };
const asking: Parts[number] = { ...call, state: 'approval-requested', approval: { id: 'a' } };

const rows: [string, Parts, AnswerEnd][] = [
  ['has no word', [{ type: 'step-start' }], 'unanswered'],
  ['ends with words', [done, { type: 'step-start' }, words], 'complete'],
  ['was written by an older server', [{ type: 'text', text: 'Because.' }], 'complete'],
  ['ends in the middle of a sentence', [{ ...words, state: 'streaming' }], 'unfinished'],
  ['ends between two steps', [words, done], 'unfinished'],
  ['ends before the first word of a step', [words, done, { type: 'step-start' }], 'unfinished'],
  ['ends with words that nobody sees', [done, { type: 'text', text: ' ', state: 'done' }], 'unfinished'],
  ['ends in the middle of a call', [words, { ...call, state: 'input-available' }], 'unfinished'],
  ['ends while the model thinks', [words, { type: 'reasoning', text: 'Hm.' }], 'unfinished'],
  ['waits for the visitor', [words, asking], 'asking'],
  ['waits for the visitor, beside a call that is done', [asking, done], 'asking'],
];

test.each(rows)('an answer that %s is %3$s', (_name, parts, expected) => {
  expect(answerEnd([question, { id: 'a', role: 'assistant', parts }])).toBe(expected);
});

test('an answer without its end is unfinished, even after a complete sentence', () => {
  const answer: ChatMessage = { id: 'a', role: 'assistant', parts: [words], metadata: { isFinished: false } };
  expect(answerEnd([question, answer])).toBe('unfinished');
  expect(answerEnd([question, { ...answer, metadata: { isFinished: true } }])).toBe('complete');
});

test('a question is unanswered, even after a request for approval', () => {
  expect(answerEnd([question])).toBe('unanswered');
  expect(answerEnd([question, { id: 'a', role: 'assistant', parts: [asking] }, question])).toBe('unanswered');
});

test('an empty chat is complete', () => {
  expect(answerEnd([])).toBe('complete');
});
