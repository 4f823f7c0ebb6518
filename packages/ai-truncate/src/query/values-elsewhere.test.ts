import { describe, expect, test } from 'vitest';
import { START_AGAIN } from '../records/record-text.ts';
import { QueryArgumentError } from './arguments.ts';
import type { ValuesElsewhere } from './condition.ts';
import { valuesElsewhere } from './values-elsewhere.ts';

const PATH = 'tool-output/chat-1/refunds.json';

/** Asks for the values of records that arrive in these batches. Also returns what was opened and used. */
async function ask(batches: unknown[][], asked: Partial<ValuesElsewhere> = {}) {
  const opened: unknown[] = [];
  const used: (readonly string[])[] = [];
  const values = await valuesElsewhere(
    { path: PATH, field: 'id', ...asked },
    {
      open(elsewhere) {
        opened.push(elsewhere);
        const records = ReadableStream.from(batches) as AsyncIterable<unknown[]>;
        return Object.assign(records, { use: (names: readonly string[]) => void used.push(names) });
      },
      matcher: (pattern) => (text) => text.includes(pattern),
      abortSignal: new AbortController().signal,
    },
  );
  return { values, opened, used };
}

const valuesOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).values;
const ids = (...values: unknown[]) => values.map((id) => ({ id }));

describe('the values of a field elsewhere', () => {
  test('are different, in the order of the records', async () => {
    expect(await valuesOf([ids(3, 'a', 3), ids(true, 'a', 1)])).toEqual([3, 'a', true, 1]);
  });

  test('are the items of lists, one by one', async () => {
    expect(await valuesOf([ids([1, 2], [2, 3], [])])).toEqual([1, 2, 3]);
    expect(await valuesOf([[{ items: [{ id: 1 }, { id: 2 }] }]], { field: 'items.id' })).toEqual([1, 2]);
  });

  test('are neither missing nor null nor objects', async () => {
    expect(await valuesOf([[{ id: null }, { id: { x: 1 } }, { id: [null, [1]] }, {}, 'text', { id: 5 }]])).toEqual([5]);
  });

  test('come only from records for which all conditions hold', async () => {
    const records = [
      { id: 1, state: 'done', n: 1 },
      { id: 2, state: 'new', n: 5 },
      { id: 3, state: 'done', n: 5 },
    ];
    const where: ValuesElsewhere['where'] = [
      { field: 'state', op: 'matches', value: 'don' },
      { field: 'n', op: 'gt', value: 2 },
    ];
    const { values, used } = await ask([records], { where });
    expect(values).toEqual([3]);
    expect(used).toEqual([['id', 'state', 'n']]);
  });

  test('start again if the first records came from the wrong place', async () => {
    expect(await valuesOf([ids(1, 2), START_AGAIN, ids(3)])).toEqual([3]);
    await expect(ask([ids(1, 2), START_AGAIN, [{ x: 3 }]])).rejects.toThrow('"id"');
    const many = ids(...Array.from({ length: 9000 }, (_, id) => id));
    expect(await valuesOf([many, START_AGAIN, many])).toHaveLength(9000);
    const long = ids('x'.repeat(3_000_000));
    expect(await valuesOf([long, START_AGAIN, long])).toHaveLength(1);
  });

  test('come from the place that was asked for', async () => {
    expect((await ask([ids(1)], { at: ['refunds'] })).opened).toEqual([{ path: PATH, at: ['refunds'] }]);
    expect((await ask([ids(1)])).opened).toEqual([{ path: PATH }]);
  });

  test('do not exist without any record', async () => {
    expect(await valuesOf([])).toEqual([]);
  });
});

describe('a question about values elsewhere', () => {
  test('is refused if no record has the field, with the path and a similar name', async () => {
    const asked = ask([ids(1)], { field: 'ID' });
    await expect(asked).rejects.toThrow(QueryArgumentError);
    await expect(asked).rejects.toThrow(/^tool-output\/chat-1\/refunds\.json: .*Did you mean "id"\?/);
  });

  test('is refused if no record has the field of a condition', async () => {
    const where: ValuesElsewhere['where'] = [{ field: 'stat', op: 'eq', value: 'x' }];
    await expect(ask([[{ id: 1, state: 'x' }]], { where })).rejects.toThrow('"stat"');
  });

  test('is refused at the first record with too many values, and reads no further', async () => {
    let read = 0;
    const endless = (async function* () {
      for (;;) yield ids(...Array.from({ length: 500 }, () => read++));
    })();
    const options = { matcher: () => () => true, abortSignal: new AbortController().signal };
    const asked = valuesElsewhere({ path: PATH, field: 'id' }, { ...options, open: () => endless });
    await expect(asked).rejects.toThrow('has more than 10,000 values');
    expect(read).toBeLessThanOrEqual(11_000);
  });

  test('ends with the reason of its signal', async () => {
    const abortSignal = AbortSignal.abort(new Error('left'));
    const open = () => ReadableStream.from([ids(1)]) as AsyncIterable<unknown[]>;
    const asked = valuesElsewhere({ path: PATH, field: 'id' }, { open, matcher: () => () => true, abortSignal });
    await expect(asked).rejects.toThrow('left');
  });
});
