import { expect, test } from 'vitest';
import type { ChatMessage } from '../agent/chat-message';
import { answerResult } from './answer-result';

const truncation = {
  direction: 'auto',
  reason: 'bytes',
  max_lines: 2_000,
  max_bytes: 51_200,
  original_lines: 400_000,
  original_bytes: 40_000_000,
  original_chars: 40_000_000,
  kept_lines: 150,
  kept_bytes: 15_000,
  full_output_path: 'tool-output/tool_1.txt',
  media_type: 'text/plain',
};
const output = (changes: Partial<Record<keyof typeof truncation, unknown>> = {}) => ({
  status: 'partial',
  text: 'readServerLogs succeeded.',
  data: { truncated: true, preview: 'one line', truncation: { ...truncation, ...changes } },
  stats: {},
  context: {},
});
const call = (toolName: string, value: unknown) => ({
  type: `tool-${toolName}`,
  toolCallId: toolName,
  state: 'output-available',
  input: {},
  output: value,
});
const cost = (originalChars: number, sentChars: number) => ({
  toolCallId: 'c',
  toolName: 't',
  step: 0,
  originalChars,
  originalBytes: originalChars,
  sentChars,
});
const answer = (parts: unknown[], calls: unknown[] = []) =>
  ({ id: '1', role: 'assistant', parts, metadata: { calls } }) as unknown as ChatMessage;

test('the result of an answer is that of its largest output, with the tokens that all outputs kept out', () => {
  const parts = [
    call('runTests', output({ original_bytes: 60_000 })),
    call('readServerLogs', output()),
    call('readFile', 'small'),
  ];
  const result = answerResult(answer(parts, [cost(60_000, 20_000), cost(40_000_000, 16_000), cost(5, 5)]));
  expect(result).toEqual({
    toolName: 'readServerLogs',
    bytes: { full: 40_000_000, shown: 15_000 },
    lines: { full: 400_000, shown: 150 },
    tokensKeptOut: (40_000 + 39_984_000) / 4,
    path: 'tool-output/tool_1.txt',
  });
});

test('records are counted in bytes only', () => {
  const parts = [call('queryOrders', output({ media_type: 'application/json' }))];
  expect(answerResult(answer(parts))).not.toHaveProperty('lines');
});

test('an answer whose outputs are small has no result', () => {
  expect(answerResult(answer([call('readFile', 'small'), { type: 'text', text: 'Done.' }]))).toBeUndefined();
});
