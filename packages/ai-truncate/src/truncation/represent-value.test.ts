import { describe, expect, test } from 'vitest';
import { representValue, toJsonValue, unreadable } from './represent-value.ts';
import { serialize } from './serialize.ts';

const written = (value: unknown): unknown => JSON.parse([...serialize(value).chunks].join(''));

class Order {}

describe('what JSON has no form for', () => {
  test.each<[string, object | symbol | bigint, unknown]>([
    ['a BigInt', 12345678901234567890n, '12345678901234567890'],
    ['a boxed BigInt', Object(7n) as object, '7'],
    ['a huge BigInt', 2n ** 20_000_000n, '[BigInt of about 6,020,600 digits]'],
    ['a huge BigInt in a box', Object(2n ** 20_000_000n) as object, '[BigInt of about 6,020,600 digits]'],
    ['a function', function load() {}, '[Function: load]'],
    ['a function without a name', (() => () => {})(), '[Function: anonymous]'],
    [
      'a function whose name is no text',
      Object.defineProperty(() => {}, 'name', { value: 5 }),
      '[Function: anonymous]',
    ],
    ['a symbol', Symbol('id'), '[Symbol(id)]'],
    ['a regular expression', /a+"/gi, '/a+"/gi'],
    ['a Promise', Promise.resolve(1), '[Promise]'],
    ['a WeakMap', new WeakMap(), '[WeakMap]'],
    ['a stream', new ReadableStream(), '[ReadableStream]'],
    ['a Response', new Response('body'), '[Response]'],
    ['an instance that shows nothing', new Order(), '[Order]'],
    ['a Blob', new Blob(['hello world!'], { type: 'image/png' }), '[Blob: 12 bytes, image/png]'],
    ['a Blob without a type', new Blob(['x'.repeat(1234)]), '[Blob: 1,234 bytes]'],
    ['a File', new File(['hello world!'], 'a.png', { type: 'image/png' }), '[File: 12 bytes, image/png]'],
  ])('is said: %s', (_, value, text) => {
    expect(representValue(value)).toBe(text);
  });

  test('is bounded when a name is long', () => {
    const name = 'n'.repeat(10_000);
    const named = { [name]: () => {} }[name] as () => void;
    expect(representValue(named)).toHaveLength('[Function: ]'.length + 100);
    expect(representValue(Symbol(name))).toHaveLength('[]'.length + 100);
  });

  test('is said also when the class cannot be named', () => {
    const nameless = Object.create({
      get constructor() {
        throw new Error('no class');
      },
    }) as object;
    expect(representValue(nameless)).toBe('[Object]');
  });

  test('never reads [object Object]', () => {
    const values = [
      new Order(),
      Object.create({}),
      new Proxy(new Map(), {}),
      { toString: () => '[object Object]' },
      new Error('e', { cause: new Order() }),
    ];
    expect(JSON.stringify(values.map(written))).not.toContain('[object Object]');
  });

  test('is not found in an object that shows its members', () => {
    expect(written(Object.assign(new Order(), { id: 1 }))).toEqual({ id: 1 });
    expect(written(Object.create(null))).toEqual({});
  });
});

describe('a Map', () => {
  test('is an object when all keys are texts', () => {
    expect(
      written(
        new Map([
          ['b', 1],
          ['1', 2],
        ]),
      ),
    ).toEqual({ b: 1, 1: 2 });
    expect(written(new Map())).toEqual({});
  });

  test('keeps its order and a key named __proto__', () => {
    expect(
      [
        ...serialize(
          new Map([
            ['b', 1],
            ['__proto__', 2],
            ['1', 3],
          ]),
        ).chunks,
      ].join(''),
    ).toBe('{"b":1,"__proto__":2,"1":3}');
  });

  test('is a list of pairs otherwise', () => {
    expect(
      written(
        new Map<unknown, unknown>([
          ['1', 'text'],
          [1, 'number'],
          [{ a: 1 }, new Map([['k', 'v']])],
        ]),
      ),
    ).toEqual([
      ['1', 'text'],
      [1, 'number'],
      [{ a: 1 }, { k: 'v' }],
    ]);
  });

  test('is known by what it is, not by what it says', () => {
    class Named extends Map {
      override get [Symbol.toStringTag](): string {
        return 'Named';
      }
    }
    expect(written(new Named().set('k', 1))).toEqual({ k: 1 });
    expect(
      written(
        new (class {
          a = 1;
          get [Symbol.toStringTag]() {
            return 'Map';
          }
        })(),
      ),
    ).toEqual({ a: 1 });
    expect(written(new Proxy(new Map([['k', 1]]), {}))).toBe('[Map]');
  });
});

test('a Set is a list', () => {
  expect(written(new Set([1, 'a', new Set([2])]))).toEqual([1, 'a', [2]]);
});

describe('an array of numbers', () => {
  test('is a list', () => {
    expect(written({ a: new Float64Array([1.5, Number.NaN, -0]), b: new Uint16Array([1, 2]) })).toEqual({
      a: [1.5, null, 0],
      b: [1, 2],
    });
  });

  test('of 64 bits is a list of digits', () => {
    expect(written(new BigInt64Array([-1n, 2n ** 62n]))).toEqual(['-1', '4611686018427387904']);
  });
});

describe('an error', () => {
  test('has its name, message and members, but never its stack', () => {
    const error = Object.assign(new TypeError('bad'), { code: 'E_BAD', stack: 'at /srv/app/secret.ts' });
    Object.defineProperty(error, 'stack', { enumerable: true });
    expect(written({ error })).toEqual({ error: { name: 'TypeError', message: 'bad', code: 'E_BAD' } });
  });

  test('has its cause, whatever it is', () => {
    expect(written(new Error('outer', { cause: new Error('inner', { cause: 7n }) }))).toEqual({
      name: 'Error',
      message: 'outer',
      cause: { name: 'Error', message: 'inner', cause: '7' },
    });
    const own = new Error('own');
    own.cause = own;
    expect(written(own)).toEqual({ name: 'Error', message: 'own', cause: '[Circular]' });
  });

  test('that gathers others has them', () => {
    expect(written(new AggregateError([new Error('one'), 'two'], 'all'))).toEqual({
      name: 'AggregateError',
      message: 'all',
      errors: [{ name: 'Error', message: 'one' }, 'two'],
    });
  });

  test('of the platform has its name', () => {
    expect(written(new DOMException('gone', 'AbortError'))).toEqual({ name: 'AbortError', message: 'gone' });
  });

  test('whose toJSON tells the stack is written without it', () => {
    class HttpError extends Error {
      status = 500;
      toJSON() {
        return { message: this.message, status: this.status, stack: this.stack };
      }
    }
    expect(written(new HttpError('down'))).toEqual({ message: 'down', status: 500 });
  });

  test('whose message cannot be read keeps its other members', () => {
    const error = Object.defineProperty(Object.assign(new Error(), { code: 1 }), 'message', {
      get() {
        throw new Error('no message');
      },
    });
    expect(written(error)).toEqual({ name: 'Error', message: '[Unreadable: no message]', code: 1 });
  });
});

describe('toJsonValue', () => {
  test('asks toJSON of objects, functions and BigInts, with the key as text', () => {
    const toJSON = (key: unknown) => ['asked', key];
    expect(toJsonValue({ toJSON }, 3)).toEqual(['asked', '3']);
    expect(
      toJsonValue(
        Object.assign(() => {}, { toJSON }),
        'k',
      ),
    ).toEqual(['asked', 'k']);
    expect(toJsonValue('text', 'k')).toBe('text');
  });

  test('follows an application that taught BigInt its JSON', () => {
    Object.defineProperty(BigInt.prototype, 'toJSON', {
      value() {
        return Number(this);
      },
      configurable: true,
    });
    try {
      expect(written({ a: 5n })).toEqual({ a: 5 });
    } finally {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON');
    }
  });

  test('does not ask again for what toJSON gave', () => {
    const value = {
      a: 1,
      toJSON() {
        return this;
      },
    };
    expect(written([value])).toEqual([{ a: 1 }]);
  });

  test('keeps a Date that toJSON gave', () => {
    expect(written({ toJSON: () => new Date(0) })).toBe('1970-01-01T00:00:00.000Z');
  });

  test('gives null for an invalid Date', () => {
    expect(toJsonValue(new Date(Number.NaN), '')).toBeNull();
  });
});

describe('unreadable', () => {
  test.each<[unknown, string]>([
    [new Error('no'), '[Unreadable: no]'],
    ['text', '[Unreadable: text]'],
    [Symbol('s'), '[Unreadable: Symbol(s)]'],
    [2n ** 20_000_000n, '[Unreadable: [BigInt of about 6,020,600 digits]]'],
    [undefined, '[Unreadable: undefined]'],
    [null, '[Unreadable]'],
    [{}, '[Unreadable]'],
    [{ message: 5 }, '[Unreadable]'],
  ])('says why: %o', (error, text) => {
    expect(unreadable(error)).toBe(text);
  });

  test('does not throw when the reason does', () => {
    expect(
      unreadable({
        get message() {
          throw new Error('again');
        },
      }),
    ).toBe('[Unreadable]');
  });

  test('bounds the reason', () => {
    expect(unreadable(new Error('x'.repeat(100_000)))).toHaveLength('[Unreadable: ]'.length + 200);
  });
});
