import { expect, test } from 'vitest';
import { exploreText } from './explore-text';
import type { ToolResult } from './offline-turn';

const path = 'tool-output/tool_20261118_120000_read_c_0123456789abcdef.txt';
const found = (text: string, input: Record<string, unknown> = {}): ToolResult => ({
  toolName: 'grepArtifacts',
  input: { path, pattern: 'payments', ...input },
  text,
  outcome: 'answered',
});
const next = (question: string, ...results: ToolResult[]) => exploreText({ question, path, results });

test('a search that ran out of time goes on where it ended', () => {
  const first = next('Why did it fail?');
  if (!first || !('toolName' in first)) throw new Error('no search');
  const { pattern } = first.input;
  const unfinished = found('No match so far. Call grepArtifacts with cursor "abc:9:1:44" to go on.', { pattern });
  expect(next('Why did it fail?', unfinished)).toMatchObject({
    toolName: 'grepArtifacts',
    input: { pattern, cursor: 'abc:9:1:44' },
  });
});

test('words that stand in every line are no answer', () => {
  const everywhere = found('Found 400,000 matches.\n<tool-output-preview>\n1: payments\n</tool-output-preview>');
  expect(next('payments', everywhere)).toMatchObject({
    conclusion: 'No line of the output stands out for payments.',
    evidence: [],
  });
});

test('a search without end is given up', () => {
  const unfinished = found('No match so far. Call grepArtifacts with cursor "abc:9:1:44" to go on.');
  expect(next('payments', ...Array.from({ length: 8 }, () => unfinished))).toMatchObject({ evidence: [] });
});
