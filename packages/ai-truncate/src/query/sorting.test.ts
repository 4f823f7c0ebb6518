import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf } from '../../fixtures/ask-records.ts';

describe('sorting', () => {
  test('returns the same rows as sorting everything, for any number of rows', async () => {
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

  test('sorts numbers before dates, and dates before text', async () => {
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
