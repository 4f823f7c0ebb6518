import { expect, test } from 'vitest';
import { inputSummary, inputText } from './tool-input';

test('an input is summarised in one line', () => {
  expect(inputSummary({ service: 'checkout', hours: 24, dryRun: false })).toBe(
    'service: checkout · hours: 24 · dryRun: false',
  );
});

test('long texts and many members are summarised by their beginning', () => {
  const summary = inputSummary({
    path: 'cart.ts',
    patch: `@@ -1 +1 @@\n${'x'.repeat(100_000)}`,
    ...Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, null])),
  });
  expect(summary).toBe('path: cart.ts');
  expect(inputSummary({ query: 'word '.repeat(1000) })).toHaveLength(90);
  expect(inputText({ patch: 'x'.repeat(100_000) }).length).toBeLessThan(21_000);
});

test.each([[{}], [null], [undefined], [[]]])('the input %o says nothing', (input) => {
  expect(inputSummary(input)).toBe('');
});

test('a query shows its conditions, groups and aggregates', () => {
  const query = {
    where: [
      { field: 'status', op: 'eq', value: 'refunded' },
      { field: 'region', op: 'in', value: ['Italy', 'France'] },
    ],
    groupBy: ['product'],
    aggregate: [{ op: 'count' }, { op: 'sum', field: 'total' }],
  };
  expect(inputSummary(query)).toBe('status = refunded and region in Italy, France · by product · count, sum(total)');
  const anything = {
    where: [null, 'x', { field: { a: 1 } }],
    groupBy: Array(100_000).fill('x'.repeat(1000)),
    aggregate: 7,
  };
  expect(inputSummary(anything).length).toBeLessThanOrEqual(90);
});

test('an artifact has the name of its tool', () => {
  const path = '.data/tool-output/c1/tool_20260113_153045_run-tests_call-123_7f3k9q2m4x8p1z5c.txt';
  expect(inputSummary({ path, pattern: 'failed' })).toBe('path: run-tests.txt · pattern: failed');
});
