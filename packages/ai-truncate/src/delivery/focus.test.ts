import { expect, test } from 'vitest';
import { type FocusCall, focusOf } from './focus.ts';

const user = (content: unknown) => ({ role: 'user', content });
const textsOf = (call: object) => focusOf('auto', () => call as Partial<FocusCall>).map(({ text }) => text);

test('the last two user messages and the arguments have the terms, and no other message has', () => {
  const messages = [
    user('Berlin?'),
    user([{ type: 'text', text: 'Hamburg?' }]),
    { role: 'assistant', content: 'Paris' },
    user('Dresden?'),
  ];
  expect(textsOf({ messages, input: { city: 'Leipzig', limit: 40 } })).toEqual(['40', 'Dresden', 'Hamburg', 'Leipzig']);
});

test('the items of lists in the arguments are terms, and the bytes of files are not', () => {
  expect(textsOf({ input: { ids: ['ord-2041'], file: new Uint8Array(1000) } })).toContain('ord-2041');
  expect(textsOf({ input: { file: new Uint8Array([71, 72]) } })).toEqual([]);
});

test('an input that cannot be read, or a function that throws, costs the focus only', () => {
  const input = {
    get path(): string {
      throw new Error('closed');
    },
  };
  expect(textsOf({ input, messages: [user('Dresden?')] })).toEqual([]);
  const thrown = focusOf(
    () => {
      throw new Error('no question');
    },
    () => ({}),
  );
  expect(thrown).toEqual([]);
});

test('a text takes the place of the question, and false has no terms', () => {
  const call = () => ({ input: { city: 'Leipzig' } });
  expect(focusOf('Dresden', call).map(({ text }) => text)).toEqual(['Dresden']);
  expect(focusOf(false, call)).toEqual([]);
});
