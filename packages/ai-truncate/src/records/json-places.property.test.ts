import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { allRecords, openBytes } from '../../fixtures/record-bytes.ts';
import { RecordError } from '../json/json-pieces.ts';
import { jsonRecords } from './json-records.ts';
import { readRecords } from './record-source.ts';

const value = fc.jsonValue({ maxDepth: 3 });
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).map((text) => `k${text}`);
const cuts = fc.array(fc.nat(), { maxLength: 6 });
const runs = { numRuns: propertyRuns({ sample: 200, full: 1500 }) };

/** Converts big integers as `JSON.parse` would. */
const plain = (records: unknown): unknown =>
  JSON.parse(JSON.stringify(records, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part)));

const outcome = async (
  text: string,
  at: string[],
  places: number[],
  read = readRecords,
): Promise<unknown[] | undefined> => {
  try {
    return plain(await allRecords(read(openBytes(text, places), { at }))) as unknown[];
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
};

const record = fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 });

test('a dictionary yields its members with their keys, wherever the bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, record, { minKeys: 1 }), value, cuts, async (dictionary, beside, places) => {
      const text = JSON.stringify({ before: beside, all: dictionary, after: beside });
      const expected = Object.entries(JSON.parse(JSON.stringify(dictionary)) as object);
      expect(await outcome(text, ['all'], places)).toEqual(expected.map(([key, members]) => ({ key, ...members })));
    }),
    runs,
  );
});

test('columns yield rows, wherever the bytes are split and whatever surrounds them', async () => {
  const columns = fc
    .tuple(fc.uniqueArray(name, { minLength: 2, maxLength: 6 }), fc.integer({ min: 2, max: 30 }))
    .chain(([names, length]) =>
      fc.tuple(
        ...names.map((each) => fc.tuple(fc.constant(each), fc.array(value, { minLength: length, maxLength: length }))),
      ),
    );
  await fc.assert(
    fc.asyncProperty(columns, value, fc.boolean(), cuts, async (lists, beside, hasMark, places) => {
      const inner = Object.fromEntries(lists) as Record<string, unknown[]>;
      const json = JSON.stringify({ é: beside, hourly: inner }, null, places.length % 3);
      const parsed = JSON.parse(JSON.stringify(inner)) as Record<string, unknown[]>;
      const rows = (lists[0]?.[1] ?? []).map((_, row) =>
        Object.fromEntries(Object.entries(parsed).map(([key, list]) => [key, list[row]])),
      );
      expect(await outcome(`${hasMark ? '\ufeff' : ''}${json}`, ['hourly'], places)).toEqual(rows);
    }),
    runs,
  );
});

test('lists inside records yield their items, in JSON and in NDJSON', async () => {
  const outer = fc.record({ id: fc.nat(), inner: fc.record({ items: fc.array(record, { maxLength: 4 }) }) });
  await fc.assert(
    fc.asyncProperty(fc.array(outer, { minLength: 2 }), cuts, async (records, places) => {
      const items = plain(records.flatMap(({ inner }) => inner.items));
      expect(await outcome(JSON.stringify({ records }), ['records', 'inner', 'items'], places)).toEqual(items);
      const lines = records.map((each) => JSON.stringify(each)).join('\n');
      expect(await outcome(lines, ['inner', 'items'], places)).toEqual(items);
    }),
    runs,
  );
});

test('a changed dictionary yields the result of JSON.parse, or an error if JSON.parse throws', async () => {
  const signs = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', ' ', '0', '-', 'null', '"a":', '');
  const change = fc.record({ at: fc.nat(), length: fc.nat({ max: 2 }), by: signs });
  const members = fc.dictionary(
    fc.stringMatching(/^k[a-z]{1,4}$/),
    fc.dictionary(fc.stringMatching(/^k[a-d]{1,3}$/), fc.nat(), { minKeys: 1 }),
    { minKeys: 1 },
  );
  await fc.assert(
    fc.asyncProperty(
      members,
      fc.array(change, { minLength: 1, maxLength: 2 }),
      cuts,
      async (dictionary, edits, places) => {
        let text = JSON.stringify(dictionary);
        for (const { at, length, by } of edits) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + by + text.slice(place + length);
        }
        const found = await outcome(text, [], places, jsonRecords);
        if (!found) return;
        const parsed = JSON.parse(text) as Record<string, unknown>;
        const keys = new Set(found.map((row) => (row as { key: string }).key));
        // If two members have one name, `JSON.parse` uses the last.
        if (keys.size === found.length) expect(keys).toEqual(new Set(Object.keys(parsed)));
      },
    ),
    { numRuns: propertyRuns({ sample: 400, full: 4000 }) },
  );
});

test('any document is read the same on one line and indented', async () => {
  const documents = fc.oneof(
    fc.dictionary(name, value),
    fc.dictionary(name, fc.array(record, { maxLength: 4 })),
    fc.dictionary(name, fc.dictionary(name, record)),
  );
  await fc.assert(
    fc.asyncProperty(documents, cuts, async (document, places) => {
      const read = async (text: string): Promise<unknown> => {
        try {
          return plain(await allRecords(readRecords(openBytes(text, places))));
        } catch (error) {
          return (error as Error).message;
        }
      };
      expect(await read(JSON.stringify(document, null, 2))).toEqual(await read(JSON.stringify(document)));
    }),
    runs,
  );
});
