import { expect, test } from 'vitest';
import { isUnanswered } from './is-unanswered';

test.each([
  ['an empty chat', [], false],
  ['a question', [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'Why?' }] }], true],
  ['an answer without a word', [{ id: 'a', role: 'assistant', parts: [{ type: 'step-start' }] }], true],
  ['an answer', [{ id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'Because.' }] }], false],
] as const)('%s: %3$s', (_name, messages, expected) => {
  expect(isUnanswered(structuredClone(messages) as Parameters<typeof isUnanswered>[0])).toBe(expected);
});
