import { describe, expect, test } from 'vitest';
import { answerOf, people, refusalOf, where } from '../../fixtures/ask-records.ts';

describe('a question that cannot be answered', () => {
  test.each([
    ['an unknown field in where', { where: [{ field: 'nam', op: 'eq', value: 'Ada' }] }, 'has the field "nam"'],
    ['an unknown field in select', { select: ['id', 'Name'] }, 'Did you mean "name"?'],
    ['an unknown field in sort', { sort: [{ field: 'size' }] }, 'has the field "size"'],
    ['an unknown field in groupBy', { groupBy: ['size'] }, 'has the field "size"'],
    ['an unknown field in aggregate', { aggregate: [{ op: 'sum', field: 'size' }] }, 'has the field "size"'],
    [
      'an unknown field after a condition that never holds',
      {
        where: [
          { field: 'id', op: 'lt', value: 0 },
          { field: 'size', op: 'gt', value: 1 },
        ],
      },
      'has the field "size"',
    ],
    [
      'a text compared with a number',
      { where: [{ field: 'name', op: 'gt', value: 3 }] },
      '"name" cannot be compared by gt with 3: its type is text, such as "Ada", "Bob", "Cleo".',
    ],
    [
      'a number compared with a text',
      { where: [{ field: 'age', op: 'eq', value: 'old' }] },
      'its type is number, such as 36',
    ],
    [
      'a number compared with a date',
      { where: [{ field: 'id', op: 'gt', value: '2018-02-05' }] },
      'In milliseconds since 1970, this date is 1517788800000.',
    ],
    ['a comparison of the items of a list', { where: [{ field: 'tags', op: 'gt', value: 3 }] }, 'its type is text'],
    ['a sum of texts', { aggregate: [{ op: 'sum', field: 'name' }] }, 'sum(name) needs numbers'],
  ])('is refused with the fields: %s', async (_, query, message) => {
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
  });

  test.each([
    [
      'an unknown operator',
      { where: [{ field: 'name', op: 'soundsLike', value: 'A' }] },
      'The operators are eq, ne, lt',
    ],
    ['an unknown aggregation', { aggregate: [{ op: 'mode', field: 'age' }] }, 'The aggregations are count, sum'],
    [
      'a column that groups do not have',
      { groupBy: ['name'], sort: [{ field: 'id' }] },
      'Their columns are "name", "count"',
    ],
    ['a pattern without an engine', { where: [{ field: 'name', op: 'matches', value: 'A' }] }, 'not available'],
  ])('is refused before records are read, with a correction: %s', async (_, query, message) => {
    expect(await refusalOf(people, query)).toEqual({
      status: 'refused',
      code: 'INVALID_PARAM',
      message: expect.stringContaining(message),
    });
  });

  test('is refused with the message of the pattern engine', async () => {
    const matcher = () => {
      throw new Error('no look-ahead in RE2');
    };
    expect((await refusalOf(people, where('name', 'matches', '(?=A)'), { matcher })).message).toBe(
      'no look-ahead in RE2',
    );
  });

  test.each([
    ['broken', '[{"a":1},{"a":]', 'EXECUTION_ERROR'],
    ['without an array', '{"a":[{}],"b":[{}]}', 'INVALID_PARAM'],
    ['no table', 'hello\nworld\n', 'INVALID_PARAM'],
    ['empty', '', 'INVALID_PARAM'],
  ])('is refused if the data is %s', async (_, text, code) => {
    expect((await refusalOf(text, {})).code).toBe(code);
  });

  test('is refused if broken data follows good records', async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => `{"id":${id}}`).join(',');
    expect((await refusalOf(`[${rows},{"id":}]`, {})).message).toContain('Record 5001');
  });

  test('names only some fields of records with thousands', async () => {
    const wide = [
      Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field ${index} ${'x'.repeat(150)}`, 1])),
    ];
    expect(JSON.stringify(await refusalOf(wide, { select: ['nothing'] })).length).toBeLessThan(5000);
  });
});

describe('an empty answer', () => {
  test('names some of the existing values, each once', async () => {
    const data = ['b', 'a', 'b', 'c', 'd', 'e'].map((level, id) => ({ id, level }));
    expect((await answerOf(data, where('level', 'eq', 'x'))).notes).toEqual([
      'No record matched. Text is compared case-sensitively. Values that exist: "level" e.g. "b", "a", "c".',
    ]);
  });

  test('names items of lists', async () => {
    const { notes } = await answerOf([{ tags: ['x', 'y'] }, { tags: ['z'] }], where('tags', 'contains', 'q'));
    expect(notes?.[0]).toContain('"tags" e.g. "x", "z"');
  });

  test('stays short with many conditions on fields of long values', async () => {
    const data = ['a', 'b', 'c'].map((letter) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field ${at} ${'n'.repeat(150)}`, letter.repeat(60)])),
    );
    const fields = Object.keys(data[0] ?? {});
    const { notes } = await answerOf(data, { where: fields.map((field) => ({ field, op: 'eq', value: 'x' })) });
    expect(notes?.join(' ').length).toBeLessThan(1500);
    expect(notes?.join(' ')).toContain('Values that exist: ');
  });
});
