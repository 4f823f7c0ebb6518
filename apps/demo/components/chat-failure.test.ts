import { expect, test } from 'vitest';
import { ChatLoadError, ChatRequestError, chatFailure } from './chat-failure';

test.each([
  [400, 'edit'],
  [403, 'start-again'],
  [404, 'start-again'],
  [409, 'reload'],
  [413, 'edit'],
  [429, 'retry'],
  [500, 'retry'],
  [503, 'retry'],
])('an error %i is explained in the words of the server, and offers to %s', (status, action) => {
  const failure = chatFailure(new ChatRequestError({ status, message: 'Because.' }));
  expect(failure.action).toBe(action);
  expect(failure.detail).toContain('Because.');
});

test('the message names the wait that the server asks for', () => {
  const error = new ChatRequestError({ status: 429, message: 'Enough.', retryAfterSeconds: 600 });
  expect(chatFailure(error).detail).toBe('Enough. Try again in 10 minutes.');
});

test('a broken connection is not reported as a failure of the server', () => {
  expect(chatFailure(new TypeError('network error'))).toMatchObject({
    title: 'The connection was lost',
    action: 'retry',
  });
});

test.each([
  ['a question', true, 'retry'],
  ['a decision', false, 'reload'],
])(
  '%s that was not sent, since a script was missing, is told so and offers the way on',
  (_name, isQuestion, action) => {
    const failure = chatFailure(new ChatLoadError({ cause: new Error('no chunk'), isQuestion }));
    expect(failure).toMatchObject({ title: 'This was not sent', action });
  },
);

test('an error inside the stream is shown in the words of the server', () => {
  expect(chatFailure(new Error('The model is overloaded.')).detail).toBe('The model is overloaded.');
});

test.each([
  ['busy', 'retry'],
  ['not_waiting', 'reload'],
  ['chat_full', 'start-again'],
])('the conflict %s offers to %s', (code, action) => {
  expect(chatFailure(new ChatRequestError({ status: 409, code, message: 'Because.' })).action).toBe(action);
});
