import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import { collectGarbage } from '../../fixtures/longest-turn.ts';
import { bytesOf } from '../../fixtures/record-bytes.ts';
import { readRecords } from '../records/record-source.ts';
import { type QueryAnswer, type QueryOptions, queryRecords } from './query-records.ts';
import type { QueryRefusal } from './refusals-and-notes.ts';

const ask = (data: unknown[] | string, query: unknown, options?: QueryOptions) =>
  queryRecords(readRecords(bytesOf(typeof data === 'string' ? data : JSON.stringify(data))), query, options);

const answerOf = async (data: unknown[] | string, query: unknown, options?: QueryOptions): Promise<QueryAnswer> => {
  const result = await ask(data, query, options);
  if (result.status !== 'ok') throw new Error(result.message);
  return result;
};

const refusalOf = async (data: unknown[] | string, query: unknown, options?: QueryOptions): Promise<QueryRefusal> => {
  const result = await ask(data, query, options);
  if (result.status !== 'refused') throw new Error(`answered with ${JSON.stringify(result)}`);
  return result;
};

const ids = (answer: QueryAnswer) => answer.rows.map(({ id }) => id);
const where = (field: string, op: string, value?: unknown) => ({ where: [{ field, op, value }], limit: 200 });

const people = [
  { id: 1, name: 'Ada', age: 36, born: '1815-12-10', tags: ['math'] },
  { id: 2, name: 'Bob', age: null, born: '1990-01-01T00:00:00Z', tags: [] },
  { id: 3, name: 'Cleo', age: 5 },
];

describe('a question that cannot be answered', () => {
  it.each([
    ['an unknown field in where', { where: [{ field: 'nam', op: 'eq', value: 'Ada' }] }, 'has the field "nam"'],
    ['an unknown field in select', { select: ['id', 'Name'] }, 'Did you mean "name"?'],
    ['an unknown field in sort', { sort: [{ field: 'size' }] }, 'has the field "size"'],
    ['an unknown field in groupBy', { groupBy: ['size'] }, 'has the field "size"'],
    ['an unknown field in aggregate', { aggregate: [{ op: 'sum', field: 'size' }] }, 'has the field "size"'],
    [
      'an unknown field behind a condition that never holds',
      {
        where: [
          { field: 'id', op: 'lt', value: 0 },
          { field: 'size', op: 'gt', value: 1 },
        ],
      },
      'has the field "size"',
    ],
    ['an unknown operator', { where: [{ field: 'name', op: 'like', value: 'A%' }] }, 'The operators are eq, ne, lt'],
    ['an unknown aggregation', { aggregate: [{ op: 'median', field: 'age' }] }, 'There are count, sum'],
    ['an unknown parameter', { filter: [] }, 'The parameters are where, select'],
    [
      'a text that is compared with a number',
      { where: [{ field: 'name', op: 'gt', value: 3 }] },
      '"name" cannot be compared by gt with 3: it is text, such as "Ada", "Bob", "Cleo".',
    ],
    [
      'a number that is compared with a text',
      { where: [{ field: 'age', op: 'eq', value: 'old' }] },
      'it is a number, such as 36',
    ],
    [
      'a number that is compared with a date',
      { where: [{ field: 'id', op: 'gt', value: '2018-02-05' }] },
      'As milliseconds since 1970 this date is 1517788800000.',
    ],
    ['a list that is compared', { where: [{ field: 'tags', op: 'eq', value: 'math' }] }, 'it is a list'],
    ['a sum of texts', { aggregate: [{ op: 'sum', field: 'name' }] }, 'sum(name) needs numbers'],
    ['a minimum of lists', { aggregate: [{ op: 'min', field: 'tags' }] }, 'needs numbers, dates or text'],
    [
      'a column that groups do not have',
      { groupBy: ['name'], sort: [{ field: 'id' }] },
      'Their columns are "name", "count"',
    ],
    ['a pattern without an engine', { where: [{ field: 'name', op: 'matches', value: 'A' }] }, 'not available'],
  ])('is refused with the fields and an example: %s', async (_, query, message) => {
    const refusal = await refusalOf(people, query);
    expect(refusal.code).toBe('INVALID_PARAM');
    expect(refusal.message).toContain(message);
    expect(refusal.fields).toEqual([
      { name: 'id', types: ['number'] },
      { name: 'name', types: ['text'] },
      { name: 'age', types: ['number', 'null'] },
      { name: 'born', types: ['date'] },
      { name: 'tags', types: ['array'] },
    ]);
    expect(await answerOf(people, refusal.example)).toMatchObject({ matched: expect.toSatisfy((n: number) => n > 0) });
  });

  it('is refused with what the pattern engine says', async () => {
    const matcher = () => {
      throw new Error('no look-ahead in RE2');
    };
    expect((await refusalOf(people, where('name', 'matches', '(?=A)'), { matcher })).message).toBe(
      'no look-ahead in RE2',
    );
  });

  it.each([
    ['broken', '[{"a":1},{"a":]', 'EXECUTION_ERROR'],
    ['without an array', '{"a":[{}],"b":[{}]}', 'INVALID_PARAM'],
    ['no table', 'hello\nworld\n', 'INVALID_PARAM'],
    ['empty', '', 'INVALID_PARAM'],
  ])('is refused when the data are %s', async (_, text, code) => {
    expect((await refusalOf(text, {})).code).toBe(code);
  });

  it('is refused for broken data behind good records, never answered from those', async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => `{"id":${id}}`).join(',');
    expect((await refusalOf(`[${rows},{"id":}]`, {})).message).toContain('Record 5001');
  });

  it('names few fields of records that have thousands', async () => {
    const wide = [
      Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field ${index} ${'x'.repeat(150)}`, 1])),
    ];
    expect(JSON.stringify(await refusalOf(wide, { select: ['nothing'] })).length).toBeLessThan(5000);
  });
});

describe('null and what is missing', () => {
  const data = [{ id: 1, a: null }, { id: 2 }, { id: 3, a: 0 }, { id: 4, a: '' }];

  it.each([
    ['eq', null, [1]],
    ['ne', null, [3, 4]],
    ['ne', 0, [1, 4]],
    ['exists', true, [1, 3, 4]],
    ['exists', undefined, [1, 3, 4]],
    ['exists', false, [2]],
    ['in', [null, 0], [1, 3]],
    ['eq', '', [4]],
    ['lt', 1, [3]],
    ['gte', 0, [3]],
  ])('%s %j', async (op, value, expected) => {
    expect(ids(await answerOf(data, where('a', op, value)))).toEqual(expected);
  });

  it('is told of a field that no record has, though all are without it', async () => {
    const answer = await answerOf(people, where('Age ', 'exists', false));
    expect(answer.matched).toBe(3);
    expect(answer.notes).toEqual([
      'No record has the field "Age ". Did you mean "age"? So exists with false holds for all of them.',
    ]);
    expect((await answerOf(people, where('age', 'exists', false))).notes).toEqual([
      'No record matched. Text is compared case-sensitively. Values that exist: "age" e.g. 36, 5.',
    ]);
  });

  it.each([
    ['exists', { where: [{ field: 'size', op: 'exists' }] }],
    [
      'another condition',
      {
        where: [
          { field: 'size', op: 'exists', value: false },
          { field: 'size', op: 'eq', value: 1 },
        ],
      },
    ],
    ['sort', { where: [{ field: 'size', op: 'exists', value: false }], sort: [{ field: 'size' }] }],
  ])('is refused as soon as the field is needed: %s', async (_, query) => {
    expect((await refusalOf(people, query)).message).toContain('No record has the field "size"');
  });

  it('stand last in both directions', async () => {
    const sorted = async (direction: string) =>
      ids(await answerOf(data.slice(0, 3), { sort: [{ field: 'a', direction }] }));
    expect([await sorted('asc'), await sorted('desc')]).toEqual([
      [3, 1, 2],
      [3, 1, 2],
    ]);
  });
});

describe('comparing', () => {
  const of = async (values: unknown[], op: string, value: unknown) => {
    const data = values.map((v) => ({ v }));
    return (await answerOf(data, where('v', op, value), {})).rows.map(({ v }) => v);
  };

  it('takes numbers written as text for numbers, in both directions', async () => {
    expect(await of([5, 10, 9], 'gt', '9')).toEqual([10]);
    expect(await of(['5', '10', '9'], 'gt', 9)).toEqual(['10']);
    expect(await of(['5', '10', '9'], 'gt', '9')).toEqual(['10']);
    expect(await of([1776], 'eq', '1776')).toEqual([1776]);
    expect(await of(['5.0'], 'eq', 5)).toEqual(['5.0']);
  });

  it('does not take 007 for 7', async () => {
    expect(await of(['007', '7'], 'eq', 7)).toEqual(['7']);
  });

  it('takes ISO dates for moments', async () => {
    const dates = ['2026-01-01T00:30:00+02:00', '2026-01-01', '2025-12-31T23:00:00.000Z'];
    expect(await of(dates, 'lt', '2025-12-31T22:45:00Z')).toEqual([dates[0]]);
    expect(await of(dates, 'eq', '2025-12-31T22:30Z')).toEqual([dates[0]]);
  });

  it('orders other text by code unit', async () => {
    expect(await of(['Zeta', 'alpha', 'é'], 'lt', 'b')).toEqual(['Zeta', 'alpha']);
  });

  it('keeps integers beyond 2^53 apart, and gives them back as text', async () => {
    const text = '[{"v":12345678901234567891},{"v":12345678901234567892},{"v":5}]';
    expect((await answerOf(text, where('v', 'eq', '12345678901234567891'))).rows).toEqual([
      { v: '12345678901234567891' },
    ]);
    expect((await answerOf(text, { sort: [{ field: 'v' }] })).rows.map(({ v }) => v)).toEqual([
      5,
      '12345678901234567891',
      '12345678901234567892',
    ]);
  });

  it('is told for the values that could not be compared', async () => {
    const answer = await answerOf([{ v: 5 }, { v: 'n/a' }, { v: 7 }], where('v', 'gt', 4));
    expect(answer.matched).toBe(2);
    expect(answer.notes).toEqual([
      '1 values of "v", such as "n/a", cannot be compared by gt with 4; they did not match.',
    ]);
  });

  it('is told for what a sum leaves out', async () => {
    const answer = await answerOf([{ v: 5 }, { v: 'n/a' }, { v: '7' }], { aggregate: [{ op: 'sum', field: 'v' }] });
    expect(answer.rows).toEqual([{ 'sum(v)': 12 }]);
    expect(answer.notes?.[0]).toContain('leaves out 1 values of another type, such as "n/a"');
  });

  it('finds true and false of CSV', async () => {
    expect((await answerOf('id,up\n1,true\n2,False\n', where('up', 'eq', false))).rows).toEqual([
      { id: 2, up: 'False' },
    ]);
  });

  it('is case-sensitive, and says so when nothing matched', async () => {
    const answer = await answerOf(people, where('name', 'eq', 'ada'));
    expect(answer.matched).toBe(0);
    expect(answer.notes?.[0]).toContain('case-sensitively. Values that exist: "name" e.g. "Ada", "Bob", "Cleo"');
  });
});

describe('an empty answer', () => {
  it('names several values that exist, each once, and not all', async () => {
    const data = ['b', 'a', 'b', 'c', 'd', 'e'].map((level, id) => ({ id, level }));
    expect((await answerOf(data, where('level', 'eq', 'x'))).notes).toEqual([
      'No record matched. Text is compared case-sensitively. Values that exist: "level" e.g. "b", "a", "c".',
    ]);
  });

  it('names items of lists', async () => {
    const { notes } = await answerOf([{ tags: ['x', 'y'] }, { tags: ['z'] }], where('tags', 'contains', 'q'));
    expect(notes?.[0]).toContain('"tags" e.g. "x", "z"');
  });

  it('stays short with many conditions on fields of long values', async () => {
    const data = ['a', 'b', 'c'].map((letter) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field ${at} ${'n'.repeat(150)}`, letter.repeat(60)])),
    );
    const fields = Object.keys(data[0] ?? {});
    const { notes } = await answerOf(data, { where: fields.map((field) => ({ field, op: 'eq', value: 'x' })) });
    expect(notes?.join(' ').length).toBeLessThan(1500);
    expect(notes?.join(' ')).toContain('Values that exist: ');
  });
});

describe('names of fields', () => {
  it.each([
    ['a key with a dot', 'a.b', { 'a.b': 1, a: { b: 2 } }, 1],
    ['a path', 'a.b', { a: { b: 2 } }, 2],
    ['a key with a dot below a path', 'x.a.b', { x: { 'a.b': 3 } }, 3],
    ['a path below a key with a dot', 'x.a.b', { 'x.a': { b: 4 }, x: { other: 1 } }, 4],
    ['a place in a list', 'a.1.b', { a: [0, { b: 5 }] }, 5],
    ['a key with spaces and quotes', 'a "b" c', { 'a "b" c': 6 }, 6],
    ['a key that is called as the prototype', '__proto__.x', JSON.parse('{"__proto__":{"x":7}}'), 7],
    ['a key that every object inherits', 'constructor', { constructor: 8 }, 8],
  ])('reach %s', async (_, name, record, value) => {
    expect((await answerOf([record], { select: [name] })).rows).toEqual([{ [name]: value }]);
  });

  it.each([
    'constructor',
    '__proto__',
    'toString',
    'a.constructor',
    'a.length',
    'list.length',
    'a.__proto__.x',
    'hasOwnProperty',
  ])('reach nothing that is inherited: %s', async (name) => {
    const refusal = await refusalOf([{ a: 'text', list: [1] }], { select: [name] });
    expect(refusal.message).toContain('No record has the field');
  });

  it('reach records that are no objects by `value`', async () => {
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

  it('with many dots are refused', async () => {
    expect((await refusalOf(people, { select: ['a.'.repeat(200)] })).message).toContain('too many dots');
  });
});

describe('the rows of an answer', () => {
  const many = Array.from({ length: 1000 }, (_, id) => ({ id, text: `text ${id}` }));

  it('are 20 unless more are wanted, at most 200, and all matches are counted', async () => {
    expect((await answerOf(many, {})).rows).toHaveLength(20);
    const answer = await answerOf(many, { limit: 5000, select: ['id'] });
    expect([answer.rows.length, answer.matched, answer.next]).toEqual([200, 1000, { offset: 200 }]);
  });

  it.each([
    ['in the order of the data', {}],
    ['sorted', { sort: [{ field: 'text', direction: 'desc' }] }],
    ['as groups', { groupBy: ['id'] }],
  ])('continue without a gap, %s', async (_, query) => {
    const all: unknown[] = [];
    let next: { offset: number } | undefined = { offset: 0 };
    while (next) {
      const answer: QueryAnswer = await answerOf(
        many,
        { ...query, offset: next.offset, limit: 73 },
        { maxChars: 2000 },
      );
      expect(JSON.stringify(answer.rows).length).toBeLessThanOrEqual(2000);
      all.push(...ids(answer));
      next = answer.next;
    }
    expect(new Set(all).size).toBe(1000);
    expect(all).toHaveLength(1000);
  });

  it('shorten long texts and say how long they are', async () => {
    const [row] = (await answerOf([{ t: 'x'.repeat(5000) }], {})).rows;
    expect(row?.t).toMatch(/^x+… \(5000 characters\)$/);
  });

  it.each([
    ['sorted', { sort: [{ field: 'id' }] }],
    ['as groups', { groupBy: ['t'] }],
    ['as the largest', { aggregate: [{ op: 'max', field: 't' }] }],
  ])('shorten long texts only once, %s', async (_, query) => {
    const answer = await answerOf([{ id: 1, t: 'x'.repeat(5000), list: Array(9000).fill(7) }], query);
    expect(JSON.stringify(answer.rows)).toContain('… (5000 characters)');
    expect(JSON.stringify(answer.rows)).not.toContain('… 1 more');
  });

  it('have room for groups of long names', async () => {
    const data = Array.from({ length: 3 }, (_, id) => ({
      a: `${id}${'"'.repeat(900)}`,
      b: '\n'.repeat(900),
      c: 'é'.repeat(900),
    }));
    const query = { groupBy: ['a', 'b', 'c'], aggregate: ['a', 'b', 'c'].map((field) => ({ op: 'max', field })) };
    const { rows } = await answerOf(data, query, { maxChars: 1000 });
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows).length).toBeLessThanOrEqual(1000);
  });

  it('tell what is left out of long lists and large objects', async () => {
    const list = Array.from({ length: 100_000 }, (_, index) => index);
    const wide = Object.fromEntries(list.slice(0, 5000).map((index) => [`k${index}`, index]));
    const answer = await answerOf([{ list }, { wide }], {});
    expect(JSON.stringify(answer.rows)).toMatch(/… \d+ more"/);
    expect(JSON.stringify(answer.rows)).toMatch(/"…":"\d+ more fields"/);
  });

  it('have room for any record', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.object({ maxDepth: 5, maxKeys: 30 }), { minLength: 1 }),
        fc.integer({ min: 300, max: 3000 }),
        async (data, maxChars) => {
          const records = JSON.parse(JSON.stringify(data));
          const { rows } = await answerOf(JSON.stringify(records), {}, { maxChars });
          expect(JSON.stringify(rows).length).toBeLessThanOrEqual(maxChars);
          expect(rows.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('keep whole what there is room for', async () => {
    const record = { a: [1, { b: [null, true, 'x'] }], c: { d: { e: 1.5 } } };
    expect((await answerOf([record], {})).rows).toEqual([record]);
  });
});

describe('groups', () => {
  it('are counted when they are too many, and the rest is told', async () => {
    const data = Array.from({ length: 12_000 }, (_, id) => ({ id }));
    const answer = await answerOf(data, { groupBy: ['id'] });
    expect(answer).toMatchObject({ groups: 10_000, matched: 12_000, incomplete: 'groups' });
    expect(answer.notes?.[0]).toContain('2,000 records of further groups are not in the answer');
  });

  it('are bounded by the length of their names too', async () => {
    const data = Array.from({ length: 60 }, (_, id) => `{"k":"${id}${'x'.repeat(100_000)}"}`);
    const answer = await answerOf(data.join('\n'), { groupBy: ['k'] });
    expect(answer.incomplete).toBe('groups');
    expect(JSON.stringify(answer.rows).length).toBeLessThan(8000);
  });

  it('keep values of different types apart', async () => {
    const data = [{ k: 1 }, { k: '1' }, { k: true }, { k: 'true' }, { k: null }, {}, { k: [1] }, { k: '[1]' }];
    const answer = await answerOf(data, { groupBy: ['k'] });
    expect(answer.groups).toBe(8);
  });

  it('keep pairs of values apart', async () => {
    const data = [
      { a: 'x', b: 'y' },
      { a: 'x1:', b: 'y' },
      { a: 'x', b: '1:y' },
      { a: 'xt', b: 'y' },
      { a: 'x', b: 'ty' },
    ];
    expect((await answerOf(data, { groupBy: ['a', 'b'] })).groups).toBe(5);
  });

  it('say so when there are too many different values', async () => {
    const data = Array.from({ length: 100_010 }, (_, id) => `{"id":${id}}`).join('\n');
    const answer = await answerOf(data, { aggregate: [{ op: 'distinct', field: 'id' }] });
    expect(answer).toMatchObject({ rows: [{ 'distinct(id)': 100_000 }], incomplete: 'distinct' });
  });

  it('find a column under a name that is nearly right', async () => {
    const query = {
      groupBy: ['name'],
      aggregate: [{ op: 'avg', field: 'age' }],
      sort: [{ field: 'avg_age' }],
      limit: 1,
    };
    expect((await answerOf(people, query)).rows).toEqual([{ name: 'Cleo', 'avg(age)': 5 }]);
  });

  it('of no record are one row of nothing', async () => {
    const answer = await answerOf(people, {
      ...where('id', 'gt', 99),
      aggregate: [{ op: 'count' }, { op: 'avg', field: 'age' }],
    });
    expect(answer.rows).toEqual([{ count: 0, 'avg(age)': null }]);
  });

  it('add without losing what is small', async () => {
    const data = [1e16, 1, -1e16, ...Array.from({ length: 10 }, () => 0.1)].map((v) => ({ v }));
    expect((await answerOf(data, { aggregate: [{ op: 'sum', field: 'v' }] })).rows).toEqual([{ 'sum(v)': 2 }]);
  });
});

describe('sorting', () => {
  it('gives what sorting everything would, however many there are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            a: fc.integer({ min: 0, max: 9 }),
            b: fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'b', 'é') }),
          }),
          { maxLength: 400 },
        ),
        fc.nat({ max: 30 }),
        async (data, offset) => {
          const records = data.map((record, id) => ({ ...record, id }));
          if (records.length === 0) return;
          const answer = await answerOf(records, {
            sort: [{ field: 'a', direction: 'desc' }, { field: 'b' }],
            limit: 5,
            offset,
          });
          const expected = [...records].sort((l, r) => r.a - l.a || (l.b < r.b ? -1 : l.b > r.b ? 1 : 0));
          expect(answer.rows).toEqual(expected.slice(offset, offset + 5));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('stands numbers before dates before text', async () => {
    const data = ['b', true, '2026-01-01', 3, '2', null].map((v) => ({ v }));
    expect((await answerOf(data, { sort: [{ field: 'v' }] })).rows.map(({ v }) => v)).toEqual([
      '2',
      3,
      '2026-01-01',
      'b',
      true,
      null,
    ]);
  });
});

describe('hostile arguments', () => {
  const long = 'x'.repeat(1_000_000);
  it.each([
    ['no object', null],
    ['a text', 'select *'],
    ['a list', []],
    ['a number for where', { where: 5 }],
    ['null in where', { where: [null] }],
    ['a condition without a field', { where: [{ op: 'eq', value: 1 }] }],
    ['a condition without a value', { where: [{ field: 'id', op: 'eq' }] }],
    ['a condition with more in it', { where: [{ field: 'id', op: 'eq', value: 1, or: [] }] }],
    ['an object for a value', { where: [{ field: 'id', op: 'eq', value: { $gt: 1 } }] }],
    ['NaN for a value', { where: [{ field: 'id', op: 'eq', value: Number.NaN }] }],
    ['a giant value', { where: [{ field: 'id', op: 'eq', value: long }] }],
    ['a giant field', { where: [{ field: long, op: 'eq', value: 1 }] }],
    ['a giant operator', { where: [{ field: 'id', op: long, value: 1 }] }],
    ['an operator that objects inherit', { where: [{ field: 'id', op: 'constructor', value: 1 }] }],
    ['an empty list for in', { where: [{ field: 'id', op: 'in', value: [] }] }],
    ['a giant list for in', { where: [{ field: 'id', op: 'in', value: Array.from({ length: 10_000 }, () => 1) }] }],
    ['too many conditions', { where: Array.from({ length: 1000 }, () => ({ field: 'id', op: 'eq', value: 1 })) }],
    ['an empty pattern', { where: [{ field: 'id', op: 'matches', value: '' }] }],
    ['null for gt', { where: [{ field: 'id', op: 'gt', value: null }] }],
    ['a word for exists', { where: [{ field: 'id', op: 'exists', value: 'no' }] }],
    ['numbers for select', { select: [1] }],
    ['an empty name', { select: [''] }],
    ['an aggregate without a field', { aggregate: [{ op: 'sum' }] }],
    ['a direction that is none', { sort: [{ field: 'id', direction: 'up' }] }],
    ['a limit of 0', { limit: 0 }],
    ['a limit of NaN', { limit: Number.NaN }],
    ['a limit of text', { limit: '10' }],
    ['a negative offset', { offset: -1 }],
    ['an offset of 2^53', { offset: 2 ** 53 }],
    ['a fraction', { offset: 1.5 }],
    ['a far offset of sorted rows', { sort: [{ field: 'id' }], offset: 1_000_000 }],
    ['a parameter with a giant name', { [long]: 1 }],
    ['a parameter of the prototype', JSON.parse('{"__proto__":{"where":[]}}')],
  ])('are refused in few words: %s', async (_, query) => {
    const refusal = await refusalOf(people, query);
    expect(refusal.code).toBe('INVALID_PARAM');
    expect(refusal.message.length).toBeLessThan(400);
  });

  it('never throw, whatever they are', async () => {
    const name = fc.constantFrom(
      'where',
      'select',
      'groupBy',
      'aggregate',
      'sort',
      'limit',
      'offset',
      'field',
      'op',
      'value',
    );
    const word = fc.constantFrom(
      'id',
      'name',
      'age',
      'born',
      'tags',
      'eq',
      'in',
      'exists',
      'gt',
      'count',
      'sum',
      'min',
      'asc',
    );
    const { anything } = fc.letrec((tie) => ({
      anything: fc.oneof(
        { depthSize: 'small' },
        word,
        fc.integer({ min: -1, max: 5 }),
        fc.constantFrom(null, true, Number.NaN),
        fc.array(tie('anything'), { maxLength: 3 }),
        fc.dictionary(name, tie('anything'), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, anything, { maxKeys: 4 }), async (query) => {
        expect(['ok', 'refused']).toContain((await ask(people, query)).status);
      }),
      { numRuns: 1500 },
    );
  });

  it('take one of a kind for a list of one', async () => {
    expect(ids(await answerOf(people, { where: { field: 'name', op: 'eq', value: 'Bob' }, select: 'id' }))).toEqual([
      2,
    ]);
  });
});

describe('patterns', () => {
  it('are made once and tried on no more than 4,096 characters, which is told', async () => {
    const tried: string[] = [];
    const matcher = vi.fn(() => (text: string) => tried.push(text) > 0);
    const answer = await answerOf([{ t: 'x'.repeat(10_000) }, { t: 'y' }], where('t', 'matches', 'x'), { matcher });
    expect(matcher).toHaveBeenCalledTimes(1);
    expect(tried.map(({ length }) => length)).toEqual([4096, 1]);
    expect(answer.notes).toEqual(['1 values of "t" were matched only in their first 4,096 characters.']);
  });
});

describe('two patterns', () => {
  test('are compiled in turns of their own when each takes long, each only once', async () => {
    let turns = 0;
    const turnOf: number[] = [];
    const counting = setInterval(() => turns++, 0);
    const matcher = () => {
      const endsAt = performance.now() + 10;
      while (performance.now() < endsAt);
      turnOf.push(turns);
      return () => true;
    };
    const values = ['a', 'b', 'a', 'c', 'b'];
    await answerOf([{ t: 'x' }], { where: values.map((value) => ({ field: 't', op: 'matches', value })) }, { matcher });
    clearInterval(counting);
    expect(turnOf).toHaveLength(3);
    expect(new Set(turnOf).size).toBe(3);
  });

  test('are not compiled any more when time is up', async () => {
    const matcher = vi.fn(() => {
      const endsAt = performance.now() + 10;
      while (performance.now() < endsAt);
      return () => true;
    });
    const conditions = Array.from({ length: 20 }, (_, index) => ({ field: 't', op: 'matches', value: `a${index}` }));
    expect(await ask([{ t: 'x' }], { where: conditions }, { matcher, deadlineMs: 15 })).toMatchObject({
      status: 'refused',
      code: 'TIMEOUT',
    });
    expect(matcher.mock.calls.length).toBeLessThan(20);
  });

  it('share what they may be tried on', async () => {
    const lengths: number[] = [];
    const matcher = () => (text: string) => lengths.push(text.length) > 0;
    const condition = { field: 't', op: 'matches', value: 'x' };
    await answerOf([{ t: 'x'.repeat(10_000) }], { where: [condition, condition] }, { matcher });
    expect(lengths).toEqual([2048, 2048]);
  });
});

describe('ending early', () => {
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    const line = new TextEncoder().encode('{"a":1}\n'.repeat(1000));
    while (true) yield line;
  };

  it('answers from what was read when time is up, and says so', async () => {
    const answer = (await queryRecords(
      readRecords(endless()),
      { aggregate: [{ op: 'count' }] },
      { deadlineMs: 30 },
    )) as QueryAnswer;
    expect(answer).toMatchObject({ status: 'ok', incomplete: 'deadline', rows: [{ count: answer.scanned }] });
    expect(answer.notes?.[0]).toContain('Time was up');
  });

  it('refuses when time is up before a record was read, also of a store that stands still', async () => {
    const hung = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    expect(await queryRecords(readRecords(hung), {}, { deadlineMs: 10 })).toMatchObject({
      status: 'refused',
      code: 'TIMEOUT',
    });
  });

  it('refuses a wrong question in time too', async () => {
    const hung = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const refusal = await queryRecords(readRecords(hung), where('a', 'like', 1), { deadlineMs: 10 });
    expect(refusal).toMatchObject({ status: 'refused', code: 'INVALID_PARAM' });
  });

  it('throws the reason when it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    setImmediate(() => setImmediate(() => controller.abort(reason)));
    await expect(queryRecords(readRecords(endless()), {}, { abortSignal: controller.signal })).rejects.toBe(reason);
  });

  it('passes on what the store throws', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('[1,');
      throw new Error('disk');
    };
    await expect(queryRecords(readRecords(broken()), {})).rejects.toThrow('disk');
  });

  it('closes the source of a question that is refused', async () => {
    const closed = vi.fn();
    const source = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* endless();
      } finally {
        closed();
      }
    };
    await queryRecords(readRecords(source()), { where: [{ field: 'a', op: 'like', value: 1 }] });
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  });
});

describe('integers beyond 2^53 and numbers that are none', () => {
  const big = (digits: string[]) => `[${digits.map((id, index) => `{"id":${id},"k":"${'ab'[index % 2]}"}`).join(',')}]`;
  const data = big(['9007199254740993', '9007199254740995', '5', '9007199254740994']);
  const all = (op: string) => ({ aggregate: [{ op, field: 'id' }] });

  it.each([
    ['max', '9007199254740995'],
    ['min', 5],
    ['sum', '27021597764222987'],
  ])('%s is exact, and JSON can carry it', async (op, expected) => {
    const { rows } = await answerOf(data, all(op));
    expect(rows).toEqual([{ [`${op}(id)`]: expected }]);
    const csv = `id,k\n${['9007199254740993', '9007199254740995', '5', '9007199254740994'].join(',x\n')},x\n`;
    expect((await answerOf(csv, all(op))).rows).toEqual(rows);
  });

  it('sums exactly what passes 2^53 on the way, and back', async () => {
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

  it('sorts groups by such an aggregate', async () => {
    const query = { groupBy: ['k'], ...all('max'), sort: [{ field: 'max(id)', direction: 'desc' }] };
    const { rows } = await answerOf(big(['9007199254740993', '9007199254740995', '7', '6']), query);
    expect(rows).toEqual([
      { k: 'b', 'max(id)': '9007199254740995' },
      { k: 'a', 'max(id)': '9007199254740993' },
    ]);
  });

  it('groups by them', async () => {
    const { rows } = await answerOf(big(['9007199254740993', '9007199254740992']), { groupBy: ['id'] });
    expect(rows.map(({ id }) => id)).toEqual(['9007199254740993', '9007199254740992']);
  });

  it('says of a sum that is too large that it is', async () => {
    expect((await answerOf([{ id: 1e308 }, { id: 1e308 }], all('sum'))).rows).toEqual([{ 'sum(id)': 'Infinity' }]);
  });

  it.each([
    ['eq', 9007199254740992],
    ['gt', -1e20],
    ['in', [1, 9007199254740992]],
  ])('refuses one that is given as a number: %s', async (op, value) => {
    expect((await refusalOf(data, where('id', op, value))).message).toContain('give it as text, such as "');
  });
});

describe('columns of groups', () => {
  it('keeps a field that is named as an aggregate', async () => {
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

describe('text that may be an identifier', () => {
  const codes = ['007', '+1', '10', '9'].map((code, index) => ({ id: index, code }));

  it('is text to every part of a question', async () => {
    expect(ids(await answerOf(codes, where('code', 'eq', 7)))).toEqual([]);
    expect(ids(await answerOf(codes, where('code', 'gte', 0)))).toEqual([2, 3]);
    expect(ids(await answerOf(codes, { sort: [{ field: 'code' }] }))).toEqual([3, 2, 1, 0]);
    const aggregate = ['sum', 'avg', 'min', 'max'].map((op) => ({ op, field: 'code' }));
    const { rows, notes } = await answerOf(codes, { aggregate });
    expect(rows).toEqual([{ 'sum(code)': 19, 'avg(code)': 9.5, 'min(code)': '9', 'max(code)': '10' }]);
    expect(notes?.join(' ')).toContain('"007"');
  });
});

describe('long lists', () => {
  const items = Array.from({ length: 300_000 }, (_, index) => `item ${index}`);
  const twenty = (value: unknown) => ({
    where: Array(20).fill({ field: 'list', op: 'contains', value }),
    select: ['id'],
  });

  it('are searched to their end for what is the same', async () => {
    expect(ids(await answerOf([{ id: 1, list: items }], twenty('item 299999')))).toEqual([1]);
    const numbers = items.map((_, index) => index);
    const answer = await answerOf([{ id: 1, list: numbers }], twenty(299_999));
    expect(ids(answer)).toEqual([1]);
    expect(answer.notes).toBeUndefined();
  });

  it('are searched only so far for what is equal with some effort, and say so', async () => {
    const dates = Array.from({ length: 5000 }, (_, index) => `2020-01-01T00:00:00.${1000 + index}Z`);
    const answer = await answerOf([{ id: 1, list: [...dates, '2021-01-01T00:00Z'] }], twenty('2021-01-01'));
    expect(ids(answer)).toEqual([]);
    expect(answer.notes?.[0]).toContain('only their first items');
    const one = { where: [{ field: 'list', op: 'contains', value: '2021-01-01' }] };
    expect(ids(await answerOf([{ id: 1, list: [...dates, '2021-01-01T00:00Z'] }], one))).toEqual([1]);
  });
});

describe('the last pages', () => {
  const many = Array.from({ length: 2500 }, (_, id) => ({ id }));
  const sorted = (offset: number, limit = 150) => ({ sort: [{ field: 'id' }], select: ['id'], limit, offset });

  it('never name a next page that would be refused', async () => {
    let offset = 0;
    let last: QueryAnswer | undefined;
    for (let isOn = true; isOn; ) {
      last = await answerOf(many, sorted(offset));
      offset = last.next?.offset ?? offset + last.rows.length;
      isOn = last.next !== undefined;
    }
    expect(offset).toBe(2000);
    expect(last).toMatchObject({ incomplete: 'sorted', notes: [expect.stringContaining('end at 2,000: narrow')] });
    expect((await refusalOf(many, sorted(2000))).message).toContain('up to 2,000');
  });

  it('end without a word where the rows do', async () => {
    const answer = await answerOf(many.slice(0, 2000), sorted(1900));
    expect(answer.rows).toHaveLength(100);
    expect(answer).not.toHaveProperty('incomplete');
  });

  it('tell an offset behind the end', async () => {
    const answer = await answerOf(people, { offset: 7 });
    expect(answer.rows).toEqual([]);
    expect(answer.notes).toEqual(['Offset 7 is behind the end: there are 3 rows.']);
  });
});

describe('a day compared with moments', () => {
  const moments = ['2020-01-01T08:00:00Z', '2020-01-02T08:00:00Z'].map((at, id) => ({ id, at }));

  it.each(['eq', 'lte', 'gt', 'ne'])('is said to be its first moment where it matters: %s', async (op) => {
    expect((await answerOf(moments, where('at', op, '2020-01-01'))).notes?.[0]).toContain('A day is its first moment');
  });

  it.each([
    ['gte', '2020-01-01'],
    ['lt', '2020-01-02'],
    ['gt', '2019-12-31'],
    ['gt', '2020-01-01T00:00Z'],
  ])('goes without saying where it does not: %s %s', async (op, day) => {
    expect((await answerOf(moments, where('at', op, day))).notes).toBeUndefined();
  });
});

it('holds nothing of the request that it was asked in, once it has answered', async () => {
  const requests = new AsyncLocalStorage<object>();
  async function askInRequest(): Promise<WeakRef<object>> {
    const request = { body: 'large' };
    await requests.run(request, () => answerOf(people, {}, { deadlineMs: 60_000 }));
    return new WeakRef(request);
  }
  const request = await askInRequest();
  await nextTurn();
  collectGarbage();
  expect(request.deref()).toBeUndefined();
});
