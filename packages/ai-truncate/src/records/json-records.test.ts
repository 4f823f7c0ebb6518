import { describe, expect, test } from 'vitest';
import { allRecords, bytesOf, openBytes } from '../../fixtures/record-bytes.ts';
import { jsonRecords, ndjsonRecords } from './json-records.ts';
import { textsOf } from './record-text.ts';

const chunkSizes = [1, 2, 3, 7, 1000];

const read = (text: string, { at, size }: { at?: string[]; size?: number } = {}) =>
  allRecords(jsonRecords(openBytes(text, size), { at }));
const readLines = (text: string, size?: number) => allRecords(ndjsonRecords(textsOf(bytesOf(text, size))));

describe.each(chunkSizes)('records of JSON in chunks of %i bytes', (size) => {
  test.each([
    ['an empty array', '[]', []],
    ['numbers', ' [ 1 , -0.5,1e3 ] ', [1, -0.5, 1000]],
    ['objects', '[{"a":1},\n{"a":{"b":[1,{"c":2}]}}]', [{ a: 1 }, { a: { b: [1, { c: 2 }] } }]],
    ['arrays', '[[1,2],[],[[3]]]', [[1, 2], [], [[3]]]],
    ['brackets and commas in texts', '["],[","{\\"","a,b}"]', ['],[', '{"', 'a,b}']],
    ['escapes', '["\\\\","\\"","\\u00e9\\n"]', ['\\', '"', 'é\n']],
    ['wide characters', '["日本語","😀","é"]', ['日本語', '😀', 'é']],
    ['a byte order mark', '\ufeff[1]', [1]],
    ['a mark inside a text', '["\ufeff"]', ['\ufeff']],
    ['words', '[true,false,null]', [true, false, null]],
  ])('are %s', async (_, text, records) => {
    expect(await read(text, { size })).toEqual(records);
  });

  test('are found at the end of a path of keys', async () => {
    const text = '{"x":[{"no":1}],"data":{"it\\u0065ms":[1,2],"rest":{"items":[3]}},"y":0}';
    expect(await read(text, { at: ['data', 'items'], size })).toEqual([1, 2]);
  });

  test('come from the only array of objects', async () => {
    const text = '{"meta":{"tags":["a","b"],"n":[]},"data":{"list":{"items":[{"id":1,"sub":[{"id":2}]},{"id":3}]}}}';
    expect(await read(text, { size })).toEqual([{ id: 1, sub: [{ id: 2 }] }, { id: 3 }]);
  });

  test.each([
    ['an extra comma at the end', '[1,]', /Record|record at byte 3/],
    ['a comma at the beginning', '[,1]', /byte 1/],
    ['two commas', '[1,,2]', /byte 3/],
    ['the wrong closing bracket', '[{"a":1}}', /bracket/],
    ['a bracket closed twice', '[1]]', /after the end.*byte 3/],
    ['text after the end', '[1] x', /after the end.*byte 4/],
    ['no end of the array', '[1,2', /cut off/],
    ['an end inside a record', '[1,{"a":', /cut off/],
    ['an end inside a text', '["a', /cut off/],
    ['an end inside the document', '{"a":[{"b":1}]', /cut off/],
    ['nothing at all', '', /empty/],
    ['no JSON', 'hello', /byte 0/],
    ['a broken record', '[{"a":1}, {"a":}, {"a":2}]', /Record 2 \(at byte 10\)/],
    ['two values without a comma', '[1 2]', /Record 1/],
    ['a bracket of the wrong kind inside', '[{"a":[1}}]', /Record|bracket|cut off/],
    ['a control character in a text', '["a\tb"]', /Record 1/],
    ['an invalid number', '[01]', /Record 1/],
  ])('are refused for %s', async (_, text, message) => {
    await expect(read(text, { size })).rejects.toThrow(message);
  });
});

describe('an array without a given path', () => {
  test('is refused if several arrays are possible, and each is named', async () => {
    const text = '{"users":[{"a":1}],"data":{"groups":[{"b":1}]}}';
    await expect(read(text)).rejects.toThrow('["users"] (1), ["data","groups"] (1). Name one with `at`.');
  });

  test('makes the document one record if it has no array', async () => {
    expect(await read('{"a":{"b":[1,2]}}')).toEqual([{ a: { b: [1, 2] } }]);
  });

  test('is found below eight keys, and deeper with a path', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const nested = (depth: number) =>
      keys.slice(0, depth).reduceRight((inner, key) => `{"${key}":${inner}}`, '[{"x":1}]');
    expect(await read(nested(8))).toEqual([{ x: 1 }]);
    expect(await read(nested(9))).toEqual([JSON.parse(nested(9))]);
    expect(await read(nested(9), { at: keys })).toEqual([{ x: 1 }]);
  });
});

describe('the text around the records', () => {
  test.each([
    ['before them', '{"b":[1},"a":[{"x":1}]}'],
    ['after them', '{"a":[{"x":1}],"b":[1}}'],
    ['around them', '{"a":[{"x":1}]]'],
  ])('must close the brackets that it opens, %s', async (_, text) => {
    await expect(read(text)).rejects.toThrow('A bracket is closed that is not open');
  });
});

describe('an array with a given path', () => {
  test('is the first of two with the same key', async () => {
    expect(await read('{"a":[1],"a":[2]}', { at: ['a'] })).toEqual([1]);
  });

  test('is the document itself if the list of keys is empty', async () => {
    expect(await read('[1]', { at: [] })).toEqual([1]);
  });

  test('is refused if it does not exist, and the existing arrays are named', async () => {
    await expect(read('{"a":{"b":1},"c":[{}]}', { at: ['a', 'b'] })).rejects.toThrow(
      'There is no list of records at ["a","b"]. Records are at: ["c"] (1). Name one with `at`.',
    );
  });

  test('is not reached through inherited members', async () => {
    await expect(read('{"a":[{}]}', { at: ['__proto__'] })).rejects.toThrow('no list of records at ["__proto__"]');
    expect(await read('{"__proto__":[1]}', { at: ['__proto__'] })).toEqual([1]);
  });
});

describe.each(chunkSizes)('lines of NDJSON in chunks of %i bytes', (size) => {
  test.each([
    ['with a line feed at the end', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['without one', '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['with CRLF', '{"a":1}\r\n{"a":2}\r\n', [{ a: 1 }, { a: 2 }]],
    ['with blank lines', '\n\n{"a":1}\n  \n\n2\n\n', [{ a: 1 }, 2]],
    ['with a byte order mark', '\ufeff1\n2', [1, 2]],
    ['with escaped line feeds', '"a\\nb"\n"c"', ['a\nb', 'c']],
    ['without any', '', []],
  ])('are read %s', async (_, text, records) => {
    expect(await readLines(text, size)).toEqual(records);
  });

  test.each([
    ['broken', '{"a":1}\n\n{"a":}\n{"a":2}', 'Line 3'],
    ['open at the end of the line', '{"a":1}\n{"a":\n2}', 'Line 2'],
    ['open inside a text', '1\n"a\nb"', 'Line 2'],
    ['two values with a comma', '1\n2\n1,2', 'Line 3'],
    ['two values without a comma', '1\n1 2', 'Line 2'],
    ['closed twice', '{"a":1}}\n1', 'Line 1'],
    ['the end of a cut file', '{"a":1}\n{"a":', 'Line 2'],
  ])('are refused if one line is %s', async (_, text, message) => {
    await expect(readLines(text, size)).rejects.toThrow(message);
  });

  test('are not joined by brackets that happen to match', async () => {
    await expect(readLines('[[5\n6]]\n1],[2', size)).rejects.toThrow('Line 1');
  });
});
