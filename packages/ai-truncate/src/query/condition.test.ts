import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Condition, isElsewhere, MAX_ITEMS, type QueryCondition } from './condition.ts';
import { fieldReader } from './fields.ts';
import type { Operator } from './operators.ts';

function condition(op: Operator, value: unknown, { conditions = 1, patterns = 1 } = {}): Condition {
  const toMatcher = (pattern: string) => (text: string) => text.includes(pattern);
  return new Condition({ field: 'v', op, value } as QueryCondition, {
    read: fieldReader('v'),
    toMatcher,
    conditions,
    patterns,
  });
}

const holds = (op: Operator, wanted: unknown, value: unknown) => condition(op, wanted).holdsFor(value);

describe('a condition on one value', () => {
  test('compares numbers as JavaScript does', () => {
    const comparisons: [Operator, (value: number, wanted: number) => boolean][] = [
      ['eq', (value, wanted) => value === wanted],
      ['ne', (value, wanted) => value !== wanted],
      ['lt', (value, wanted) => value < wanted],
      ['lte', (value, wanted) => value <= wanted],
      ['gt', (value, wanted) => value > wanted],
      ['gte', (value, wanted) => value >= wanted],
    ];
    const number = fc.integer({ min: -2, max: 2 });
    fc.assert(
      fc.property(fc.constantFrom(...comparisons), number, number, ([op, expected], value, wanted) => {
        expect(holds(op, wanted, value)).toBe(expected(value, wanted));
      }),
      { numRuns: 100 },
    );
  });

  test('holds for a missing value only if that is wanted', () => {
    expect(holds('exists', false, undefined)).toBe(true);
    expect(holds('exists', true, undefined)).toBe(false);
    expect(holds('exists', true, null)).toBe(true);
    expect((['eq', 'ne', 'contains'] as const).map((op) => holds(op, 'x', undefined))).toEqual([false, false, false]);
  });

  test('treats null as a value that is equal only to null', () => {
    expect([holds('eq', null, null), holds('ne', null, null), holds('in', [1, null], null)]).toEqual([
      true,
      false,
      true,
    ]);
    expect([holds('eq', 0, null), holds('ne', 0, null), holds('in', [1], null)]).toEqual([false, true, false]);
    expect([holds('lt', 5, null), holds('gt', -5, null), holds('contains', 'n', null)]).toEqual([false, false, false]);
  });

  test('counts the values of a type that cannot be compared, and remembers the first', () => {
    const tested = condition('gt', 3);
    const values = ['Ada', 4, 'Bob', null, 2];
    expect(values.map((value) => tested.holdsFor(value))).toEqual([false, true, false, false, false]);
    expect(tested).toMatchObject({ compared: 2, incomparable: 2, example: 'Ada' });
  });

  test('differs from a value of another type', () => {
    expect(holds('ne', 3, 'Ada')).toBe(true);
  });
});

describe('a condition on a list', () => {
  test('holds if it holds for one item, and `ne` only if it holds for all', () => {
    const items = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(items, fc.integer({ min: 0, max: 3 }), (list, wanted) => {
        expect(holds('eq', wanted, list)).toBe(list.includes(wanted));
        expect(holds('ne', wanted, list)).toBe(!list.includes(wanted));
        expect(holds('gte', wanted, list)).toBe(list.some((item) => item >= wanted));
      }),
      { numRuns: 100 },
    );
  });

  test('ignores items that cannot be compared, unless there are no others', () => {
    const tested = condition('gt', 3);
    expect(
      [
        ['Ada', 4],
        [2, 'Ada'],
      ].map((list) => tested.holdsFor(list)),
    ).toEqual([true, false]);
    expect(tested.incomparable).toBe(0);
    expect(tested.holdsFor(['Ada', 'Bob'])).toBe(false);
    expect(tested).toMatchObject({ incomparable: 1, example: 'Ada', isOfLists: true });
  });

  test('searches the whole list for an item with `contains`', () => {
    const tested = condition('contains', 'b');
    expect(tested.holdsFor(['a', 'b'])).toBe(true);
    expect(tested).toMatchObject({ looksForItems: true, isOfLists: false });
  });

  test('tests the first 20,000 items, which the conditions of a query share', () => {
    const list = [...new Array<number>(MAX_ITEMS).fill(0), 1];
    for (const conditions of [1, 2]) {
      const most = MAX_ITEMS / conditions;
      const tested = condition('eq', 1, { conditions });
      expect(tested.holdsFor([...list.slice(0, most - 1), 1])).toBe(true);
      expect(tested.cutLists).toBe(0);
      expect(tested.holdsFor([...list.slice(0, most), 1])).toBe(false);
      expect(tested.cutLists).toBe(1);
    }
  });
});

describe('the texts that patterns are tested on', () => {
  test('have 4,096 characters, which all patterns of a query share', () => {
    for (const patterns of [1, 3]) {
      const tested = condition('matches', 'end', { patterns });
      const most = Math.floor(4096 / patterns);
      expect(tested.holdsFor('end'.padStart(most))).toBe(true);
      expect(tested.cut).toBe(0);
      expect(tested.holdsFor('end'.padStart(most + 1))).toBe(false);
      expect(tested.cut).toBe(1);
    }
  });
});

describe('a comparison with a day', () => {
  const day = '2026-01-05';
  const time = '2026-01-05T10:00:00Z';

  test.each<[Operator, string]>([
    ['eq', day],
    ['ne', day],
    ['lte', day],
    ['gt', day],
    ['lte', '2026-01'],
    ['gt', '2026'],
  ])('is noted if the result depends on the time: %s %s', (op, wanted) => {
    const tested = condition(op, wanted);
    tested.holdsFor(time);
    expect(tested.meetsTimesOfDay).toBe(true);
  });

  test.each<[Operator, string, string]>([
    ['lt', day, time],
    ['gte', day, time],
    ['eq', '2026-01-05T10:00', time],
    ['eq', day, '2026-01-06T10:00:00Z'],
    ['eq', day, day],
    ['lte', day, '2026-01-04T23:00:00Z'],
    ['eq', '2026', '20260105'],
  ])('is not noted if the result is clear: %s %s and %s', (op, wanted, value) => {
    const tested = condition(op, wanted);
    tested.holdsFor(value);
    expect(tested.meetsTimesOfDay).toBe(false);
  });
});

test('a look into a record counts missing and null values', () => {
  const tested = condition('eq', 1);
  expect([{ v: 1 }, { v: null }, {}, 'text'].map((record) => tested.look(record))).toEqual([
    1,
    null,
    undefined,
    undefined,
  ]);
  expect(tested).toMatchObject({ lacking: 2, nulls: 1 });
});

test('only an object names values elsewhere', () => {
  expect(isElsewhere({ path: 'a.json', field: 'id' })).toBe(true);
  expect([undefined, null, 'a', 1, ['a']].map((value) => isElsewhere(value))).toEqual(Array(5).fill(false));
});
