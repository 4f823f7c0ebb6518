import { expect, test } from 'vitest';
import type { Ask } from './play';
import { runTests, type TestRun } from './tests-script';
import type { ToolResult } from './turn';

const path = 'tool-output/tool_20261118_120000_run-tests_c_0123456789abcdef.txt';
const run = answered(
  'runTests',
  `runTests succeeded, but its output is incomplete: 200 of 2,531 lines shown. Full output saved to: ${path}
<tool-output-preview>
 FAIL  shipping > IE
Tests  1 failed | 2519 passed (2520)
</tool-output-preview>`,
);
const timeIsUp = answered('grepArtifacts', 'The time was up before the end. Try again, or ask for less.');
const firstHalf = answered(
  'grepArtifacts',
  `Found at least 1 match. The time was up before the end. Call grepArtifacts with cursor "abc:9:1:44" to go on.
<tool-output-preview>
${path}
4:  FAIL  shipping > IE
  - Expected 60
</tool-output-preview>`,
);
const secondHalf = answered('grepArtifacts', 'No more matches.');

function answered(toolName: string, text: string): ToolResult {
  return { toolName, input: {}, text, outcome: 'answered' };
}

/** The next call of a run whose calls were answered like this, or its result. */
function next(...results: ToolResult[]): Ask | TestRun {
  const steps = runTests();
  let step = steps.next();
  for (const result of results) step = steps.next(result);
  return step.value;
}

test('a search that had no time is repeated, and failures are not hidden', () => {
  expect(next(run, timeIsUp)).toMatchObject({ toolName: 'grepArtifacts', input: { path } });
});

test('a search that ended early continues at its end, and the matches of both count', () => {
  expect(next(run, firstHalf)).toMatchObject({ input: { cursor: 'abc:9:1:44' } });
  expect(next(run, firstHalf, secondHalf)).toMatchObject({
    passed: 2519,
    failed: 1,
    failures: [{ name: 'shipping > IE', line: 4, expected: '60' }],
  });
});

test('a search that never ends is given up, and the answer says so', () => {
  const searches = Array.from({ length: 4 }, () => timeIsUp);
  expect(next(run, ...searches)).toMatchObject({ failures: [{ name: expect.stringContaining('ran out of time') }] });
});
