import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonProfile } from './json-profile.ts';

const record = fc.record(
  {
    status: fc.constantFrom('ok', 'failed', 'refunded'),
    amount: fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e6, max: 1e6 })),
    customer: fc.record({ name: fc.string({ maxLength: 10 }), vip: fc.boolean() }),
    tags: fc.array(fc.string({ maxLength: 4 }), { maxLength: 5 }),
    note: fc.option(fc.string({ maxLength: 10 })),
  },
  { requiredKeys: ['status'] },
);

function wordsOf(records: readonly unknown[]): Record<string, string> {
  const profile = new JsonProfile();
  for (const each of records) profile.add(each);
  return Object.fromEntries(profile.finish().map(({ name, words }) => [name, words]));
}

test('counts, ranges, sums and frequent values match all records', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 12, maxLength: 60 }), (records) => {
      const words = wordsOf(records);
      for (const status of new Set(records.map((each) => each.status))) {
        const count = records.filter((each) => each.status === status).length;
        expect(words.status).toContain(`${status} ${count}`);
      }
      const amounts = records.flatMap(({ amount }) => (amount === undefined ? [] : [amount]));
      if (amounts.length > 0) {
        const [least = '', most = ''] =
          /^(?:[\d,]+ numbers from )?(\S+) to (\S+);/.exec(words.amount ?? '')?.slice(1) ?? [];
        const number = (text: string) => Number(text.replaceAll(',', ''));
        expect(number(least)).toBeCloseTo(Math.min(...amounts), 6);
        expect(number(most)).toBeCloseTo(Math.max(...amounts), 6);
        const sum = number(/sum ([^;]+)/.exec(words.amount ?? '')?.[1] ?? '');
        expect(Math.abs(sum - amounts.reduce((total, each) => total + each, 0))).toBeLessThan(1e-3);
      }
      const missing = records.length - amounts.length;
      expect(
        words.amount === undefined || !words.amount.includes('missing') || words.amount.includes(`missing ${missing}`),
      ).toBe(true);
      const nulls = records.filter(({ note }) => note === null).length;
      if (nulls > 0) expect(words.note).toContain(`null ${nulls}`);
      const items = records.reduce((sum, { tags = [] }) => sum + tags.length, 0);
      if (words.tags !== undefined) expect(words.tags).toContain(`lists with ${items} items`);
    }),
    { numRuns: 300 },
  );
});

test('more than a thousand different values are reported as more than a thousand', () => {
  const different = (count: number) => wordsOf(Array.from({ length: count }, (_, id) => ({ id: `id-${id}` }))).id;
  expect(different(1000)).toBe('1,000 different');
  expect(different(1001)).toBe('more than 1,000 different');
});

test('a sum of numbers of very different sizes includes the small ones', () => {
  const words = wordsOf([1e16, 1, 1, -1e16].map((amount) => ({ amount })));
  expect(words.amount).toContain('; sum 2; ');
});

test('a million fields take the memory of two hundred', () => {
  const words = wordsOf([Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, index]))]);
  expect(Object.keys(words).length).toBe(200);
});

test('the words of a field are short and complete', () => {
  const records = Array.from({ length: 100 }, (_, index) => ({
    level: index < 90 ? 'info' : 'error',
    at: `2026-11-${String(1 + (index % 20)).padStart(2, '0')}T00:00:00Z`,
    ms: index,
    ...(index % 2 === 0 && { tags: ['a', 'b'] }),
  }));
  expect(wordsOf(records)).toEqual({
    level: '2 different; info 90, error 10',
    at: '2026-11-01T00:00:00Z to 2026-11-20T00:00:00Z; 20 different; 2026-11-01T00:00:00Z 5, 2026-11-02T00:00:00Z 5, 2026-11-03T00:00:00Z 5, 2026-11-04T00:00:00Z 5, 2026-11-05T00:00:00Z 5',
    ms: '0 to 99; sum 4,950; 100 different',
    tags: 'lists with 100 items; missing 50',
  });
});

test('long texts are not reported as a number of different values', () => {
  const records = Array.from({ length: 10 }, (_, index) => ({
    body: 'a'.repeat(300),
    title: index > 4 ? 'b'.repeat(300) : `${index}`,
  }));
  expect(wordsOf(records)).toEqual({ body: 'long texts', title: 'more than 5 different' });
});

test('every digit of an integer is shown', () => {
  const records = Array.from({ length: 10 }, (_, index) => ({ at: 1_700_000_000_123_456 + index }));
  expect(wordsOf(records).at).toMatch(/^1,700,000,000,123,456 to 1,700,000,000,123,465; sum about 17,000,0/);
});

test('objects that are too deep for fields are counted, for any names', () => {
  const deep = JSON.parse('{"toString":1,"valueOf":1,"__proto__":{"x":1}}') as object;
  expect(wordsOf(Array.from({ length: 9 }, () => ({ a: { b: { c: deep } } })))).toEqual({ 'a.b.c': '9 objects' });
});
