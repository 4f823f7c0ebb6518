import { describe, expect, test } from 'vitest';
import { corpusNames, readCorpus } from '../../fixtures/corpus.ts';
import { allRecords, openBytes } from '../../fixtures/record-bytes.ts';
import { readRecords } from './record-source.ts';

const read = (text: string, at?: string[]) => allRecords(readRecords(openBytes(text, 1000), { at }));
const long = 'x'.repeat(200_000);

describe('the format of an artifact is detected from its beginning', () => {
  test.each([
    ['a JSON array', '[{"a":1}]', [{ a: 1 }]],
    ['an indented document', '{\n "items": [\n  {"a":1}\n ]\n}\n', [{ a: 1 }]],
    ['NDJSON', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['NDJSON with blank lines', '\n{"a":1}\n\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    [
      'NDJSON of lists',
      '[1,2]\n[3,4]\n',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['NDJSON of one record', '{"a":1,"b":[2]}\n', [{ a: 1, b: [2] }]],
    ['NDJSON with a long first record', `{"a":"${long}"}\n{"a":1}`, [{ a: long }, { a: 1 }]],
    ['a long JSON array in one line', `[{"a":"${long}"},{"a":1}]`, [{ a: long }, { a: 1 }]],
    ['CSV', 'a,b\n1,2\n', [{ a: 1, b: 2 }]],
    ['TSV', 'a\tb\n1\t2\n', [{ a: 1, b: 2 }]],
    ['CSV with quoted names', '"a","b"\n1,2\n', [{ a: 1, b: 2 }]],
  ])('%s', async (_, text, records) => {
    expect(await read(text)).toEqual(records);
  });

  test('a path makes a single object JSON instead of NDJSON', async () => {
    expect(await read('{"a":{"b":[1,2]}}', ['a', 'b'])).toEqual([1, 2]);
  });

  test('a path leads into each line', async () => {
    expect(await read('{"a":[{"b":1},{"b":2}]}\n{"a":[]}\n{"a":[{"b":3}]}', ['a'])).toEqual([
      { b: 1 },
      { b: 2 },
      { b: 3 },
    ]);
  });

  test('a path is refused if no line has it', async () => {
    await expect(read('{"a":1}\n{"a":2}', ['b'])).rejects.toThrow('No line has a list at ["b"]');
  });

  test('a path is refused for a table', async () => {
    await expect(read('a,b\n1,2\n', ['a'])).rejects.toThrow('The records of a table are its rows');
  });

  test.each(corpusNames.filter((name) => /\.(log|html)$/.test(name)))('%s has no records', async (name) => {
    await expect(read(readCorpus(name))).rejects.toThrow(/neither JSON nor a table|not valid JSON/);
  });
});

describe('a path from a model', () => {
  test.each([
    ['a number', 5],
    ['an object', { a: 1 }],
    ['numbers in the list', ['a', 1]],
    ['a hole in the list', Array(3)],
    ['a giant key', ['x'.repeat(1_000_000)]],
    ['a giant list', Array(1_000_000).fill('a')],
    ['a giant text', 'a.'.repeat(1_000_000)],
  ])('is refused if it is not a list of keys: %s', async (_, at) => {
    await expect(read('{"a":[{}]}', at as string[])).rejects.toThrow('`at` must be a list of at most 20 keys');
  });

  test('can be a text', async () => {
    expect(await read('{"a":{"b":[1]},"c":[{}]}', 'a.b' as unknown as string[])).toEqual([1]);
  });
});
