import { describe, expect, test } from 'vitest';
import { answerOf, people, refusalOf, where } from '../../fixtures/ask-records.ts';

describe('groups', () => {
  test('are counted up to a limit, and a note reports the remaining records', async () => {
    const data = Array.from({ length: 12_000 }, (_, id) => ({ id }));
    const answer = await answerOf(data, { groupBy: ['id'] });
    expect(answer).toMatchObject({ groups: 10_000, matched: 12_000, incomplete: 'groups' });
    expect(answer.notes?.[0]).toContain('2,000 records of other groups are not in the answer');
  });

  test('are limited by the length of their names too', async () => {
    const data = Array.from({ length: 60 }, (_, id) => `{"k":"${id}${'x'.repeat(100_000)}"}`);
    const answer = await answerOf(data.join('\n'), { groupBy: ['k'] });
    expect(answer.incomplete).toBe('groups');
    expect(JSON.stringify(answer.rows).length).toBeLessThan(8000);
  });

  test('distinguish values of different types', async () => {
    const data = [{ k: 1 }, { k: '1' }, { k: true }, { k: 'true' }, { k: null }, {}, { k: '[1]' }];
    const answer = await answerOf(data, { groupBy: ['k'] });
    expect(answer.groups).toBe(7);
  });

  test('distinguish pairs of values', async () => {
    const data = [
      { a: 'x', b: 'y' },
      { a: 'x1:', b: 'y' },
      { a: 'x', b: '1:y' },
      { a: 'xt', b: 'y' },
      { a: 'x', b: 'ty' },
    ];
    expect((await answerOf(data, { groupBy: ['a', 'b'] })).groups).toBe(5);
  });

  test('find a column by an almost correct name', async () => {
    const query = {
      groupBy: ['name'],
      aggregate: [{ op: 'avg', field: 'age' }],
      sort: [{ field: 'avg_age' }],
      limit: 1,
    };
    expect((await answerOf(people, query)).rows).toEqual([{ name: 'Cleo', 'avg(age)': 5 }]);
  });

  test('without any record are one empty row', async () => {
    const answer = await answerOf(people, {
      ...where('id', 'gt', 99),
      aggregate: [{ op: 'count' }, { op: 'avg', field: 'age' }],
    });
    expect(answer.rows).toEqual([{ count: 0, 'avg(age)': null }]);
  });
});

describe('integers beyond 2^53', () => {
  const big = (digits: string[]) => `[${digits.map((id, index) => `{"id":${id},"k":"${'ab'[index % 2]}"}`).join(',')}]`;
  const data = big(['9007199254740993', '9007199254740995', '5', '9007199254740994']);
  const all = (op: string) => ({ aggregate: [{ op, field: 'id' }] });

  test('sorts groups by such an aggregate', async () => {
    const query = { groupBy: ['k'], ...all('max'), sort: [{ field: 'max(id)', direction: 'desc' }] };
    const { rows } = await answerOf(big(['9007199254740993', '9007199254740995', '7', '6']), query);
    expect(rows).toEqual([
      { k: 'b', 'max(id)': '9007199254740995' },
      { k: 'a', 'max(id)': '9007199254740993' },
    ]);
  });

  test('groups by them', async () => {
    const { rows } = await answerOf(big(['9007199254740993', '9007199254740992']), { groupBy: ['id'] });
    expect(rows.map(({ id }) => id)).toEqual(['9007199254740993', '9007199254740992']);
  });

  test.each([
    ['eq', 9007199254740992],
    ['gt', -1e20],
    ['in', [1, 9007199254740992]],
  ])('refuses an integer sent as a number: %s', async (op, value) => {
    expect((await refusalOf(data, where('id', op, value))).message).toContain('Send it as text, such as "');
  });
});

describe('columns of groups', () => {
  test('include a field that has the name of an aggregate', async () => {
    const data = [{ count: 'x' }, { count: 'x' }, { count: 'y' }];
    const query = { groupBy: ['count'], sort: [{ field: 'count_2', direction: 'asc' }] };
    const rows = [
      { count: 'y', count_2: 1 },
      { count: 'x', count_2: 2 },
    ];
    expect((await answerOf(data, query)).rows).toEqual(rows);
    expect((await answerOf(data, { groupBy: ['count'] })).rows).toEqual(rows.toReversed());
  });
});
