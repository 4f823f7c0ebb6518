import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { type SerializeOptions, serialize } from './serialize.ts';

const textOf = (value: unknown, options?: SerializeOptions): string => [...serialize(value, options).chunks].join('');

/** The value that a reader of the text gets. */
const written = (value: unknown): unknown => JSON.parse(textOf(value));

/** More nodes than one native call writes. */
const many = <Item>(item: Item): Item[] => Array.from({ length: 600 }, () => item);

const nest = (levels: number, innermost: unknown): unknown => {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};

/** Measures steps such that a busy machine does not matter: wall time or CPU time, whichever is less. */
const startStep = (): (() => number) => {
  const wall = performance.now();
  const processor = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(processor);
    return Math.min(performance.now() - wall, (user + system) / 1000);
  };
};

const pull = (chunks: Iterable<string>): { length: number; longestStepMs: number; longestChunk: number } => {
  let [length, longestStepMs, longestChunk] = [0, 0, 0];
  let stepMs = startStep();
  for (const chunk of chunks) {
    longestStepMs = Math.max(longestStepMs, stepMs());
    longestChunk = Math.max(longestChunk, chunk.length);
    length += chunk.length;
    stepMs = startStep();
  }
  return { length, longestStepMs, longestChunk };
};

describe('a string', () => {
  test('is plain text without changes', () => {
    expect(serialize('a "quoted"\nline').mediaType).toBe('text/plain');
    expect(textOf('a "quoted"\nline')).toBe('a "quoted"\nline');
  });

  test('comes in pieces that never end between two surrogates', () => {
    const text = `x${'😀'.repeat(100_000)}`;
    const chunks = [...serialize(text).chunks];
    expect(chunks.join('')).toBe(text);
    expect(chunks.filter((chunk) => chunk.length > 128 * 1024 || /\p{Surrogate}/u.test(chunk))).toEqual([]);
  });

  test('has no chunks when it is empty', () => {
    expect([...serialize('').chunks]).toEqual([]);
  });
});

describe('a value', () => {
  test('is JSON, and compact unless an indent is set', () => {
    expect(serialize({ a: [1] })).toMatchObject({ mediaType: 'application/json' });
    expect(textOf({ a: [1] })).toBe('{"a":[1]}');
    expect(textOf({ a: [1], b: {} }, { indent: 2 })).toBe('{\n  "a": [\n    1\n  ],\n  "b": {}\n}');
  });

  test('is not read before the first chunk is pulled', () => {
    let reads = 0;
    serialize({
      get a() {
        return ++reads;
      },
    });
    expect(reads).toBe(0);
  });

  test('is read no further than the pulled chunks', () => {
    let reads = 0;
    const rows = Array.from({ length: 10_000 }, () => ({
      get a() {
        reads++;
        return 'x'.repeat(100);
      },
    }));
    for (const chunk of serialize(rows).chunks) if (chunk) break;
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThan(5_000);
  });

  test.each([[undefined], [null], [Number.NaN], [{ toJSON: () => undefined }]])(
    'that is %s is null at the root',
    (value) => {
      expect(textOf(value)).toBe('null');
    },
  );

  test('with a long text escapes it in pieces', () => {
    const text = `x${'😀"\n\ud800'.repeat(60_000)}`;
    expect(textOf({ text }) === JSON.stringify({ text })).toBe(true);
    expect(pull(serialize({ text }).chunks).longestChunk).toBeLessThanOrEqual(64 * 1024);
  });

  test('with a long key escapes it in pieces', () => {
    const value = { ['"k\n'.repeat(60_000)]: { b: 'v'.repeat(200_000) } };
    expect(textOf(value) === JSON.stringify(value)).toBe(true);
    expect(textOf(value, { indent: 2 }) === JSON.stringify(value, null, 2)).toBe(true);
  });

  test('with a long text under a long key contains both', () => {
    const value = { ['k'.repeat(100_000)]: 'v'.repeat(200_000), last: 1 };
    expect(textOf(value) === JSON.stringify(value)).toBe(true);
  });

  test('yields an empty chunk after much work with little text', () => {
    const members = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key ${index}`, undefined]));
    const chunks = [...serialize(many(members)).chunks];
    expect(chunks.filter((chunk) => chunk === '').length).toBeGreaterThan(100);
  });

  test('passes the key to toJSON, as a string for arrays too', () => {
    const keyed = { toJSON: (key: string) => key };
    expect(textOf({ a: keyed, b: [keyed, ...many(keyed)] })).toBe(
      JSON.stringify({ a: keyed, b: [keyed, ...many(keyed)] }),
    );
    expect(textOf(keyed)).toBe('""');
  });

  test('keeps a member named __proto__', () => {
    const value = JSON.parse('{"__proto__":{"a":1}}') as object;
    expect(textOf([value, () => {}])).toBe('[{"__proto__":{"a":1}},"[Function: anonymous]"]');
  });

  test('contains the raw text of JSON.rawJSON', () => {
    const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
    if (rawJSON)
      expect(textOf([() => {}, rawJSON('12345678901234567890')])).toBe(
        '["[Function: anonymous]",12345678901234567890]',
      );
  });
});

describe('references', () => {
  test('to an ancestor are marked with the kind of the ancestor', () => {
    const object: Record<string, unknown> = { a: 1 };
    const array: unknown[] = [object];
    const error = Object.assign(new Error(), { array });
    Object.assign(object, { object, array, error });
    expect(written(error)).toEqual({
      array: [{ a: 1, object: '[Circular]', array: '[Circular]', error: '[Circular]' }],
    });
  });

  test('that are shared are written in full each time', () => {
    const shared = { a: [1] };
    expect(written([shared, { shared }, () => {}, shared])).toEqual([
      shared,
      { shared },
      '[Function: anonymous]',
      shared,
    ]);
  });

  test('back to a large ancestor do not read it again', () => {
    let listed = 0;
    const members = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`key ${index}`, {} as Record<string, unknown>]),
    );
    const root = new Proxy(members, {
      ownKeys: (target) => {
        listed++;
        return Reflect.ownKeys(target);
      },
    });
    for (const member of Object.values(members)) member.root = root;
    expect(textOf(root)).toContain('"key 1999":{"root":"[Circular]"}');
    expect(listed).toBeLessThanOrEqual(2);
  });

  test('that are shared without end start quickly and can be dropped', () => {
    let value: unknown = { leaf: 'x' };
    for (let level = 0; level < 60; level++) value = { a: value, b: value };
    let length = 0;
    for (const chunk of serialize(value).chunks) {
      length += chunk.length;
      if (length > 10_000_000) break;
    }
    expect(length).toBeGreaterThan(10_000_000);
  }, 30_000);
});

describe('unreadable parts of a value', () => {
  test('are described in place, and the other parts are written', () => {
    const value = {
      a: 1,
      get b() {
        throw new Error('no b');
      },
      c: {
        toJSON() {
          throw new Error('no c');
        },
      },
      d: 4,
    };
    expect(written(value)).toEqual({ a: 1, b: '[Unreadable: no b]', c: '[Unreadable: no c]', d: 4 });
  });

  test('are described in place in an array', () => {
    const items = new Proxy([1, 2, 3], {
      get: (target, key, receiver) => {
        if (key === '1') throw new Error('no item');
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    expect(written(items)).toEqual([1, '[Unreadable: no item]', 3]);
  });

  test('can be a revoked Proxy', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    const { proxy: callable, revoke: revokeCallable } = Proxy.revocable(() => {}, {});
    revoke();
    revokeCallable();
    expect(written({ a: proxy, b: [proxy], c: callable })).toEqual({
      a: expect.stringMatching(/^\[Unreadable: .*revoked/),
      b: [expect.stringMatching(/^\[Unreadable: .*revoked/)],
      c: expect.stringMatching(/^\[Unreadable: .*revoked/),
    });
    expect(written(proxy)).toMatch(/^\[Unreadable: .*revoked/);
  });

  const throwing = (): never => {
    throw new Error('no trap');
  };

  test.each(['get', 'ownKeys', 'getPrototypeOf', 'has', 'getOwnPropertyDescriptor'] as const)(
    'can be a Proxy whose trap %s throws, without throwing',
    (trap) => {
      const inner = new Proxy({ a: 1 }, { [trap]: throwing });
      const items = new Proxy([undefined, 1], { [trap]: throwing });
      expect(() => written({ inner, items, last: true })).not.toThrow();
      expect(written({ inner, items, last: true })).toMatchObject({ last: true });
    },
  );
});

describe('depth', () => {
  test('a value of 512 levels is indented like in JSON.stringify, up to 64 levels', () => {
    const value = { list: [nest(509, {}), nest(508, [1, 'two'])], walked: nest(510, new (class Row {})()) };
    const expected = JSON.stringify(value, null, 2).replace(/^ {128} +/gm, ' '.repeat(128));
    expect(textOf(value, { indent: 2 }) === expected).toBe(true);
  });

  test('does not make the indented text many times as long as the compact text', () => {
    const value = nest(
      500,
      Array.from({ length: 20_000 }, () => 1),
    );
    expect(textOf(value, { indent: 2 }).length).toBeLessThan(20_000 * 131 + 500 * 300);
  });

  test('costs about one reading per level', () => {
    let reads = 0;
    let value: object = { end: true };
    for (let level = 0; level < 500; level++) {
      const inner = value;
      value = {
        get next() {
          reads++;
          return inner;
        },
      };
    }
    textOf(value);
    expect(reads).toBeLessThan(1_000);
  });

  const endless = (): object => new Proxy({ next: 1 }, { get: (_, key) => (key === 'next' ? endless() : undefined) });

  test.each<[string, unknown]>([
    ['513', nest(513, 1)],
    ['a million', nest(1_000_000, 1)],
    ['endless', { list: [1, endless()] }],
  ])('a value of %s levels ends at 512 levels with a message', (_, value) => {
    const { chunks, isTooDeep } = serialize(value);
    expect([...chunks].join('')).toContain('"[Nested deeper than 512 levels]"');
    expect(isTooDeep()).toBe(true);
  });

  test('a value of 512 levels is not too deep', () => {
    const { chunks, isTooDeep } = serialize(nest(512, 1));
    expect([...chunks].join('')).toBe(JSON.stringify(nest(512, 1)));
    expect(isTooDeep()).toBe(false);
  });
});

test('a sparse array has null for each hole', () => {
  const items: unknown[] = [1, 2, undefined, ...many(2)];
  delete items[1];
  items[10_000] = 'last';
  expect(textOf(items)).toBe(JSON.stringify(items));
});

describe('values of another realm', () => {
  test('are written like values of this realm', () => {
    const value: unknown = runInNewContext(`({
      plain: { a: [1] }, empty: {}, map: new Map([['k', 1]]), set: new Set([1]), error: new TypeError('bad'),
      bytes: new Uint8Array([1, 2, 3]), buffer: new ArrayBuffer(3), date: new Date(0), regexp: /a/g, promise: Promise.resolve(), boxed: new Number(1),
    })`);
    expect(written(value)).toEqual({
      plain: { a: [1] },
      empty: {},
      map: {},
      set: {},
      error: {},
      bytes: 'data:application/octet-stream;base64,AQID',
      buffer: {},
      date: '1970-01-01T00:00:00.000Z',
      regexp: {},
      promise: {},
      boxed: 1,
    });
  });
});

describe('bytes', () => {
  test('are a base64 data URL', () => {
    for (const bytes of [
      Buffer.from([1, 2, 3, 4]),
      new Uint8Array([1, 2, 3, 4]),
      new Uint8ClampedArray([1, 2, 3, 4]),
      new Int8Array([1, 2, 3, 4]),
    ]) {
      expect(written([bytes])).toEqual(['data:application/octet-stream;base64,AQIDBA==']);
    }
  });

  test('are the same in pieces', () => {
    const bytes = Buffer.from(Array.from({ length: 100_001 }, (_, index) => index % 256));
    const url = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
    expect(textOf(bytes) === JSON.stringify(url)).toBe(true);
  });

  test('that were transferred do not throw', () => {
    const buffer = new ArrayBuffer(8);
    const view = new DataView(buffer);
    const bytes = new Uint8Array(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    expect(written([buffer, view, bytes, 1])).toEqual([{}, {}, expect.stringMatching(/^\[Unreadable/), 1]);
  });
});

describe('an object of many keys', () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => `key${index}`);
  const members = Object.fromEntries(keys.map((key) => [key, key]));

  test.each<[string, (value: object) => unknown]>([
    ['alone', (value) => value],
    ['inside small ones', (value) => ({ small: 1, inner: [{ value }] })],
    ['where the walk checks for plain data again', (value) => [new Map(), ...keys, { small: 1, inner: [{ value }] }]],
    ['where few nodes are left to native code', (value) => [Array.from({ length: 400 }, () => 1), [value]]],
  ])('is listed once: %s', (_, surround) => {
    let listings = 0;
    const counted = new Proxy(members, {
      ownKeys: (target) => {
        listings++;
        return Reflect.ownKeys(target);
      },
    });
    const text = textOf(surround(counted));
    expect(listings).toBe(1);
    expect(text).toContain(JSON.stringify(members));
  });

  test('is listed together with a second object of many keys', () => {
    const value = [members, { ...members, more: 1 }, members];
    expect(textOf(value)).toBe(JSON.stringify(value));
  });
});

describe('a step between two chunks', () => {
  test.each([
    ['many rows', () => Array.from({ length: 200_000 }, (_, id) => ({ id, name: `user ${id}`, tag: 'xx' }))],
    ['one long text', () => ({ text: Buffer.alloc(150_000_000, 'hello "world" \n').toString('latin1') })],
    ['many bytes', () => new Uint8Array(20_000_000)],
    ['a huge BigInt', () => ({ value: 2n ** 20_000_000n })],
    ['a long run of holes', () => new Array(3_000_000)],
  ])('is short for %s', { timeout: 30_000 }, (_, make) => {
    // A step takes some milliseconds. The bound leaves room for a busy machine.
    expect(pull(serialize(make()).chunks).longestStepMs).toBeLessThan(150);
  });
});
