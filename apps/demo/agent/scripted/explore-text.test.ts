import { expect, test } from 'vitest';
import { exploreText } from './explore-text';
import type { ToolResult } from './turn';

const path = 'tool-output/tool_20261118_120000_read_c_0123456789abcdef.txt';
const found = (text: string, input: Record<string, unknown> = {}): ToolResult => ({
  toolName: 'grepArtifacts',
  input: { path, pattern: 'payments', ...input },
  text,
  outcome: 'answered',
});
const next = (question: string, ...results: ToolResult[]) => exploreText({ question, path, results });

test('a search that ran out of time continues at its end', () => {
  const first = next('Why did it fail?');
  if (!first || !('toolName' in first)) throw new Error('no search');
  const { pattern } = first.input;
  const unfinished = found('No match so far. Call grepArtifacts with cursor "abc:9:1:44" to go on.', { pattern });
  expect(next('Why did it fail?', unfinished)).toMatchObject({
    toolName: 'grepArtifacts',
    input: { pattern, cursor: 'abc:9:1:44' },
  });
});

test('a search that had no time is repeated', () => {
  const input = { pattern: 'ERROR', cursor: 'abc:9:1:44' };
  const timeIsUp = found('The time was up before the end. Try again, or ask for less.', input);
  expect(next('Why did it fail?', timeIsUp)).toMatchObject({ toolName: 'grepArtifacts', input });
});

test('words that are in every line are not an answer', () => {
  const everywhere = found('Found 400,000 matches.\n<tool-output-preview>\n1: payments\n</tool-output-preview>');
  expect(next('payments', everywhere)).toMatchObject({
    conclusion: 'No line of the output stands out for payments.',
    evidence: [],
  });
});

test('an endless search is given up, and the answer does not claim that there is no match', () => {
  const unfinished = found('No match so far. Call grepArtifacts with cursor "abc:9:1:44" to go on.');
  expect(next('payments', ...Array.from({ length: 8 }, () => unfinished))).toEqual({
    conclusion: 'The search ran out of time before the end of the output.',
    evidence: [],
  });
});

test('a quote that is too long is cut after a whole line', () => {
  const stack = Array.from(
    { length: 5 },
    (_, index) => `${index + 2}:   at Checkout.placeOrder${index} (${'x'.repeat(70)})`,
  );
  const text = [
    'Found 1 match.',
    '<tool-output-preview>',
    '1: ERROR payments failed',
    ...stack,
    '</tool-output-preview>',
  ];
  const window: ToolResult = { ...found(text.join('\n')), toolName: 'readArtifact' };
  const finding = next('payments', found(text.slice(0, 3).join('\n')), window);
  if (!finding || 'toolName' in finding) throw new Error('no finding');
  const quote = finding.evidence[0]?.quote ?? '';
  expect(quote.length).toBeGreaterThan(200);
  expect(
    quote
      .split('\n')
      .slice(1)
      .every((line) => line.endsWith('x)')),
  ).toBe(true);
});
