import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANSWER_CHARS, MAX_SORTED_ROWS } from '../reader-limits.ts';
import { checkQuery, type RecordQuery } from './arguments.ts';
import { QueryRun } from './run.ts';

function runOf(query: RecordQuery, { maxChars = ANSWER_CHARS } = {}): QueryRun {
  const matcher = (pattern: string) => (text: string) => text.includes(pattern);
  return new QueryRun(checkQuery({ ...query }), { maxChars, matcher });
}

function answer(records: readonly unknown[], query: RecordQuery) {
  const run = runOf(query);
  for (const record of records) run.add(record);
  return { ...run.answer(), run };
}

const rowsOf = (...asked: Parameters<typeof answer>) => answer(...asked).rows;

describe('the rows of a query', () => {
  test('are the rows of filter, sort and slice, with the offset of the next rows', () => {
    const record = fc.record({ id: fc.nat(5), n: fc.nat(3) });
    const page = fc.record({ offset: fc.nat(6), limit: fc.integer({ min: 1, max: 6 }) });
    const order = fc.constantFrom('none' as const, 'asc' as const, 'desc' as const);
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 15 }),
        page,
        order,
        fc.nat(3),
        (records, { offset, limit }, by, most) => {
          const where: RecordQuery['where'] = [{ field: 'n', op: 'lte', value: most }];
          const sort: RecordQuery['sort'] = by === 'none' ? [] : [{ field: 'id', direction: by }];
          const matching = records.filter(({ n }) => n <= most);
          const sign = by === 'none' ? 0 : by === 'asc' ? 1 : -1;
          const sorted = matching.toSorted((one, other) => sign * (one.id - other.id));
          const { rows, next, run } = answer(records, { where, sort, offset, limit });
          expect(rows).toEqual(sorted.slice(offset, offset + limit));
          expect([run.matched, run.scanned]).toEqual([matching.length, records.length]);
          expect(next?.offset).toBe(offset + limit < matching.length ? offset + limit : undefined);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('have the selected fields that a record has', () => {
    const records = [{ a: { b: 1 }, c: 2 }, { c: null }, { d: 1 }];
    expect(rowsOf(records, { select: ['a.b', 'c'] })).toEqual([{ 'a.b': 1, c: 2 }, { c: null }, {}]);
  });

  test('are whole records without a selection, in any form', () => {
    expect(rowsOf([{ a: [1] }, ['x', 2], 'text', null], {})).toEqual([
      { a: [1] },
      { 0: 'x', 1: 2 },
      { value: 'text' },
      { value: null },
    ]);
  });

  test('may have a field with the name of the prototype', () => {
    const [row] = rowsOf([JSON.parse('{"__proto__":1}')], { select: ['__proto__'] });
    expect(Object.entries(row ?? {})).toEqual([['__proto__', 1]]);
  });

  test('are sorted by the first value of a list', () => {
    const records = [
      { id: 1, v: [3, 0] },
      { id: 2, v: [1] },
      { id: 3, v: 2 },
    ];
    expect(rowsOf(records, { sort: [{ field: 'items.v' }, { field: 'v' }], select: ['id'] })).toHaveLength(3);
    const inItems = records.map(({ id, v }) => ({ id, items: [v].flat().map((x) => ({ x })) }));
    expect(rowsOf(inItems, { sort: [{ field: 'items.x' }], select: ['id'] })).toEqual([
      { id: 2 },
      { id: 3 },
      { id: 1 },
    ]);
  });

  test('with equal keys stay in the order of the records', () => {
    const records = Array.from({ length: 100 }, (_, id) => ({ id, n: id % 2 }));
    const expected = records.filter(({ n }) => n === 0).slice(0, 20);
    expect(rowsOf(records, { sort: [{ field: 'n' }] })).toEqual(expected);
  });
});

describe('the groups of a query', () => {
  const records = [{ k: 'a', n: 1 }, { k: 'b', n: 2 }, { k: 'a', n: 3 }, { n: 4 }];

  test('are counted, the largest first, with a name for missing fields', () => {
    expect(rowsOf(records, { groupBy: ['k'] })).toEqual([
      { k: 'a', count: 2 },
      { k: 'b', count: 1 },
      { k: '(missing)', count: 1 },
    ]);
  });

  test('are sorted and selected by their own columns', () => {
    const query: RecordQuery = {
      groupBy: ['k'],
      aggregate: [{ op: 'sum', field: 'n' }],
      sort: [{ field: 'k', direction: 'desc' }],
      select: ['sum(n)'],
    };
    expect(rowsOf(records, query)).toContainEqual({ 'sum(n)': 4 });
    expect(rowsOf(records, { ...query, limit: 1 })).toHaveLength(1);
  });

  test('count only the records for which all conditions hold', () => {
    const where: RecordQuery['where'] = [{ field: 'n', op: 'gt', value: 1 }];
    expect(rowsOf(records, { where, aggregate: [{ op: 'count' }] })).toEqual([{ count: 3 }]);
  });

  test('have only the items of a list for which all conditions hold', () => {
    const items = [
      { k: 'a', n: 1 },
      { k: 'b', n: 2 },
    ];
    const where: RecordQuery['where'] = [{ field: 'items.n', op: 'gt', value: 1 }];
    expect(rowsOf([{ items }], { where, groupBy: ['items.k'] })).toEqual([{ 'items.k': 'b', count: 1 }]);
  });
});

describe('the statistics of a query', () => {
  test('name the fields that no record has', () => {
    const query: RecordQuery = {
      select: ['a'],
      where: [{ field: 'b', op: 'exists', value: true }],
      sort: [{ field: 'c' }],
    };
    const { run } = answer([{ a: 1 }, { c: null }], query);
    expect(run.unseen.map(({ name }) => name)).toEqual(['b']);
    expect(answer([{ a: 1 }], { select: ['a'] }).run.unseen).toEqual([]);
    expect(run.names?.toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('do not name fields if rows have all', () => {
    expect(answer([{ a: 1 }], { where: [{ field: 'a', op: 'eq', value: 1 }] }).run.names).toBeUndefined();
  });

  test('count for each condition the records that lack its field, even if another condition does not hold', () => {
    const where: RecordQuery['where'] = [
      { field: 'a', op: 'eq', value: 1 },
      { field: 'b', op: 'eq', value: 1 },
    ];
    const { run } = answer([{ a: 1 }, { a: 2 }, { b: 1 }], { where });
    expect(run.conditions.map(({ lacking }) => lacking)).toEqual([1, 2]);
  });

  test('count the matching records without a field that sorts them', () => {
    const { run } = answer([{ a: 1 }, {}, { a: null }, {}], { sort: [{ field: 'a' }] });
    expect(run.unsorted).toEqual([2]);
  });

  test('say that a step may be long if the query searches in texts', () => {
    const ops = ['matches', 'contains', 'eq', 'startsWith'] as const;
    const runs = ops.map((op) => runOf({ where: [{ field: 'a', op, value: 'x' }] }));
    expect(runs.map(({ hasLongSteps }) => hasLongSteps)).toEqual([true, true, false, false]);
  });
});

describe('an answer is incomplete', () => {
  test('if there are more sorted rows than can be reached', () => {
    const records = Array.from({ length: MAX_SORTED_ROWS + 1 }, (_, id) => ({ id }));
    const last = { sort: [{ field: 'id' }], offset: MAX_SORTED_ROWS - 5, limit: 20 };
    const { rows, next, run } = answer(records, last);
    expect(rows.map(({ id }) => id)).toEqual([1995, 1996, 1997, 1998, 1999]);
    expect([next, run.incomplete]).toEqual([undefined, 'sorted']);
    expect(answer(records.slice(1), last).run.incomplete).toBeUndefined();
  });

  test('if a list was not tested to its end', () => {
    const list = new Array<number>(20_001).fill(0);
    expect(answer([{ list }], { where: [{ field: 'list', op: 'eq', value: 1 }] }).run.incomplete).toBe('lists');
    expect(answer([{ list }], { aggregate: [{ op: 'sum', field: 'list' }] }).run.incomplete).toBe('lists');
    expect(answer([{ list: [1] }], { aggregate: [{ op: 'sum', field: 'list' }] }).run.incomplete).toBeUndefined();
  });
});

test('a row takes its share of the answer, for any record', () => {
  const record = {
    text: 'x'.repeat(1_000_000),
    list: new Array<number>(100_000).fill(1),
    more: { deep: 'y'.repeat(9000) },
  };
  for (const sort of [[], [{ field: 'text' }]]) {
    const { rows } = answer([record], { sort });
    expect(JSON.stringify(rows).length).toBeLessThan(ANSWER_CHARS);
    expect(Object.keys(rows[0] ?? {})).toContain('text');
  }
});
