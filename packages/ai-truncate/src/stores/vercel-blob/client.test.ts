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
  ])('names the innermost cause of a network failure: %s', (cause, text) => {
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
    'recognizes the message of every `fetch`: %s',
    (text) => expect(toBlobError(new TypeError(text), 'get')).toMatchObject({ code: 'STORE_UNREACHABLE' }),
  );

  test.each([new TypeError('blobs is not iterable'), new Error('fetch failed'), 'fetch failed'])(
    'does not change other errors: %s',
    (error) => expect(toBlobError(error, 'head')).toBe(error),
  );
});

const whole = { start: 0, end: Number.POSITIVE_INFINITY };

describe('toWanted', () => {
  test('uses the length that the answer announces', () => {
    expect(toWanted(new Headers({ 'content-length': '10' }), whole)).toEqual({ ...whole, promisedBytes: 10 });
  });

  test('does not compare the bytes of a compressed answer with its announced length', () => {
    const headers = new Headers({ 'content-length': '24', 'content-encoding': 'gzip' });
    expect(toWanted(headers, whole).promisedBytes).toBeUndefined();
  });

  test('has no length if the answer announces none', () => {
    expect(toWanted(new Headers(), whole).promisedBytes).toBeUndefined();
  });

  test('wants a whole answer that contains only the range', () => {
    const headers = new Headers({ 'content-range': 'bytes 2-9/10', 'content-length': '8' });
    expect(toWanted(headers, { start: 2, end: 20 })).toEqual({ start: 0, end: 8, promisedBytes: 8 });
  });

  test('wants only the range of an answer that contains everything', () => {
    const headers = new Headers({ 'content-length': '10' });
    expect(toWanted(headers, { start: 2, end: 6 })).toEqual({ start: 2, end: 6, promisedBytes: 10 });
  });
});
