import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, ids, people, refusalOf } from '../../fixtures/ask-records.ts';
import type { QueryAnswer } from './query-records.ts';

describe('the rows of an answer', () => {
  const many = Array.from({ length: 1000 }, (_, id) => ({ id, text: `text ${id}` }));

  test('are 20 by default and at most 200, and all matches are counted', async () => {
    expect((await answerOf(many, {})).rows).toHaveLength(20);
    const answer = await answerOf(many, { limit: 5000, select: ['id'] });
    expect([answer.rows.length, answer.matched, answer.next]).toEqual([200, 1000, { offset: 200 }]);
  });

  test.each([
    ['in the order of the data', {}],
    ['sorted', { sort: [{ field: 'text', direction: 'desc' }] }],
    ['as groups', { groupBy: ['id'] }],
  ])('continue without a gap on the next page, %s', async (_, query) => {
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

  test('shorten long texts and state their length', async () => {
    const [row] = (await answerOf([{ t: 'x'.repeat(5000) }], {})).rows;
    expect(row?.t).toMatch(/^x+… \(5000 characters\)$/);
  });

  test.each([
    ['sorted', { sort: [{ field: 'id' }] }],
    ['as groups', { groupBy: ['t'] }],
    ['as the largest', { aggregate: [{ op: 'max', field: 't' }] }],
  ])('shorten long texts only once, %s', async (_, query) => {
    const answer = await answerOf([{ id: 1, t: 'x'.repeat(5000), list: Array(9000).fill(7) }], query);
    expect(JSON.stringify(answer.rows)).toContain('… (5000 characters)');
    expect(JSON.stringify(answer.rows)).not.toContain('… 1 more');
  });

  test('have room for groups of long names', async () => {
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

  test('state how much of long lists and large objects is left out', async () => {
    const list = Array.from({ length: 100_000 }, (_, index) => index);
    const wide = Object.fromEntries(list.slice(0, 5000).map((index) => [`k${index}`, index]));
    const answer = await answerOf([{ list }, { wide }], {});
    expect(JSON.stringify(answer.rows)).toMatch(/… \d+ more"/);
    expect(JSON.stringify(answer.rows)).toMatch(/"…":"\d+ more fields"/);
  });

  test('have room for any record', async () => {
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

  test('have room for a text whose escapes take six times its length', async () => {
    const { rows } = await answerOf([{ t: '\u0001'.repeat(1000) }, { t: 'b' }], {}, { maxChars: 1000 });
    expect(rows).toEqual([{ t: expect.stringMatching(/… \(1000 characters\)$/) }, { t: 'b' }]);
  });

  test('are not shortened if there is room for them', async () => {
    const record = { a: [1, { b: [null, true, 'x'] }], c: { d: { e: 1.5 } } };
    expect((await answerOf([record], {})).rows).toEqual([record]);
  });
});

describe('the last pages', () => {
  const many = Array.from({ length: 2500 }, (_, id) => ({ id }));
  const sorted = (offset: number, limit = 150) => ({ sort: [{ field: 'id' }], select: ['id'], limit, offset });

  test('never refer to a next page that would be refused', async () => {
    let offset = 0;
    let last: QueryAnswer | undefined;
    for (let isOn = true; isOn; ) {
      last = await answerOf(many, sorted(offset));
      offset = last.next?.offset ?? offset + last.rows.length;
      isOn = last.next !== undefined;
    }
    expect(offset).toBe(2000);
    expect(last).toMatchObject({
      incomplete: 'sorted',
      notes: [expect.stringContaining('Only the first 2,000 sorted rows can be read')],
    });
    expect((await refusalOf(many, sorted(2000))).message).toContain('Only the first 2,000 sorted rows can be read');
  });

  test('end without a note at the last row', async () => {
    const answer = await answerOf(many.slice(0, 2000), sorted(1900));
    expect(answer.rows).toHaveLength(100);
    expect(answer).not.toHaveProperty('incomplete');
  });

  test('are empty after the last row', async () => {
    const answer = await answerOf(people, { offset: 7 });
    expect(answer).toMatchObject({ rows: [], matched: 3 });
    expect(answer).not.toHaveProperty('next');
  });
});
