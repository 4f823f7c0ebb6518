import { describe, expect, test, vi } from 'vitest';
import { answerOf, ask, ids, where } from '../../fixtures/ask-records.ts';

describe('patterns', () => {
  test('are compiled once and tested on at most 4,096 characters, which a note reports', async () => {
    const tried: string[] = [];
    const matcher = vi.fn(() => (text: string) => tried.push(text) > 0);
    const answer = await answerOf([{ t: 'x'.repeat(10_000) }, { t: 'y' }], where('t', 'matches', 'x'), { matcher });
    expect(matcher).toHaveBeenCalledTimes(1);
    expect(tried.map(({ length }) => length)).toEqual([4096, 1]);
    expect(answer.notes).toEqual(['Only the first 4,096 characters of 1 value of "t" were tested.']);
  });
});

describe('two patterns', () => {
  test('are compiled once each, in separate turns if each takes long', async () => {
    let turns = 0;
    const turnOf: number[] = [];
    // Not a timer, because a timer fires only after the turn in which a pattern may continue.
    let counting = setImmediate(function count() {
      turns++;
      counting = setImmediate(count);
    });
    const matcher = () => {
      const endsAt = performance.now() + 10;
      while (performance.now() < endsAt);
      turnOf.push(turns);
      return () => true;
    };
    const values = ['a', 'b', 'a', 'c', 'b'];
    await answerOf([{ t: 'x' }], { where: values.map((value) => ({ field: 't', op: 'matches', value })) }, { matcher });
    clearImmediate(counting);
    expect(turnOf).toHaveLength(3);
    expect(new Set(turnOf).size).toBe(3);
  });

  test('are not compiled after the deadline', async () => {
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

  test('share the number of characters that they are tested on', async () => {
    const lengths: number[] = [];
    const matcher = () => (text: string) => lengths.push(text.length) > 0;
    const condition = { field: 't', op: 'matches', value: 'x' };
    await answerOf([{ t: 'x'.repeat(10_000) }], { where: [condition, condition] }, { matcher });
    expect(lengths).toEqual([2048, 2048]);
  });
});

describe('long lists', () => {
  const items = Array.from({ length: 300_000 }, (_, index) => `item ${index}`);
  const twenty = (value: unknown) => ({
    where: Array(20).fill({ field: 'list', op: 'contains', value }),
    select: ['id'],
  });

  test('are searched to their end for equal items', async () => {
    expect(ids(await answerOf([{ id: 1, list: items }], twenty('item 299999')))).toEqual([1]);
    const numbers = items.map((_, index) => index);
    const answer = await answerOf([{ id: 1, list: numbers }], twenty(299_999));
    expect(ids(answer)).toEqual([1]);
    expect(answer.notes).toBeUndefined();
  });

  test('are searched for a number or a boolean, also as text', async () => {
    const found = async (list: unknown[], value: unknown) =>
      ids(await answerOf([{ id: 1, list }], { where: [{ field: 'list', op: 'contains', value }] }));
    expect(await found([1, 5], '5')).toEqual([1]);
    expect(await found(['1', '5'], 5)).toEqual([1]);
    expect(await found([true], 'true')).toEqual([1]);
    expect(await found(['false'], false)).toEqual([1]);
    expect(await found([null], null)).toEqual([1]);
    expect(await found(['15'], 5)).toEqual([]);
  });
});
