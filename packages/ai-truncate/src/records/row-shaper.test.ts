import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outerRecords, type RowShape, RowShaper } from './row-shaper.ts';

function batchesOf(batches: readonly unknown[][], shape: RowShape = {}) {
  const shaper = new RowShaper(shape);
  const shaped: unknown[][] = [];
  for (const batch of batches) shaped.push(...shaper.push([...batch]));
  shaped.push(...shaper.finish());
  return { shaper, batches: shaped, rows: shaped.flat() };
}

const rowsOf = (rows: readonly unknown[], shape?: RowShape) => batchesOf([[...rows]], shape).rows;

describe('rows that are lists', () => {
  test('get the names of a first row of names', () => {
    const { rows, shaper } = batchesOf([
      [
        ['id', 'name'],
        [1, 'Ada'],
        [2, 'Bob'],
      ],
    ]);
    expect(rows).toEqual([
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bob' },
    ]);
    expect(shaper.hasHeaderRow).toBe(true);
  });

  test.each<[string, unknown[][]]>([
    ['has only one name', [['id'], [1]]],
    [
      'has no number, date or boolean after it',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'has another length than the next',
      [
        ['a', 'b'],
        [1, 2, 3],
      ],
    ],
    [
      'has a name twice',
      [
        ['a', 'a'],
        [1, 2],
      ],
    ],
    [
      'has an empty name',
      [
        ['a', ''],
        [1, 2],
      ],
    ],
    [
      'has a number',
      [
        ['a', '7'],
        [1, 2],
      ],
    ],
    [
      'has a date',
      [
        ['a', '2026-01-05'],
        [1, 2],
      ],
    ],
    ['is the only row', [['a', 'b']]],
  ])('stay lists if the first %s', (_, rows) => {
    const { rows: shaped, shaper } = batchesOf([rows]);
    expect(shaped).toEqual(rows);
    expect(shaper.hasHeaderRow).toBe(false);
  });

  test.each([1, true, '2026-01-05', '7'])('have a first row of names if the second has %j', (value) => {
    expect(
      rowsOf([
        ['a', 'b'],
        ['x', value],
      ]),
    ).toEqual([{ a: 'x', b: value }]);
  });

  test('get names from a separate list, and numbers beyond it', () => {
    expect(rowsOf([[1, 2, 3], [4], 'x', { y: 1 }], { names: ['a', '__proto__'] })).toEqual([
      JSON.parse('{"a":1,"__proto__":2,"column_3":3}'),
      { a: 4 },
      'x',
      { y: 1 },
    ]);
  });

  test('have the same names in any batches', () => {
    const rows = [['id', 'n'], [1, 2], [3, 4], 'text', [5, 6]];
    fc.assert(
      fc.property(fc.array(fc.nat(rows.length), { maxLength: 5 }), (cuts) => {
        const ends = [...cuts, rows.length].sort((a, b) => a - b);
        const batches = ends.map((end, at) => rows.slice(ends[at - 1] ?? 0, end));
        const { rows: shaped, shaper } = batchesOf(batches.filter(({ length }) => length > 0));
        expect(shaped).toEqual([{ id: 1, n: 2 }, { id: 3, n: 4 }, 'text', { id: 5, n: 6 }]);
        expect(shaper.count).toBe(rows.length);
      }),
      { numRuns: 50 },
    );
  });
});

describe('lists inside records', () => {
  const orders = [
    { id: 1, items: [{ x: 1 }, { x: 2 }] },
    { id: 2 },
    { id: 3, items: [] },
    { id: 4, items: [{ x: 3 }] },
  ];

  test('are replaced by their items, which know their record', () => {
    const rows = rowsOf(orders, { rest: ['items'] });
    expect(rows).toEqual([{ x: 1 }, { x: 2 }, { x: 3 }]);
    expect(rows.map((row) => outerRecords.get(row as object))).toEqual([orders[0], orders[0], orders[3]]);
  });

  test('may lead to further lists, whose items know the item around them', () => {
    const inner = { id: 7, parts: [{ p: 1 }, { p: 2 }] };
    const rows = rowsOf([{ items: [inner, { id: 8 }] }], { rest: ['items', 'parts'] });
    expect(rows).toEqual([{ p: 1 }, { p: 2 }]);
    expect(rows.map((row) => outerRecords.get(row as object))).toEqual([inner, inner]);
  });

  test('may hold plain values, lists of lists, or be one value', () => {
    expect(rowsOf([{ v: [1, 'a', null] }], { rest: ['v'] })).toEqual([{ value: 1 }, { value: 'a' }, { value: null }]);
    expect(rowsOf([{ v: [[1, 2]] }], { rest: ['v'] })).toEqual([[1, 2]]);
    expect(rowsOf([{ v: { x: 1 } }, { v: 5 }, { v: null }], { rest: ['v'] })).toEqual([{ x: 1 }, { value: 5 }]);
  });

  test('are never inherited', () => {
    expect(rowsOf([{}, [], 'text'], { rest: ['constructor'] })).toEqual([]);
  });

  test.each<[string, unknown[], boolean]>([
    ['no record has them', [{ id: 1 }, { items: null }], true],
    ['one record has an empty one', [{ id: 1 }, { items: [] }], false],
    ['one record has a plain value', [{ id: 1 }, { items: 5 }], false],
    ['there are no records', [], false],
  ])('are missing only if records lack them: %s', (_, records, lacks) => {
    expect(batchesOf([records], { rest: ['items'] }).shaper.lacksRest).toBe(lacks);
  });

  test('yield at most 500 rows at once, all of them in order', () => {
    const items = Array.from({ length: 2600 }, (_, x) => ({ x }));
    const records = [{ items: items.slice(0, 1300) }, { items: items.slice(1300, 1400) }, { items: items.slice(1400) }];
    const { batches, rows } = batchesOf([records], { rest: ['items'] });
    expect(Math.max(...batches.map(({ length }) => length))).toBe(500);
    expect(rows).toEqual(items);
  });
});

test('records are not changed without names and lists', () => {
  const records = [{ a: [1] }, 'text', null, 3];
  expect(rowsOf(records)).toEqual(records);
  expect(batchesOf([[]]).batches).toEqual([]);
});
