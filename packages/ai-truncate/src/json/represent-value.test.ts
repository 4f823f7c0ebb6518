import { describe, expect, test } from 'vitest';
import { representValue, toJsonValue, unreadable } from './represent-value.ts';
import { serialize } from './serialize.ts';

const written = (value: unknown): unknown => JSON.parse([...serialize(value).chunks].join(''));

class Order {
  #secret = 'SECRET';
  read(): string {
    return this.#secret;
  }
}

describe('a value that JSON has no form for', () => {
  test.each<[string, object | symbol | bigint, unknown]>([
    ['a BigInt', 12345678901234567890n, '12345678901234567890'],
    ['a boxed BigInt', Object(7n) as object, '7'],
    ['a BigInt that is just short enough', 1n - 10n ** 90_000n, `-${'9'.repeat(90_000)}`],
    ['a huge BigInt', 2n ** 20_000_000n, '[BigInt of more than 90,000 digits]'],
    ['a huge BigInt in a wrapper object', Object(2n ** 20_000_000n) as object, '[BigInt of more than 90,000 digits]'],
    ['a function', function load() {}, '[Function: load]'],
    ['a function without a name', (() => () => {})(), '[Function: anonymous]'],
    [
      'a function whose name is not a string',
      Object.defineProperty(() => {}, 'name', { value: 5 }),
      '[Function: anonymous]',
    ],
    ['a symbol', Symbol('id'), '[Symbol(id)]'],
  ])('is described: %s', (_, value, text) => {
    expect(representValue(value)).toBe(text);
  });

  test('is bounded when a name is long', () => {
    const name = 'n'.repeat(10_000);
    const named = { [name]: () => {} }[name] as () => void;
    expect(representValue(named)).toHaveLength('[Function: ]'.length + 100);
    expect(representValue(Symbol(name))).toHaveLength('[]'.length + 100);
  });

  test('is not described if it is an object with visible members', () => {
    expect(written(Object.assign(new Order(), { id: 1 }))).toEqual({ id: 1 });
    expect(written(Object.create(null))).toEqual({});
  });
});

describe('content that JSON hides', () => {
  const own = Object.assign(new Map([['token', 'SECRET']]), { total: 1 });
  const failed = Object.assign(new TypeError('SECRET', { cause: new Error('SECRET') }), { code: 'E_BAD' });

  test.each<[string, object]>([
    ['the entries of a Map', new Map([['token', 'SECRET']])],
    ['the items of a Set', new Set(['SECRET'])],
    ['message, cause and stack of an error', failed],
    ['the errors of an AggregateError', new AggregateError([new Error('SECRET')], 'SECRET')],
    ['an error of the platform', new DOMException('SECRET', 'AbortError')],
    ['additional members of a Map', own],
    ['a Map behind a Proxy', new Proxy(new Map([['token', 'SECRET']]), {})],
    ['the source of a regular expression', /SECRET/],
    ['the size and type of a Blob', new Blob(['x'], { type: 'text/SECRET' })],
    ['the name of a file', new File(['x'], 'SECRET')],
    ['what a buffer holds', new TextEncoder().encode('SECRET').buffer],
    ['the content of a view of a buffer', new DataView(new TextEncoder().encode('SECRET').buffer)],
    ['private members', new Order()],
    ['a Promise', Promise.resolve('SECRET')],
    ['headers', new Headers({ authorization: 'SECRET' })],
    ['parameters of an address', new URLSearchParams({ token: 'SECRET' })],
  ])('stays hidden, even next to a value that JSON cannot carry: %s', (_, value) => {
    expect(written([value, 1n])).toEqual([JSON.parse(JSON.stringify(value)), '1']);
    expect(JSON.stringify(written({ deep: [{ value }], at: value, size: 1n }))).not.toContain('SECRET');
  });

  test('stays hidden in a cycle too', () => {
    const cycle: Record<string, unknown> = { users: new Map([['token', 'SECRET']]), error: new Error('SECRET') };
    cycle.self = cycle;
    expect(written(cycle)).toEqual({ users: {}, error: {}, self: '[Circular]' });
  });
});

describe('an array of numbers', () => {
  test('is a list', () => {
    expect(written({ a: new Float64Array([1.5, Number.NaN, -0]), b: new Uint16Array([1, 2]) })).toEqual({
      a: [1.5, null, 0],
      b: [1, 2],
    });
  });

  test('is a list of digits if its numbers have 64 bits', () => {
    expect(written(new BigInt64Array([-1n, 2n ** 62n]))).toEqual(['-1', '4611686018427387904']);
  });
});

describe('an error', () => {
  test('whose toJSON includes the stack is written without it', () => {
    class HttpError extends Error {
      status = 500;
      toJSON() {
        return { message: this.message, status: this.status, stack: this.stack };
      }
    }
    expect(written(new HttpError('down'))).toEqual({ message: 'down', status: 500 });
  });
});

describe('toJsonValue', () => {
  test('calls toJSON of objects, functions and BigInts, with the key as a string', () => {
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

  test('follows an application that gave BigInt a toJSON method', () => {
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

  test('does not call toJSON of a value that toJSON returned', () => {
    const value = {
      a: 1,
      toJSON() {
        return this;
      },
    };
    expect(written([value])).toEqual([{ a: 1 }]);
  });

  test('keeps a Date that toJSON returned', () => {
    expect(written({ toJSON: () => new Date(0) })).toBe('1970-01-01T00:00:00.000Z');
  });

  test('returns null for an invalid Date', () => {
    expect(toJsonValue(new Date(Number.NaN), '')).toBeNull();
  });
});

describe('unreadable', () => {
  test.each<[unknown, string]>([
    [new Error('no'), '[Unreadable: no]'],
    ['text', '[Unreadable: text]'],
    [Symbol('s'), '[Unreadable]'],
    [undefined, '[Unreadable]'],
    [null, '[Unreadable]'],
    [{}, '[Unreadable]'],
    [{ message: 5 }, '[Unreadable]'],
  ])('includes the reason: %o', (error, text) => {
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

  test('limits the length of the reason', () => {
    expect(unreadable(new Error('x'.repeat(100_000)))).toHaveLength('[Unreadable: ]'.length + 200);
  });
});
