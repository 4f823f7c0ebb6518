import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, ask, ids, people, refusalOf } from '../../fixtures/ask-records.ts';

describe('hostile arguments', () => {
  const long = 'x'.repeat(1_000_000);
  test.each([
    ['a number for where', { where: 5 }],
    ['null in where', { where: [null] }],
    ['a condition without a field', { where: [{ op: 'eq', value: 1 }] }],
    ['a condition without a value', { where: [{ field: 'id', op: 'eq' }] }],
    ['a condition with an unknown key', { where: [{ field: 'id', op: 'eq', value: 1, or: [] }] }],
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
    ['a name with nine keys in brackets', { select: [`tags${'[0]'.repeat(8)}`] }],
    ['a column of sort with many blanks', { sort: [`id${' '.repeat(200_000)}x`] }],
    ['an aggregate without a field', { aggregate: [{ op: 'sum' }] }],
    ['an unknown direction', { sort: [{ field: 'id', direction: 'up' }] }],
    ['a limit of 0', { limit: 0 }],
    ['a limit of NaN', { limit: Number.NaN }],
    ['a limit of text', { limit: '10' }],
    ['a negative offset', { offset: -1 }],
    ['an offset of 2^53', { offset: 2 ** 53 }],
    ['a fraction', { offset: 1.5 }],
    ['a far offset of sorted rows', { sort: [{ field: 'id' }], offset: 1_000_000 }],
  ])('are refused in a short text: %s', async (_, query) => {
    const refusal = await refusalOf(people, query);
    expect(refusal.code).toBe('INVALID_PARAM');
    expect(refusal.message.length).toBeLessThan(400);
  });

  test('never throw', async () => {
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

  test('accept a single part in place of a list', async () => {
    expect(ids(await answerOf(people, { where: { field: 'name', op: 'eq', value: 'Bob' }, select: 'id' }))).toEqual([
      2,
    ]);
  });
});
