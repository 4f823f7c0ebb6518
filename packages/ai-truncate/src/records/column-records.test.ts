import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordError } from '../json/json-pieces.ts';
import type { JsonList } from '../json/record-places.ts';
import { columnRecords, columnsToRead } from './column-records.ts';

const columnsNamed = (...keys: string[]): JsonList[] =>
  keys.map((key) => ({
    key,
    count: 1,
    holds: 'values',
    width: undefined,
    names: undefined,
    bytes: { start: 0, end: 1 },
  }));

/** The rows of columns whose values arrive in these batches. */
async function rowsOf(
  columns: Record<string, unknown[][]>,
): Promise<{ rows: unknown[]; batches: number[]; open: number }> {
  let open = 0;
  async function* read({ key }: JsonList) {
    open++;
    try {
      yield* columns[key] ?? [];
    } finally {
      open--;
    }
  }
  const rows: unknown[] = [];
  const batches: number[] = [];
  for await (const batch of columnRecords(columnsNamed(...Object.keys(columns)), read)) {
    rows.push(...batch);
    batches.push(batch.length);
  }
  return { rows, batches, open };
}

const numbers = (length: number) => Array.from({ length }, (_, index) => index);

describe('the rows of columns', () => {
  test('have a value of each column, in any batches', async () => {
    const cuts = fc.array(fc.nat(20), { maxLength: 4 });
    const inBatches = (values: unknown[], places: number[]) => {
      const ends = [...places, values.length].sort((a, b) => a - b);
      return ends.map((end, at) => values.slice(ends[at - 1] ?? 0, end));
    };
    await fc.assert(
      fc.asyncProperty(cuts, cuts, async (one, other) => {
        const { rows, batches } = await rowsOf({ a: inBatches(numbers(20), one), b: inBatches(numbers(20), other) });
        expect(batches).not.toContain(0);
        expect(rows).toEqual(numbers(20).map((index) => ({ a: index, b: index })));
      }),
      { numRuns: 60 },
    );
  });

  test('are at most 256 at once', async () => {
    const { batches } = await rowsOf({ a: [numbers(600)], b: [numbers(600)] });
    expect(batches).toEqual([256, 256, 88]);
  });

  test('end with the shortest column, and close the others', async () => {
    const { rows, open } = await rowsOf({ a: [[1, 2, 3]], b: [[4], [5]] });
    expect(rows).toEqual([
      { a: 1, b: 4 },
      { a: 2, b: 5 },
    ]);
    expect(open).toBe(0);
  });

  test('do not exist if a column is empty', async () => {
    expect(await rowsOf({ a: [[1]], b: [] })).toEqual({ rows: [], batches: [], open: 0 });
  });

  test('may have the name of the prototype', async () => {
    const { rows } = await rowsOf(JSON.parse('{"__proto__":[[1]],"b":[[2]]}'));
    expect(JSON.stringify(rows)).toBe('[{"__proto__":1,"b":2}]');
  });

  test('close all columns when their reader leaves', async () => {
    let closed = 0;
    async function* read() {
      try {
        for (;;) yield [1];
      } finally {
        closed++;
      }
    }
    for await (const _ of columnRecords(columnsNamed('a', 'b', 'c'), read)) break;
    expect(closed).toBe(3);
  });

  test('need the place of each column', async () => {
    const lost = columnsNamed('a', 'b').map((column) => ({ ...column, bytes: undefined }));
    const read = () => {
      throw new Error('was read');
    };
    await expect(columnRecords(lost, read).next()).rejects.toBeInstanceOf(RecordError);
  });
});

describe('the columns to read', () => {
  const many = columnsNamed(...numbers(20).map((index) => `c${index}`));
  const read = (columns: JsonList[], names?: string[]) => columnsToRead(columns, names).map(({ key }) => key);

  test('are the columns that the query names, in the order of the document', () => {
    expect(read(many, ['c7', 'c3'])).toEqual(['c3', 'c7']);
    expect(read(columnsNamed('at', 'name', 'other'), ['at.year', 'len(name)'])).toEqual(['at', 'name']);
    expect(read(columnsNamed('a', 'ab'), ['ab'])).toEqual(['ab']);
  });

  test('are 16 without names, and if a name is not a column', () => {
    expect(read(many)).toEqual(many.slice(0, 16).map(({ key }) => key));
    const withUnknown = read(many, ['c19', 'unknown']);
    expect(withUnknown).toHaveLength(16);
    expect(withUnknown.at(-1)).toBe('c19');
  });

  test('are one if the query names none, because rows are counted', () => {
    expect(read(many, [])).toEqual(['c0']);
  });

  test('are at most 16', () => {
    const names = many.map(({ key }) => key);
    expect(read(many, names.slice(0, 16))).toHaveLength(16);
    expect(() => read(many, names.slice(0, 17))).toThrow(RecordError);
  });
});
