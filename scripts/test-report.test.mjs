import { expect, test } from 'vitest';
import { countTests, readTestReport } from './test-report.mjs';

test('a report of Vitest is counted, with todo tests as skipped', () => {
  const report = { numTotalTests: 10, numPassedTests: 6, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
  expect(countTests(report)).toEqual({ passed: 6, failed: 1, skipped: 3 });
});

test('a report of Playwright is counted, with flaky tests as failed', () => {
  const report = { stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 } };
  expect(countTests(report)).toEqual({ passed: 4, failed: 2, skipped: 2 });
});

test('a missing report differs from an empty report', () => {
  expect(readTestReport('no-such-report.json')).toBeUndefined();
});
