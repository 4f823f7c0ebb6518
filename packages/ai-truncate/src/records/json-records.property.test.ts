import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { allRecords, bytesOf, openBytes } from '../../fixtures/record-bytes.ts';
import { RecordError } from '../json/json-pieces.ts';
import { jsonRecords, ndjsonRecords } from './json-records.ts';
import { textsOf } from './record-text.ts';

const value = fc.jsonValue({ maxDepth: 4 });
const space = fc.constantFrom('', ' ', '\n', '\t\r\n ');
const cuts = fc.array(fc.nat(), { maxLength: 8 });

/** Converts big integers as `JSON.parse` would. */
const asText = (json: unknown): string =>
  JSON.stringify(json, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part));

/** JSON with white space wherever it is allowed. */
const spaced = (json: unknown, spaces: readonly string[]): string => {
  let next = 0;
  const gap = (): string => spaces[next++ % spaces.length] ?? '';
  const write = (part: unknown): string => {
    if (Array.isArray(part)) return `[${gap()}${part.map((item) => write(item) + gap()).join(`,${gap()}`)}]`;
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    const members = Object.entries(part).map(
      ([key, member]) => `${JSON.stringify(key)}${gap()}:${gap()}${write(member)}${gap()}`,
    );
    return `{${gap()}${members.join(`,${gap()}`)}}`;
  };
  return gap() + write(json) + gap();
};

const outcome = async (records: AsyncIterable<unknown[]>): Promise<unknown[] | undefined> => {
  try {
    return await allRecords(records);
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
};

describe('any array', () => {
  test('yields its items, wherever the bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value), fc.array(space, { minLength: 1 }), cuts, async (items, spaces, places) => {
        const records = await allRecords(jsonRecords(openBytes(spaced(items, spaces), places), { at: [] }));
        expect(asText(records)).toBe(JSON.stringify(items));
      }),
      { numRuns: propertyRuns({ sample: 300, full: 1500 }) },
    );
  });

  test('yields its items inside an object, next to any other members', async () => {
    const key = fc.string({ unit: 'grapheme', maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(value), value, value, key, cuts, async (items, before, after, name, places) => {
        // A separate object, because two members with one name would become one.
        const text = `{"b":${JSON.stringify(before)},${JSON.stringify(`k${name}`)}:{"x":1,"y":${JSON.stringify(items)}},"a":${JSON.stringify(after)}}`;
        const records = await allRecords(jsonRecords(openBytes(text, places), { at: [`k${name}`, 'y'] }));
        expect(asText(records)).toBe(JSON.stringify(items));
      }),
      { numRuns: 800 },
    );
  });
});

describe('any lines', () => {
  test('yield one value each, wherever the bytes are split', async () => {
    const lines = fc.array(fc.tuple(value, fc.constantFrom('\n', '\r\n', '\n\n', ' \n')));
    await fc.assert(
      fc.asyncProperty(lines, cuts, async (parts, places) => {
        const text = parts.map(([line, end]) => JSON.stringify(line) + end).join('');
        const records = await allRecords(ndjsonRecords(textsOf(bytesOf(text, places))));
        expect(asText(records)).toBe(JSON.stringify(parts.map(([line]) => line)));
      }),
      { numRuns: 800 },
    );
  });
});

describe('a document with a change', () => {
  const signs = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\n', '0', '-', 'e', 'null', '"a":', '');
  const change = fc.record({ at: fc.nat(), length: fc.nat({ max: 3 }), by: signs });
  const changed = (text: string, changes: { at: number; length: number; by: string }[]): string => {
    let result = text;
    for (const { at, length, by } of changes) {
      const place = at % (result.length + 1);
      result = result.slice(0, place) + by + result.slice(place + length);
    }
    return result;
  };
  const parsed = (text: string): unknown[] | undefined => {
    try {
      const json: unknown = JSON.parse(text);
      return Array.isArray(json) ? json : undefined;
    } catch {
      return undefined;
    }
  };

  test('yields the result of JSON.parse, or an error if JSON.parse throws', async () => {
    const changes = fc.array(change, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(value), changes, cuts, async (items, edits, places) => {
        const text = changed(JSON.stringify(items), edits);
        const records = await outcome(jsonRecords(openBytes(text, places), { at: [] }));
        const expected = parsed(text);
        expect(records === undefined).toBe(expected === undefined);
        // If a key has an escape, JSON.parse itself can be wrong.
        if (records && expected && !text.includes('\\')) expect(asText(records)).toBe(JSON.stringify(expected));
      }),
      { numRuns: propertyRuns({ sample: 600, full: 3000 }) },
    );
  });

  test('yields the result of JSON.parse for each line', async () => {
    const changes = fc.array(change, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 6 }), changes, cuts, async (items, edits, places) => {
        const text = changed(items.map((item) => JSON.stringify(item)).join('\n'), edits);
        const records = await outcome(ndjsonRecords(textsOf(bytesOf(text, places))));
        const lines = text.split('\n').filter((line) => line.trim() !== '');
        let expected: unknown[] | undefined;
        try {
          expected = lines.map((line) => JSON.parse(line));
        } catch {
          expected = undefined;
        }
        expect(records === undefined).toBe(expected === undefined);
        if (records && expected && !text.includes('\\')) expect(asText(records)).toBe(JSON.stringify(expected));
      }),
      { numRuns: propertyRuns({ sample: 600, full: 3000 }) },
    );
  });
});
