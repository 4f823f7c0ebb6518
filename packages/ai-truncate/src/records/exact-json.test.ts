import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allRecords, bytesOf, openBytes } from '../../fixtures/record-bytes.ts';
import { RecordError } from '../json/json-pieces.ts';
import { isInteger, readCarefully } from './exact-json.ts';
import { jsonRecords, ndjsonRecords } from './json-records.ts';
import { textsOf } from './record-text.ts';

const read = (text: string, { size }: { size?: number } = {}) => allRecords(jsonRecords(openBytes(text, size)));
const readLines = (text: string, size?: number) => allRecords(ndjsonRecords(textsOf(bytesOf(text, size))));

/** Reads a text that the parser of the engine has read before. */
function carefully(text: string, { hasEscapedKey = true } = {}): unknown {
  return readCarefully(text, { hasEscapedKey, hasLongInteger: true, parsed: JSON.parse(text) });
}

/** Integers beyond 2^53 would be read as they are written, unlike by JSON.parse. */
const isUnsafe = (part: unknown) => Number.isInteger(part) && !Number.isSafeInteger(part);
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value): unknown => JSON.parse(JSON.stringify(value, (_, part) => (isUnsafe(part) ? 0.5 : part))));

describe('careful reading', () => {
  test('has the result of JSON.parse for any value, with spaces and without', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        expect(carefully(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  test('keeps every integer as it is written', () => {
    const integers = fc.array(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), { maxLength: 5 });
    fc.assert(
      fc.property(integers, (values) => {
        const text = `{"list":[${values.join(' , ')}]}`;
        const { list } = carefully(text) as { list: (number | bigint)[] };
        expect(list.map(BigInt)).toEqual(values);
        expect(list.filter((each) => typeof each === 'number').every(Number.isSafeInteger)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test.each<[string, unknown]>([
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9007199254740991', 9007199254740991],
    ['null', null],
    ['true', true],
    ['false', false],
    ['-0', -0],
    ['1e400', Number.POSITIVE_INFINITY],
    ['""', ''],
    ['{}', {}],
    ['[[],[]]', [[], []]],
  ])('reads %s', (text, expected) => {
    expect(carefully(text)).toEqual(expected);
  });

  test('decodes the escapes of keys and texts', () => {
    expect(carefully('{"\\u0061\\n":"\\ud83d\\ude42\\"","b":"\\\\"}')).toEqual({ 'a\n': '🙂"', b: '\\' });
  });

  test('reads records of 512 KB, and leaves the numbers of longer ones to the parser', () => {
    const record = (length: number) => {
      const text = '{"id":9007199254740993,"x":""}';
      return text.replace('""', `"${'x'.repeat(length - text.length)}"`);
    };
    const idOf = (length: number) => (carefully(record(length), { hasEscapedKey: false }) as { id: unknown }).id;
    expect(idOf(512 * 1024)).toBe(9007199254740993n);
    expect(idOf(512 * 1024 + 1)).toBe(9007199254740992);
  });

  test('refuses a longer record that has a key with an escape', () => {
    const text = JSON.stringify({ '"': 'x'.repeat(512 * 1024) });
    expect(() => carefully(text)).toThrow(RecordError);
    expect(() => carefully(text)).toThrow('more than 512 KB');
  });
});

test('an integer has only digits, and its end too', () => {
  expect(['1', '-12', '', '0123'].map(isInteger)).toEqual([true, true, true, true]);
  expect(['1.0', '1e5', '--1', '1 ', 'null', '1\n'].map(isInteger)).toEqual(Array(6).fill(false));
});

describe('keys written with an escape', () => {
  // After the first key, Node 24 reads the second as a backslash: nodejs/node#63785.
  const poisoned = '{"h":[],"\\\\":0}';
  const harmed = '{"h":1,"\\"":2}';

  test.each([
    ['JSON', () => read(`[${poisoned},${harmed}]`)],
    ['JSON with other records in between', () => read(`[${poisoned},{"h":[],"x":1},${harmed}]`)],
    ['NDJSON', () => readLines(`${poisoned}\n${harmed}`)],
  ])('are read correctly in %s', async (_, records) => {
    JSON.parse(poisoned);
    expect((await records()).at(-1)).toEqual({ h: 1, '"': 2 });
  });

  test('are read correctly even if the chunk ends inside the key', async () => {
    JSON.parse(poisoned);
    expect(await read(`[${harmed}]`, { size: 1 })).toEqual([{ h: 1, '"': 2 }]);
  });

  test('are duplicates of the plain key, and the last one wins', async () => {
    expect(await read('[{"a":1,"\\u0061":2,"a":3},{"b":1,"\\u0062":2}]')).toEqual([{ a: 3 }, { b: 2 }]);
  });

  test('do not replace the prototype', async () => {
    const [record] = (await read('[{"\\u005f_proto__":{"x":1}}]')) as [object];
    expect(Object.keys(record)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });
});

describe('integers beyond 2^53', () => {
  test('keep their digits', async () => {
    const text = '[{"id":12345678901234567891,"n":-9007199254740993,"s":9007199254740991,"t":"12345678901234567891"}]';
    expect(await read(text)).toEqual([
      { id: 12345678901234567891n, n: -9007199254740993n, s: 9007199254740991, t: '12345678901234567891' },
    ]);
  });

  test.each([
    ['before each line feed', '9007199254740993\n12345678901234567891\n5\n'],
    ['without a last line feed', '9007199254740993\n12345678901234567891\n5'],
    ['before a carriage return', '9007199254740993\r\n12345678901234567891\r\n5\r\n'],
  ])('keep their digits as a whole line of NDJSON, %s', async (_, text) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(await readLines(text, size)).toEqual([9007199254740993n, 12345678901234567891n, 5]);
    }
  });

  test('are numbers if they have a fraction or an exponent', async () => {
    expect(await read('[0.12345678901234566,12345678901234568.5,1e30]')).toEqual([
      0.12345678901234566, 12345678901234568, 1e30,
    ]);
  });
});
