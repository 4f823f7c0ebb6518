import { describe, expect, test } from 'vitest';
import { callReader, type ReaderAnswer } from '../../fixtures/call-reader.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';

const store = memoryStore();
const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
const saved = async (content: string, from = artifacts): Promise<string> =>
  (await from.save(content, { toolName: 'fetch', toolCallId: 'call-1' })).path;

const orders = Array.from({ length: 40 }, (_, index) => ({
  id: index + 1,
  status: ['open', 'paid', 'Paid late'][index % 3],
  total: (index * 37) % 100,
  placed: `2025-0${1 + (index % 6)}-1${index % 10}T08:00:00Z`,
  items: Array.from({ length: index % 4 }, (__, at) => ({ name: `item ${at}`, price: at + 1 })),
  ...(index % 5 !== 0 && { coupon: index % 7 === 0 ? null : 'TEN' }),
}));
const path = await saved(JSON.stringify({ orders, customers: [{ email: 'a@example.com', city: 'Bern' }] }));

const ask = (input: object): Promise<ReaderAnswer> =>
  callReader(artifacts, 'queryArtifact', { path, at: ['orders'], ...input });
const countOf = async (input: object): Promise<number> => {
  const { output, text } = await ask(input);
  if (output.status === 'error') throw new Error(text);
  return output.stats?.total_matched as number;
};
const count = (holds: (order: (typeof orders)[number]) => boolean): number => orders.filter(holds).length;

describe('the notation of another language is understood', () => {
  test.each([
    ['=', 'open', count(({ status }) => status === 'open')],
    ['==', 'open', count(({ status }) => status === 'open')],
    ['!=', 'open', count(({ status }) => status !== 'open')],
    ['<>', 'open', count(({ status }) => status !== 'open')],
    ['LIKE', 'Paid%', count(({ status }) => status?.startsWith('Paid') === true)],
    ['like', '%late', count(({ status }) => status?.endsWith('late') === true)],
    ['LIKE', '%aid%', count(({ status }) => status?.includes('aid') === true)],
    ['ILIKE', 'PAID%', count(({ status }) => status?.toLowerCase().startsWith('paid') === true)],
    ['STARTSWITH', 'Paid', count(({ status }) => status?.startsWith('Paid') === true)],
    ['IN', 'open', count(({ status }) => status === 'open')],
    ['IS NOT NULL', undefined, 40],
  ])('status %s %j', async (op, value, expected) => {
    expect(await countOf({ where: [{ field: 'status', op, value }] })).toBe(expected);
  });

  test.each([
    ['items[].name', 'item 2'],
    ['items[*].name', 'item 2'],
    ['$.items[2].name', 'item 2'],
    ['items[2].name', 'item 2'],
    ['items["name"]', 'item 2'],
  ])('the field %s', async (field, value) => {
    expect(await countOf({ where: [{ field, op: 'eq', value }] })).toBe(count(({ items }) => items.length > 2));
  });

  test.each(['len(items)', 'length(items)', 'size( items )', 'items.length'])('the length %s', async (field) => {
    expect(await countOf({ where: [{ field, op: '>=', value: 3 }] })).toBe(count(({ items }) => items.length >= 3));
  });

  test.each(['year(placed)', 'YEAR(placed)', 'placed.year'])('the year %s', async (field) => {
    expect(await countOf({ where: [{ field, op: 'eq', value: 2025 }] })).toBe(40);
  });

  test.each([
    [['COUNT(*)'], { count: 40 }],
    [{ op: 'COUNT(*)' }, { count: 40 }],
    [{ op: 'count', field: '*' }, { count: 40 }],
    [{ op: 'AVG(id)' }, { 'avg(id)': 20.5 }],
    [{ op: 'mean', field: 'id' }, { 'avg(id)': 20.5 }],
    [{ op: 'COUNT(DISTINCT status)' }, { 'distinct(status)': 3 }],
    [{ op: 'nunique', field: 'status' }, { 'distinct(status)': 3 }],
    [{ op: 'MEDIAN', field: 'id' }, { 'median(id)': 20.5 }],
  ])('the aggregate %j', async (aggregate, row) => {
    expect((await ask({ aggregate })).data.rows).toEqual([row]);
  });

  test.each(['-id', 'id desc', { field: 'id', direction: 'DESC' }])('the order %j', async (sort) => {
    expect((await ask({ sort, select: ['id'], limit: 1 })).data.rows).toEqual([{ id: 40 }]);
  });

  test.each([['$.orders'], ['orders[]'], ['/orders'], [['$', 'orders']], [['orders', '*']]])(
    'the place %j',
    async (at) => {
      expect(await countOf({ at })).toBe(40);
    },
  );

  test('a column that is called like a function is itself', async () => {
    const table = await saved('city,COUNT(*),len(name)\nBern,7,4\nRome,5,4\n');
    const { data } = await callReader(artifacts, 'queryArtifact', { path: table, select: ['COUNT(*)', 'len(name)'] });
    expect(data.rows).toEqual([
      { 'COUNT(*)': 7, 'len(name)': 4 },
      { 'COUNT(*)': 5, 'len(name)': 4 },
    ]);
  });
});

describe('an error names the next call', () => {
  test.each([
    ['records at several places', { at: undefined }, '["orders"] (40), ["customers"] (1). Name one with `at`.'],
    ['a place that does not exist', { at: ['order'] }, 'Records are at: ["orders"] (40), ["customers"] (1).'],
    [
      'a list that records do not have',
      { at: ['orders', 'lines'] },
      'There is no list of records at ["orders","lines"]',
    ],
    ['a function in `select`', { select: ['SUM(total)'] }, 'use `aggregate`: [{"op":"sum","field":"total"}]'],
    ['a pattern of LIKE', { where: [{ field: 'status', op: 'LIKE', value: 'P_id%' }] }, 'The operators are eq, ne'],
    [
      'a range',
      { where: [{ field: 'total', op: 'BETWEEN', value: [1, 5] }] },
      'The operators are eq, ne, lt, lte, gt, gte',
    ],
    [
      'a part that values do not have',
      { select: ['status.year'] },
      'The values of "status" have no .year, such as "open"',
    ],
    ['a field of another list', { select: ['city'] }, 'Other records, for `at`: ["customers"] (1).'],
    ['a name that is nearly right', { select: ['items.nam'] }, 'Did you mean "items.name"?'],
  ])('for %s', async (_, input, words) => {
    const { code, text } = await ask(input);
    expect(code).toBe('INVALID_PARAM');
    expect(text).toContain(words);
  });

  test('no suggestion names a field of another list', async () => {
    const { text } = await ask({ select: ['items.status'] });
    expect(text).toContain('No record has the field "items.status".');
    expect(text).not.toContain('Did you mean');
  });
});

describe('an answer says what it is about', () => {
  test('its place, its share and the records that lack a field', async () => {
    const { text } = await ask({ where: [{ field: 'coupon', op: 'eq', value: 'TEN' }] });
    const matched = count(({ coupon }) => coupon === 'TEN');
    expect(text).toContain(`${matched} of 40 records of \`orders\` match (${(matched / 40) * 100} %)`);
    expect(text).toContain('8 of 40 records lack "coupon" and did not match; in 4 it is null.');
  });

  test.each([
    ['ne', 'TEN', '8 of 40 records lack "coupon" and do not count as different; in 4 it is null.', 4],
    ['eq', null, '8 of 40 records lack "coupon". To find them, use exists with value false instead of null.', 4],
    ['exists', false, '(20 %)', 8],
  ])('for %s %j', async (op, value, words, matched) => {
    const { text, output } = await ask({ where: [{ field: 'coupon', op, value }] });
    expect(text).toContain(words);
    expect(output.stats?.total_matched).toBe(matched);
  });

  test('the group of records without the field has a name', async () => {
    const { data, text } = await ask({ groupBy: ['coupon'] });
    expect(data.rows).toContainEqual({ coupon: '(missing)', count: 8 });
    expect(text).toContain('8 records without "coupon" are in the group "(missing)".');
  });

  test.each([
    ['lte', '2025-04', 'A month means its first moment'],
    ['gt', '2025-04', 'A month means its first moment'],
    ['lte', '2025', 'A year means its first moment'],
    ['lte', '2025-03-12', 'A day means its first moment'],
  ])('a date without a time means its first moment: %s %s', async (op, value, words) => {
    expect((await ask({ where: [{ field: 'placed', op, value }] })).text).toContain(words);
  });

  test('a text within a list of objects is found', async () => {
    const expected = count(({ items }) => items.length > 2);
    expect(await countOf({ where: [{ field: 'items', op: 'contains', value: 'item 2' }] })).toBe(expected);
  });

  test('two conditions on one list may hold for two items', async () => {
    const where = [
      { field: 'items.name', op: 'eq', value: 'item 0' },
      { field: 'items.price', op: 'eq', value: 2 },
    ];
    expect((await ask({ where })).text).toContain('To test item by item, name the list in `at`.');
    const asked = where.map((each) => ({ ...each, field: each.field.replace('items.', '') }));
    expect(await countOf({ at: ['orders', 'items'], where: asked })).toBe(0);
  });
});

describe('the values of another output', () => {
  const others = JSON.stringify({
    refunds: [
      { order: 3, state: 'done' },
      { order: 9, state: 'done' },
      { order: 12, state: 'new' },
    ],
  });
  const done = [{ field: 'state', op: 'eq', value: 'done' }];

  test('can be compared with `in`', async () => {
    const value = { path: await saved(others), field: 'order', where: done };
    const { data } = await ask({ where: [{ field: 'id', op: 'in', value }], select: ['id'] });
    expect(data.rows).toEqual([{ id: 3 }, { id: 9 }]);
  });

  test('are never found in another scope', async () => {
    const foreign = await saved(others, scopedArtifacts(store, { scope: 'chat-2' }));
    const { code } = await ask({ where: [{ field: 'id', op: 'in', value: { path: foreign, field: 'order' } }] });
    expect(code).toBe('NOT_FOUND');
  });

  test('are at most 10,000', async () => {
    const lines = (length: number) => Array.from({ length }, (_, n) => `{"n":${n}}`).join('\n');
    const value = async (length: number) => ({ path: await saved(lines(length)), field: 'n' });
    expect(await countOf({ where: [{ field: 'id', op: 'in', value: await value(10_000) }] })).toBe(40);
    const { code, text } = await ask({ where: [{ field: 'id', op: 'in', value: await value(10_001) }] });
    expect(code).toBe('INVALID_PARAM');
    expect(text).toContain('has more than 10,000 values to compare with');
  });

  test('have at most 4,000,000 characters', async () => {
    const lines = Array.from({ length: 41 }, (_, n) => JSON.stringify({ n: String(n).padEnd(100_000, '.') }));
    const value = { path: await saved(lines.join('\n')), field: 'n' };
    const { text } = await ask({ where: [{ field: 'id', op: 'in', value }] });
    expect(text).toContain('has more than 4,000,000 characters of values to compare with');
  });

  test('are refused for a field that the other output does not have', async () => {
    const value = { path: await saved(others), field: 'Order' };
    expect((await ask({ where: [{ field: 'id', op: 'in', value }] })).text).toContain('Did you mean "order"?');
  });
});
