import { expect, test } from 'vitest';
import type { ToolCallPart } from './tool-call-part';
import { type ToolPhase, toolPhase } from './tool-phase';

const call = { type: 'tool-editFile', toolCallId: 'call', input: {} } as const;
const failedAnswer = {
  status: 'error',
  data: {},
  text: 'The file has changed. Read it again.',
  error: { code: 'CONFLICT', message: 'stale' },
  stats: { time_ms: 1 },
  context: { cwd: '.', params_input: {} },
};

const rows: [string, ToolCallPart, ToolPhase, ToolPhase][] = [
  ['arriving input', { ...call, state: 'input-streaming' }, 'preparing', 'stopped'],
  ['no output yet', { ...call, state: 'input-available' }, 'running', 'stopped'],
  ['a question', { ...call, state: 'approval-requested', approval: { id: 'a' } }, 'asking', 'asking'],
  [
    'an answered question',
    { ...call, state: 'approval-responded', approval: { id: 'a', approved: true } },
    'allowed',
    'stopped',
  ],
  ['a refusal', { ...call, state: 'approval-responded', approval: { id: 'a', approved: false } }, 'denied', 'denied'],
  ['progress', { ...call, state: 'output-available', output: {}, preliminary: true }, 'working', 'stopped'],
  ['an output', { ...call, state: 'output-available', output: 'ok' }, 'done', 'done'],
  [
    'an answer that tells of a failure',
    { ...call, state: 'output-available', output: failedAnswer },
    'failed',
    'failed',
  ],
  ['an error', { ...call, state: 'output-error', errorText: 'no' }, 'failed', 'failed'],
  ['a denied call', { ...call, state: 'output-denied', approval: { id: 'a', approved: false } }, 'denied', 'denied'],
];

test.each(rows)('%s is %3$s while the answer arrives', (_name, part, whileAnswering, afterwards) => {
  expect(toolPhase(part, { isAnswering: true, isLast: true })).toBe(whileAnswering);
  expect(toolPhase(part, { isAnswering: false, isLast: true })).toBe(afterwards);
});

test('a request for approval ends without a decision when another message follows', () => {
  const part: ToolCallPart = { ...call, state: 'approval-requested', approval: { id: 'a' } };
  expect(toolPhase(part, { isAnswering: false, isLast: false })).toBe('undecided');
});
