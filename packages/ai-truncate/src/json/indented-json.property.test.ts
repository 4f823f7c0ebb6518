import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { indentedJson } from './indented-json.ts';
import { serialize } from './serialize.ts';

const indented = (value: unknown): string => [...indentedJson(JSON.stringify(value))].join('');

test('the indented text of compact JSON equals the text of the serialized value', async () => {
  const jsonValue = fc.oneof(
    fc.jsonValue({ maxDepth: 6 }),
    fc.dictionary(fc.string({ unit: fc.constantFrom('\\', '"', '\n', '{', ':', ',', 'h', '\u2028') }), fc.jsonValue()),
  );
  await fc.assert(
    fc.property(jsonValue, (value) => {
      expect(indented([value])).toBe([...serialize([value], { indent: 2 }).chunks].join(''));
    }),
    { numRuns: propertyRuns({ sample: 1000, full: 5000 }) },
  );
});

test('text nested deeper than 64 levels is indented like a serialized value', async () => {
  const leaves = fc.jsonValue({ maxDepth: 3 });
  await fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), leaves), { minLength: 50, maxLength: 120 }), (levels) => {
      const value = levels.reduce<unknown>((inner, [isList, leaf]) => (isList ? [inner, leaf] : { inner, leaf }), {});
      expect(indented(value)).toBe([...serialize(value, { indent: 2 }).chunks].join(''));
    }),
    { numRuns: 200 },
  );
});

test('a text that is a single word is written', () => {
  expect([...indentedJson('null')]).toEqual(['null']);
});

test('a string longer than a chunk is split into chunks of at most 64 KiB', () => {
  const value = { text: `"\\${'x"'.repeat(200_000)}` };
  const chunks = [...indentedJson(JSON.stringify(value))];
  expect(chunks.join('')).toBe(JSON.stringify(value, null, 2));
  expect(Math.max(...chunks.map(({ length }) => length))).toBe(64 * 1024);
});

test('escaped keys keep their names after V8 has seen a key that is a backslash', () => {
  JSON.parse('{"h":[],"\\\\":0}');
  expect(indented({ h: 1, '"': 2 })).toBe('{\n  "h": 1,\n  "\\"": 2\n}');
});
