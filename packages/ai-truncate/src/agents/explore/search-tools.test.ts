import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exploreLabel } from './search-tools.ts';

test.each([
  [{ pattern: 'ERROR|timeout', path: 'a.txt' }, 'ERROR|timeout'],
  [{ path: 'a.txt', offset: 120, limit: 40 }, 'lines 120-159'],
  [{ path: 'a.txt', offset: -20 }, 'from line -20'],
  [{ path: 'a.txt', chars: { line: 7, start: 100 } }, 'line 7'],
  [{ path: 'a.json', where: [{ field: 'status', op: 'eq', value: 'paid' }] }, 'status eq paid'],
  [
    {
      path: 'a.json',
      where: [
        { field: 'id', op: 'in', value: [1, 2] },
        { field: 'x', op: 'exists', value: true },
      ],
    },
    'id in 1,2 and x exists true',
  ],
  [{ path: 'a.json', groupBy: ['status'] }, 'by status'],
  [{}, ''],
  [null, ''],
])('the label of a call has a few words: %j', (input, label) => {
  expect(exploreLabel(input)).toBe(label);
});

test('the label has at most 80 characters for any text of a model', () => {
  fc.assert(fc.property(fc.anything(), (input) => exploreLabel(input).length <= 80));
  expect(exploreLabel({ pattern: 'x'.repeat(1_000_000) })).toHaveLength(80);
  expect(exploreLabel({ where: Array(100_000).fill({ field: 'x'.repeat(1000), op: 'eq', value: {} }) })).toHaveLength(
    80,
  );
});
