import { expect, test } from 'vitest';
import { failureOf } from './artifact-failure';

test('a visitor who read too much learns when to try again, and sees no claim of an automatic retry', async () => {
  const body = { error: { code: 'too_many_requests', message: 'That was much reading.' } };
  const response = Response.json(body, { status: 429, headers: { 'retry-after': '7' } });
  expect(await failureOf(response, 'a')).toMatchObject({
    kind: 'busy',
    message: 'That was much reading. Try again in 7 s.',
    retryAfterSeconds: 7,
  });
});
