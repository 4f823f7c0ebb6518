import { describe, expect, it } from 'vitest';
import { toBlobError } from './network.ts';

const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });
const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

describe('toBlobError', () => {
  it.each([
    [withCode('getaddrinfo ENOTFOUND vercel.com', 'ENOTFOUND'), 'getaddrinfo ENOTFOUND vercel.com. Check'],
    [withCode('other side closed', 'UND_ERR_SOCKET'), 'UND_ERR_SOCKET other side closed. Check'],
    [new Error('outer', { cause: withCode('connect ETIMEDOUT', 'ETIMEDOUT') }), 'broke: connect ETIMEDOUT. Check'],
    [
      new AggregateError([withCode('connect ECONNREFUSED ::1:80', 'ECONNREFUSED')]),
      'connect ECONNREFUSED ::1:80. Check',
    ],
    [undefined, 'fetch failed. Check'],
    ['no error', 'fetch failed. Check'],
  ])('names the innermost reason of a failure of the network: %s', (cause, text) => {
    const error = fetchFailed(cause);
    expect(toBlobError(error, 'head')).toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: expect.stringContaining(text),
      cause: error,
    });
  });

  it('ends with errors that are causes of each other', () => {
    const one = new Error('one');
    one.cause = new Error('two', { cause: one });
    expect(toBlobError(fetchFailed(one), 'head')).toMatchObject({ code: 'STORE_UNREACHABLE' });
  });

  it.each(['terminated', 'Failed to fetch', 'Network connection lost.'])(
    'knows the words of every `fetch`: %s',
    (text) => expect(toBlobError(new TypeError(text), 'get')).toMatchObject({ code: 'STORE_UNREACHABLE' }),
  );

  it.each([new TypeError('blobs is not iterable'), new Error('fetch failed'), 'fetch failed'])(
    'leaves alone what is no failure of the network: %s',
    (error) => expect(toBlobError(error, 'head')).toBe(error),
  );
});
