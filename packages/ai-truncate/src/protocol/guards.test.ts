import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { inspectSafely, isAsyncIterable, isPlainRecord, isRecord, isText } from './guards.ts';

class Account {
  id = 1;
}

const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error('SECRET');
    },
  },
);

describe('an object with members', () => {
  test.each([[{}], [new Account()], [new Map()], [new Date()], [Object.create(null)]])('is seen in %o', (value) => {
    expect(isRecord(value)).toBe(true);
  });

  test.each([[null], [undefined], [[]], ['text'], [7], [() => {}], [Symbol('s')]])('is not seen in %o', (value) => {
    expect(isRecord(value)).toBe(false);
  });
});

describe('an object like one of JSON', () => {
  test.each<[string, unknown]>([
    ['a literal', { a: 1 }],
    ['parsed JSON', JSON.parse('{"__proto__":{}}')],
    ['an object without a prototype', Object.create(null)],
    ['an object of another realm', runInNewContext('({ a: 1 })')],
  ])('is %s', (_, value) => {
    expect(isPlainRecord(value)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['a list', []],
    ['null', null],
    ['a map', new Map()],
    ['a date', new Date()],
    ['an instance of a class', new Account()],
    ['an instance of a class of another realm', runInNewContext('new Date()')],
  ])('is not %s', (_, value) => {
    expect(isPlainRecord(value)).toBe(false);
  });
});

describe('a value that yields others on request', () => {
  async function* numbers(): AsyncGenerator<number> {
    yield 1;
  }

  test.each<[string, unknown]>([
    ['a generator', numbers()],
    ['a stream', new ReadableStream()],
    ['an object with the method', { [Symbol.asyncIterator]: () => ({}) }],
  ])('is %s', (_, value) => {
    expect(isAsyncIterable(value)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a text', 'abc'],
    ['a list, which has all its values already', [1]],
    ['an object whose member is no method', { [Symbol.asyncIterator]: true }],
    ['an object that throws when it is read', hostile],
    ['a function, even with the method', Object.assign(() => {}, { [Symbol.asyncIterator]: numbers })],
  ])('is not %s', (_, value) => {
    expect(isAsyncIterable(value)).toBe(false);
  });
});

test('a text has at least one character that is not white space', () => {
  expect(['a', ' a ', '\u200b'].map(isText)).toEqual([true, true, true]);
  expect(['', ' \n\t', '\u00a0', 7, null, ['a'], new String('a')].map(isText)).toEqual(Array(7).fill(false));
});

describe('an inspection', () => {
  test('returns what it sees in an object', () => {
    expect(inspectSafely({ a: 1 }, ({ a }) => a)).toBe(1);
  });

  test.each([[null], ['text'], [[1]], [undefined]])('sees nothing in %o, and does not begin', (value) => {
    expect(inspectSafely(value, () => 'seen')).toBeUndefined();
  });

  test('sees nothing in an object that throws when it is read', () => {
    expect(inspectSafely(hostile, ({ a }) => a)).toBeUndefined();
  });
});
