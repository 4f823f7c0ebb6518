import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allRecords, openBytes } from '../../fixtures/record-bytes.ts';
import { JsonPieces, RecordError } from '../json/json-pieces.ts';
import { jsonRecords } from './json-records.ts';
import { RecordReader } from './record-reader.ts';

const read = (text: string) => allRecords(jsonRecords(openBytes(text)));

/** Reads the text after an opening bracket, in pieces that end at the given places. */
function readAfter(kind: 'items' | 'members', text: string, cuts: readonly number[] = []) {
  const open = kind === 'items' ? '[' : '{';
  const pieces = new JsonPieces();
  pieces.append(open);
  pieces.scanner.next();
  pieces.discardTo(1);
  const reader = new RecordReader(pieces, kind);
  const records: unknown[] = [];
  let from = 0;
  for (const to of [...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]) {
    pieces.append(text.slice(from, to));
    from = to;
    if (reader.isClosed) continue;
    reader.read();
    for (const record of reader.take() ?? []) records.push(record);
  }
  return { records, reader };
}

/** Integers beyond 2^53 would be read as they are written, unlike by JSON.parse. */
const isUnsafe = (part: unknown) => Number.isInteger(part) && !Number.isSafeInteger(part);
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value): unknown => JSON.parse(JSON.stringify(value, (_, part) => (isUnsafe(part) ? 0.5 : part))));
const cuts = fc.array(fc.nat(), { maxLength: 6 });
const spaces = fc.constantFrom(undefined, 1, '\t');

describe('the items of a list', () => {
  test('are the items that JSON.parse reads, wherever the text is cut', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 6 }), cuts, spaces, (items, places, space) => {
        const text = JSON.stringify(items, undefined, space);
        const { records, reader } = readAfter('items', text.slice(1), places);
        expect(records).toEqual(JSON.parse(text));
        expect([reader.isClosed, reader.count]).toEqual([true, items.length]);
      }),
      { numRuns: 200 },
    );
  });

  test('are refused if the text is not JSON, or the list is not closed', () => {
    const text = fc.string({ unit: fc.constantFrom(...'[]{},:"1a\\ '.split('')), maxLength: 8 });
    fc.assert(
      fc.property(text, cuts, (rest, places) => {
        let result: unknown[] | undefined;
        try {
          const { records, reader } = readAfter('items', rest, places);
          if (reader.isClosed) result = records;
        } catch (error) {
          expect(error).toBeInstanceOf(RecordError);
        }
        const expected = firstList(`[${rest}`);
        expect(result).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  /** The shortest beginning that is JSON. */
  function firstList(text: string): unknown {
    for (let end = 1; end <= text.length; end++) {
      try {
        return JSON.parse(text.slice(0, end));
      } catch {
        // A longer beginning may be JSON.
      }
    }
    return undefined;
  }

  test.each([
    ['1,,2]', 'The record at byte 3 is missing before a comma.'],
    [',1]', 'The record at byte 1 is missing before a comma.'],
    ['1,]', 'The record at byte 3 is missing after a comma.'],
    ['1}', 'The record at byte 1 closes a bracket that is not open.'],
    ['1,{"a":}]', 'Record 2 (at byte 3) is not valid JSON: '],
    ['"é",tru]', 'Record 2 (at byte 6) is not valid JSON: '],
    ['{"a":[1}]]', 'Record 1 (at byte 1) is not valid JSON: '],
  ])('are refused with their place: %s', (text, message) => {
    for (const places of [[], [1], [2], [3], [1, 2, 3, 4, 5, 6]]) {
      expect(() => readAfter('items', text, places)).toThrow(message);
    }
  });
});

test('a record may be nested 512 levels deep', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}]`;
  expect(readAfter('items', nested(512)).records).toHaveLength(1);
  expect(() => readAfter('items', nested(513))).toThrow('The record at byte 1 is nested deeper than 512 levels.');
});

describe('the members of an object', () => {
  test('are rows with their keys, wherever the text is cut', () => {
    const row = fc.oneof(json, fc.record({ key: json, b: json }, { requiredKeys: ['b'] }));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 4 }), row, { maxKeys: 5 }),
        cuts,
        spaces,
        (object, places, space) => {
          const text = JSON.stringify(object, undefined, space);
          const { records, reader } = readAfter('members', text.slice(1), places);
          const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
          const members = Object.entries(JSON.parse(text) as object);
          const expected = members.map(([key, value]) => {
            if (!isObject(value)) return { key, value };
            return 'key' in value ? { key_2: key, ...value } : { key, ...value };
          });
          expect(records).toEqual(expected);
          expect(reader.objects).toBe(members.filter(([, value]) => isObject(value)).length);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('may have the name of the prototype', () => {
    const { records } = readAfter('members', '"__proto__":{"__proto__":1}}');
    expect(JSON.stringify(records)).toBe('[{"key":"__proto__","__proto__":1}]');
    expect(Object.getPrototypeOf(records[0])).toBe(Object.prototype);
  });

  test.each(['1}', '"a"}', '"a":}', '"a" 1}', '"b":1,"a"}'])('need a key and a value: %s', (text) => {
    expect(() => readAfter('members', text)).toThrow('is not a member with a key');
  });

  test.each(['"a"::1}', '"a":1,}', ',"a":1}', '"a":1]', '{"a":1}}', '"a" "b":1}'])(
    'are refused if they are not JSON: %s',
    (text) => {
      for (const places of [[], [1], [2], [3], [4]]) {
        expect(() => readAfter('members', text, places)).toThrow(RecordError);
      }
    },
  );
});

describe('a record that is too large', () => {
  test('is refused for its size, and its place is named', async () => {
    const text = `[1,"${'x'.repeat(9_000_000)}"]`;
    await expect(read(text)).rejects.toThrow('record at byte 3 is larger than 8388608 bytes');
  });

  test('is read up to that size', async () => {
    const [, long] = await read(`[1,"${'x'.repeat(8_000_000)}"]`);
    expect(long).toHaveLength(8_000_000);
  });

  test('is refused if it has more keys than a short step can parse', async () => {
    const keys = Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`);
    await expect(read(`[{${keys.join(',')}}]`)).rejects.toThrow('too many members');
  });

  test('is refused for its depth', async () => {
    await expect(read(`[${'['.repeat(5000)}${']'.repeat(5000)}]`)).rejects.toThrow('nested deeper than 512');
  });
});
