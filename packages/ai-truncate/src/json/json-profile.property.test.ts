import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finished } from '../pace.ts';
import { fieldWords } from '../text/profile-words.ts';
import { JsonProfile } from './json-profile.ts';

const record = fc.record(
  {
    status: fc.constantFrom('ok', 'failed', 'refunded'),
    amount: fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e6, max: 1e6 })),
    customer: fc.record({ name: fc.string({ maxLength: 10 }), vip: fc.boolean() }, { requiredKeys: [] }),
    tags: fc.array(fc.oneof(fc.string({ maxLength: 4 }), fc.record({ a: fc.integer() })), { maxLength: 5 }),
    note: fc.option(fc.string({ maxLength: 10 })),
    'a "key"\n': fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.integer(), fc.constant('12')),
  },
  { requiredKeys: ['status'] },
);

function profileOf(texts: readonly string[]): JsonProfile {
  const profile = new JsonProfile();
  for (const text of texts) profile.addText(text);
  return profile;
}

function wordsOf(records: readonly unknown[], most = 5): Record<string, string> {
  const profile = profileOf(records.map((each) => JSON.stringify(each)));
  const words = finished(profile.finish()).map(({ name, summary }) => [
    name,
    fieldWords(summary, { records: profile.count, most }),
  ]);
  return Object.fromEntries(words);
}

/** All values of a field, found with `JSON.parse`. */
function valuesOf(records: readonly unknown[], path: string): unknown[] {
  return records.flatMap((each) => {
    const value = path
      .split('.')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], each);
    return value === undefined ? [] : [value];
  });
}

describe('every record is counted', () => {
  const indents = fc.constantFrom(undefined, ' ', '\t');

  test('counts, ranges, sums and frequent values match the values that `JSON.parse` returns', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 60 }), indents, (records, indent) => {
        const texts = records.map((each) => JSON.stringify(each, undefined, indent));
        const profile = profileOf(texts);
        expect(profile.count).toBe(records.length);
        const parsed = texts.map((text) => JSON.parse(text) as unknown);
        for (const { name, summary } of finished(profile.finish())) {
          const values = valuesOf(parsed, name);
          const numbers = values.filter((value) => typeof value === 'number');
          const scalars = values.filter((value) => value !== null && typeof value !== 'object');
          const lists = values.filter((value) => Array.isArray(value));
          expect(summary.present).toBe(values.length);
          expect(summary.nulls).toBe(values.filter((value) => value === null).length);
          expect(summary.numbers).toBe(numbers.length);
          expect(summary.texts).toBe(scalars.filter((value) => typeof value === 'string').length);
          expect(summary.lists).toBe(lists.length);
          expect(summary.listItems).toBe(lists.reduce((sum, list) => sum + list.length, 0));
          expect(summary.least).toBe(Math.min(...numbers));
          expect(summary.most).toBe(Math.max(...numbers));
          expect(Math.abs(summary.sum - numbers.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-3);
          expect(summary.values?.different ?? 0).toBe(new Set(scalars).size);
          for (const { text, count, isNumber } of summary.values?.frequent ?? [])
            expect(count).toBe(
              scalars.filter((value) => String(value) === text && (typeof value === 'number') === isNumber).length,
            );
        }
      }),
      { numRuns: 300 },
    );
  });

  test('text that is not JSON is refused whenever `JSON.parse` refuses it', () => {
    const parses = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const unit = fc.constantFrom(...'{}[]:,"\\ntrue019.eE+- \u0001x');
    fc.assert(
      fc.property(record, fc.nat(), fc.nat(3), fc.string({ unit, maxLength: 4 }), (valid, at, removed, added) => {
        const known = JSON.stringify(valid);
        const profile = profileOf([known]);
        const place = at % (known.length + 1);
        const text = known.slice(0, place) + added + known.slice(place + removed);
        expect(profile.addText(text)).toBe(parses(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('a repeated name counts once, with its last value', () => {
    const profile = profileOf(['{"a":1,"b":2}', '{"a":1,"b":2,"a":3}']);
    expect(finished(profile.finish()).map(({ summary }) => [summary.present, summary.sum])).toEqual([
      [2, 4],
      [2, 4],
    ]);
  });
});

describe('distinct values', () => {
  test('are exact up to a thousand in each of many fields, and then more than a thousand', () => {
    const different = (count: number) => {
      const names = Array.from({ length: 40 }, (_, index) => `field${index}`);
      const records = Array.from({ length: 2 * count }, (_, row) =>
        Object.fromEntries(names.map((name) => [name, `${name}-${row % count}`])),
      );
      return [...new Set(Object.values(wordsOf(records, 0)))];
    };
    expect(different(1000)).toEqual(['1,000 different']);
    expect(different(1001)).toEqual(['more than 1,000 different']);
  });

  test('are frequent in the order of their counts', () => {
    const numbers = Array.from({ length: 3000 }, (_, row) => ({ id: row, code: Math.floor(Math.sqrt(row)) }));
    expect(wordsOf(numbers, 3)).toEqual({
      id: '0 to 2999; sum 4,498,500; more than 1,000 different',
      code: '0 to 54; sum 108,045; 55 different; 53 (107), 52 (105), 51 (103)',
    });
  });

  test('a text with the form of a number is not a number in JSON', () => {
    expect(wordsOf(Array.from({ length: 8 }, (_, row) => ({ zip: row % 2 === 0 ? '007' : 7 })))).toEqual({
      zip: '4 numbers from 7 to 7; sum 28; 2 different; 007 (4), 7 (4)',
    });
  });
});

test('a sum of numbers of very different sizes includes the small ones', () => {
  const words = wordsOf([1e16, 1, 1, -1e16].map((amount) => ({ amount })));
  expect(words.amount).toContain('; sum 2; ');
});

test('a hundred thousand fields take the memory of two hundred', () => {
  const records = Array.from({ length: 100 }, (_, row) =>
    Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${row * 1000 + index}`, index])),
  );
  expect(Object.keys(wordsOf(records)).length).toBe(200);
});

test('the words of a field are short and complete', () => {
  const records = Array.from({ length: 100 }, (_, index) => ({
    level: index < 90 ? 'info' : 'error',
    at: `2026-11-${String(1 + (index % 20)).padStart(2, '0')}T00:00:00Z`,
    ms: index,
    ...(index % 2 === 0 && { tags: ['a', 'b'] }),
  }));
  expect(wordsOf(records)).toEqual({
    level: '2 different; info (90), error (10)',
    at: '2026-11-01T00:00:00Z to 2026-11-20T00:00:00Z; 20 different; 2026-11-01T00:00:00Z (5), 2026-11-02T00:00:00Z (5), 2026-11-03T00:00:00Z (5), 2026-11-04T00:00:00Z (5), 2026-11-05T00:00:00Z (5)',
    ms: '0 to 99; sum 4,950; 100 different',
    tags: 'lists with 100 items; missing 50',
  });
});

test('long texts are not reported as a number of different values', () => {
  const records = Array.from({ length: 10 }, (_, index) => ({
    body: 'a'.repeat(300),
    title: index > 4 ? 'b'.repeat(300) : `${index}`,
  }));
  expect(wordsOf(records)).toEqual({ body: 'long texts', title: 'more than 5 different' });
});

test('every digit of an integer is shown', () => {
  const records = Array.from({ length: 10 }, (_, index) => ({ at: 1_700_000_000_123_456 + index }));
  expect(wordsOf(records).at).toMatch(/^1,700,000,000,123,456 to 1,700,000,000,123,465; sum about 17,000,0/);
});

test('objects that are too deep for fields are counted, for any names', () => {
  const deep = JSON.parse('{"toString":1,"valueOf":1,"__proto__":{"x":1}}') as object;
  expect(wordsOf(Array.from({ length: 9 }, () => ({ a: { b: { c: deep } } })))).toEqual({ 'a.b.c': '9 objects' });
});

test('a list nested a hundred thousand levels deep is counted or refused, and breaks nothing', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const profile = profileOf(['{"a":1}', `{"a":${deep}}`]);
  expect(finished(profile.finish())[0]?.summary).toMatchObject({ present: profile.count });
});
