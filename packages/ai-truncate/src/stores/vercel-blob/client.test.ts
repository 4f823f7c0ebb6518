import { describe, expect, test } from 'vitest';
import { toBlobError, toWanted } from './client.ts';

const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });
const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

describe('toBlobError', () => {
  test.each([
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

  test('ends with errors that are causes of each other', () => {
    const one = new Error('one');
    one.cause = new Error('two', { cause: one });
    expect(toBlobError(fetchFailed(one), 'head')).toMatchObject({ code: 'STORE_UNREACHABLE' });
  });

  test.each(['terminated', 'Failed to fetch', 'Network connection lost.'])(
    'knows the words of every `fetch`: %s',
    (text) => expect(toBlobError(new TypeError(text), 'get')).toMatchObject({ code: 'STORE_UNREACHABLE' }),
  );

  test.each([new TypeError('blobs is not iterable'), new Error('fetch failed'), 'fetch failed'])(
    'leaves alone what is no failure of the network: %s',
    (error) => expect(toBlobError(error, 'head')).toBe(error),
  );
});

const whole = { start: 0, end: Number.POSITIVE_INFINITY };

describe('toWanted', () => {
  test('counts on the length that the answer tells', () => {
    expect(toWanted(new Headers({ 'content-length': '10' }), whole)).toEqual({ ...whole, promisedBytes: 10 });
  });

  test('does not count the bytes of a compressed answer against its length', () => {
    const headers = new Headers({ 'content-length': '24', 'content-encoding': 'gzip' });
    expect(toWanted(headers, whole).promisedBytes).toBeUndefined();
  });

  test('knows no length where the answer tells none', () => {
    expect(toWanted(new Headers(), whole).promisedBytes).toBeUndefined();
  });

  test('wants all of an answer that holds the range alone', () => {
    const headers = new Headers({ 'content-range': 'bytes 2-9/10', 'content-length': '8' });
    expect(toWanted(headers, { start: 2, end: 20 })).toEqual({ start: 0, end: 8, promisedBytes: 8 });
  });

  test('wants the range of an answer that holds all', () => {
    const headers = new Headers({ 'content-length': '10' });
    expect(toWanted(headers, { start: 2, end: 6 })).toEqual({ start: 2, end: 6, promisedBytes: 10 });
  });
});
