import { readFileSync } from 'node:fs';

/**
 * How many tests of one runner passed, failed and were skipped.
 *
 * @typedef {{ passed: number, failed: number, skipped: number }} TestCounts
 */

/**
 * Reads the JSON report that a test runner wrote.
 *
 * @param {string} file
 * @returns {TestCounts | undefined} Nothing when the runner wrote no report: it crashed before its first test.
 */
export function readTestReport(file) {
  try {
    return countTests(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/**
 * Counts the tests in a report of Vitest or Playwright.
 *
 * @param {Record<string, any>} report
 * @returns {TestCounts}
 */
export function countTests(report) {
  if (report.stats) {
    // Playwright. A flaky test failed at least once.
    const { expected, unexpected, flaky, skipped } = report.stats;
    return { passed: expected, failed: unexpected + flaky, skipped };
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
