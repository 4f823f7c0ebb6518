import { describe, expect, test } from 'vitest';
import { answerOf, people, refusalOf, where } from '../../fixtures/ask-records.ts';
import { onePerItem, withMembers } from './fields.ts';

describe('names of fields', () => {
  test.each([
    ['a key with a dot', 'a.b', { 'a.b': 1, a: { b: 2 } }, 1],
    ['a path', 'a.b', { a: { b: 2 } }, 2],
    ['a key with a dot below a path', 'x.a.b', { x: { 'a.b': 3 } }, 3],
    ['a path below a key with a dot', 'x.a.b', { 'x.a': { b: 4 }, x: { other: 1 } }, 4],
    ['a place in a list', 'a.1.b', { a: [0, { b: 5 }] }, 5],
    ['a key with spaces and quotes', 'a "b" c', { 'a "b" c': 6 }, 6],
    ['a key with the name of the prototype', '__proto__.x', JSON.parse('{"__proto__":{"x":7}}'), 7],
    ['a key that every object inherits', 'constructor', { constructor: 8 }, 8],
  ])('reach %s', async (_, name, record, value) => {
    expect((await answerOf([record], { select: [name] })).rows).toEqual([{ [name]: value }]);
  });

  test.each([
    'constructor',
    '__proto__',
    'toString',
    'a.constructor',
    'a.list.length',
    'a.__proto__.x',
    'hasOwnProperty',
  ])('never reach inherited members: %s', async (name) => {
    const refusal = await refusalOf([{ a: 'text', list: [1] }], { select: [name] });
    expect(refusal.message).toContain('No record has the field');
  });

  test('reach a record that is not an object by `value`', async () => {
    expect((await answerOf([3, 1, 2], { sort: [{ field: 'value' }] })).rows).toEqual([
      { value: 1 },
      { value: 2 },
      { value: 3 },
    ]);
    expect(
      (
        await answerOf(
          [
            ['x', 1],
            ['y', 2],
          ],
          where('1', 'gt', 1),
        )
      ).rows,
    ).toEqual([{ 0: 'y', 1: 2 }]);
  });

  test('with many dots are refused', async () => {
    expect((await refusalOf(people, { select: ['a.'.repeat(200)] })).message).toContain(
      'at most 8 keys with dots between them',
    );
  });
});

test('two long lists of a record take no more copies of it than one', () => {
  const list = Array.from({ length: 30_000 }, (_, index) => index);
  let records: unknown[] = [{ x: list, y: list }];
  for (const name of ['x', 'y']) records = onePerItem(records, { name, most: 20_000 });
  expect(records).toHaveLength(20_000);
  expect(records.at(-1)).toEqual({ x: 0, y: 19_999 });
});

test('a record for a query has all members that its names can lead to, and no others', () => {
  const record = { a: { b: 1 }, 'a.b': 2, tags: [1], 'x.y': { z: 3 }, other: 4 };
  expect(withMembers(record, ['a.b', 'tags[0]', 'len(x.y.z)'])).toEqual({
    a: { b: 1 },
    'a.b': 2,
    tags: [1],
    'x.y': { z: 3 },
  });
});
