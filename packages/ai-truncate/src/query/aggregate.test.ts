import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf } from '../../fixtures/ask-records.ts';
import {
  type Accumulator,
  AggregateRoom,
  accumulatorOf,
  addRecord,
  type GroupAggregate,
  valueKey,
} from './aggregate.ts';
import type { QueryAggregate } from './arguments.ts';
import { MAX_ITEMS } from './condition.ts';
import { fieldReader } from './fields.ts';
import { ColumnOrder } from './sorting.ts';

function aggregateOf(op: QueryAggregate['op'], field = 'v'): GroupAggregate {
  const counts = { used: 0, lacking: 0, nulls: 0, skipped: 0, isOfLists: false, cutLists: 0, isEstimated: false };
  return { op, field, name: `${op}(${field})`, read: fieldReader(field), order: new ColumnOrder(field), ...counts };
}

/** The aggregate of some values, and its statistics. */
function aggregated(op: QueryAggregate['op'], values: readonly unknown[]) {
  const aggregate = aggregateOf(op);
  const accumulator = accumulatorOf(aggregate, new AggregateRoom());
  for (const v of values) addRecord(accumulator, { record: v === undefined ? {} : { v }, aggregate });
  return { result: accumulator.result(), aggregate };
}

const resultOf = (...asked: Parameters<typeof aggregated>) => aggregated(...asked).result;

describe('an aggregate', () => {
  test('is exact for integers, in any order', () => {
    const integers = fc.array(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 3 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(integers, (values) => {
        const sum = values.reduce((total, value) => total + BigInt(value), 0n);
        expect(BigInt(resultOf('sum', values) as number | bigint)).toBe(sum);
        expect(resultOf('avg', values)).toBe(Number(sum) / values.length);
        expect(resultOf('min', values)).toBe(Math.min(...values));
        expect(resultOf('max', values)).toBe(Math.max(...values));
        expect(resultOf('count', values)).toBe(values.length);
        expect(resultOf('distinct', values)).toBe(new Set(values).size);
        const [one, other] = values.toSorted((a, b) => a - b).slice((values.length - 1) >> 1) as [number, number];
        if (values.length % 2 === 1) expect(resultOf('median', values)).toBe(one);
        else if (one === other) expect(resultOf('median', values)).toBe(one);
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    ['count', 0],
    ['distinct', 0],
    ['sum', null],
    ['avg', null],
    ['median', null],
    ['min', null],
    ['max', null],
  ] as const)('has a result without any value: %s is %s', (op, expected) => {
    expect(resultOf(op, [])).toBe(expected);
    expect(aggregated(op, [undefined, null])).toMatchObject({
      result: expected,
      aggregate: { lacking: 1, nulls: 1, used: 0, skipped: 0 },
    });
  });

  test.each(['sum', 'avg', 'median'] as const)('%s needs numbers, and counts other values', (op) => {
    const { result, aggregate } = aggregated(op, ['4', 'Ada', 4, true, '007']);
    expect(result).toBe(op === 'sum' ? 8 : 4);
    expect(aggregate).toMatchObject({ used: 2, skipped: 3, skippedExample: 'Ada' });
  });

  test('counts a list once, and otherwise its items', () => {
    const lists = [[1, 2, 5], [3, null], [], 4];
    expect(resultOf('count', lists)).toBe(4);
    expect(aggregated('sum', lists)).toMatchObject({ result: 15, aggregate: { isOfLists: true } });
    expect(aggregated('sum', [4])).toMatchObject({ result: 4, aggregate: { isOfLists: false } });
  });

  test('reads the first 20,000 items of a list', () => {
    const items = new Array<number>(MAX_ITEMS).fill(1);
    expect(aggregated('sum', [items])).toMatchObject({ result: MAX_ITEMS, aggregate: { cutLists: 0 } });
    expect(aggregated('sum', [[...items, 1]])).toMatchObject({ result: MAX_ITEMS, aggregate: { cutLists: 1 } });
  });

  test('adds decimals without errors that add up', () => {
    expect(resultOf('sum', new Array<number>(1000).fill(0.1))).toBe(100);
    expect(resultOf('avg', new Array<number>(10).fill(0.1))).toBe(0.1);
    expect(resultOf('sum', [9007199254740993n, 0.5, -9007199254740992n])).toBe(1.5);
  });
});

describe('the largest and the smallest value', () => {
  test('are numbers if there are numbers, and otherwise dates, and otherwise texts', () => {
    const values = ['b', 'a', '2026-01-05', '2026-01-06', 3, '10'];
    for (let from = 0; from < values.length; from++) {
      const turned = [...values.slice(from), ...values.slice(0, from)];
      expect([resultOf('min', turned), resultOf('max', turned)]).toEqual([3, '10']);
    }
    expect([resultOf('min', values.slice(0, 4)), resultOf('max', values.slice(0, 4))]).toEqual([
      '2026-01-05',
      '2026-01-06',
    ]);
    expect([resultOf('min', values.slice(0, 2)), resultOf('max', values.slice(0, 2))]).toEqual(['a', 'b']);
  });

  test('count the values of other types, whichever comes first', () => {
    for (const values of [
      ['a', 'b', 7, true, 8],
      [7, 'a', true, 8, 'b'],
      [true, 7, 8, 'b', 'a'],
    ]) {
      expect(aggregated('max', values)).toMatchObject({ result: 8, aggregate: { used: 2, skipped: 3 } });
    }
  });

  test('are the first of equal values', () => {
    expect([resultOf('min', ['1', 1]), resultOf('max', [1, '1'])]).toEqual(['1', 1]);
  });

  test('are found by the first 200 characters of a text, and shown with these', () => {
    const long = `b${'x'.repeat(1_000_000)}`;
    const shown = resultOf('max', ['a', long]) as string;
    expect(shown.length).toBeLessThan(300);
    expect(shown).toMatch(/^bx{100}/);
  });
});

describe('different values', () => {
  test('are counted up to 100,000, and the answer says so', async () => {
    const data = Array.from({ length: 100_010 }, (_, id) => `{"id":${id}}`).join('\n');
    const answer = await answerOf(data, { aggregate: [{ op: 'distinct', field: 'id' }] });
    expect(answer).toMatchObject({ rows: [{ 'distinct(id)': 100_000 }], incomplete: 'distinct' });
  });

  test('share their memory among all groups', () => {
    const room = new AggregateRoom();
    const [one, other] = [1, 2].map(() => accumulatorOf(aggregateOf('distinct'), room)) as [Accumulator, Accumulator];
    room.values = 3;
    for (const value of ['a', 'b', 'a']) one.add(value);
    other.add('a');
    expect(room.isFull).toBe(false);
    other.add('a');
    expect(room.isFull).toBe(false);
    other.add('c');
    expect([one.result(), other.result(), room.isFull]).toEqual([2, 1, true]);
  });

  test('have at most 4,000,000 characters', () => {
    const room = new AggregateRoom();
    const accumulator = accumulatorOf(aggregateOf('distinct'), room);
    accumulator.add('x'.repeat(3_999_999));
    expect([accumulator.result(), room.isFull]).toEqual([1, false]);
    accumulator.add('y');
    expect([accumulator.result(), room.isFull]).toEqual([1, true]);
  });

  test('differ if their JSON or their type differs', () => {
    const values = [
      undefined,
      null,
      'null',
      1,
      '1',
      1n,
      true,
      'true',
      '',
      '"',
      [1],
      ['1'],
      [1n],
      [[1]],
      { a: 1 },
      '{"a":1}',
    ];
    const keys = values.map(valueKey);
    // An integer beyond 2^53 is a `bigint`. No smaller one is, so 1n is the same as 1.
    expect(new Set(keys).size).toBe(values.length - 1);
    expect(valueKey({ a: [1n] })).toBe(valueKey({ a: [1n] }));
  });
});

const all = (op: string) => ({ aggregate: [{ op, field: 'id' }] });

describe('integers beyond 2^53 and sums that are not finite', () => {
  const digits = ['9007199254740993', '9007199254740995', '5', '9007199254740994'];

  test.each([
    ['max', '9007199254740995'],
    ['min', 5],
    ['sum', '27021597764222987'],
  ])('%s is exact and fits into JSON', async (op, expected) => {
    const { rows } = await answerOf(`[${digits.map((id) => `{"id":${id}}`).join(',')}]`, all(op));
    expect(rows).toEqual([{ [`${op}(id)`]: expected }]);
    const csv = `id,k\n${digits.join(',x\n')},x\n`;
    expect((await answerOf(csv, all(op))).rows).toEqual(rows);
  });

  test('a sum stays exact if it exceeds 2^53 in between', async () => {
    const limit = Number.MAX_SAFE_INTEGER;
    const sum = async (ids: unknown[]) =>
      (
        await answerOf(
          ids.map((id) => ({ id })),
          all('sum'),
        )
      ).rows[0]?.['sum(id)'];
    expect(await sum([limit, limit, 1])).toBe('18014398509481983');
    expect(await sum([limit, limit, -limit])).toBe(limit);
    expect(await sum([limit, limit, 0.5])).toBeTypeOf('number');
  });

  test.each([
    ['of 30 digits', 10n ** 29n + 1n, 10_000],
    ['of 45 digits', 10n ** 44n + 3n, 100],
    ['with rounding errors that add up', 10n ** 26n + 12_345_678_901n, 9_999],
  ])('sums many integers exactly: %s', async (_, id, count) => {
    const { rows } = await answerOf(`[${Array.from({ length: count }, () => `{"id":${id}}`).join(',')}]`, all('sum'));
    expect(rows).toEqual([{ 'sum(id)': String(id * BigInt(count)) }]);
  });

  test('averages integers that nearly cancel out', async () => {
    const { rows } = await answerOf('[{"id":9007199254740993},{"id":-9007199254740991}]', all('avg'));
    expect(rows).toEqual([{ 'avg(id)': 1 }]);
  });

  test('reports a sum that is too large', async () => {
    expect((await answerOf([{ id: 1e308 }, { id: 1e308 }], all('sum'))).rows).toEqual([{ 'sum(id)': 'Infinity' }]);
  });
});

test('sums add small numbers without losing them', async () => {
  const data = [1e16, 1, -1e16, ...Array.from({ length: 10 }, () => 0.1)].map((v) => ({ v }));
  expect((await answerOf(data, { aggregate: [{ op: 'sum', field: 'v' }] })).rows).toEqual([{ 'sum(v)': 2 }]);
});
