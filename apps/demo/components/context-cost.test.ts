import { expect, test } from 'vitest';
import type { CallCost, ChatMessage, ChatMetadata } from '../agent/chat-message';
import { contextCost } from './context-cost';

const step = { inputTokens: 1000, outputTokens: 100, isEstimated: true };
const log: CallCost = {
  toolCallId: 'log',
  toolName: 'readServerLogs',
  step: 0,
  originalChars: 4_000_000,
  originalBytes: 4_000_000,
  sentChars: 4000,
};

function answer(metadata: ChatMetadata): ChatMessage {
  return { id: crypto.randomUUID(), role: 'assistant', parts: [], metadata };
}

test('a new chat costs nothing', () => {
  expect(contextCost([])).toMatchObject({ calls: [], requests: 0, withTruncation: { newest: 0, total: 0 } });
});

test('an output is paid for again in each request after its own', () => {
  const { without, withTruncation } = contextCost([answer({ steps: [step, step, step], calls: [log] })]);
  expect(withTruncation.total).toBe(3300);
  expect(without.total).toBe(3300 + 2 * 999_000);
  expect(without.newest).toBe(1100 + 999_000);
});

test('the requests of later answers pay for an output too', () => {
  const { without } = contextCost([answer({ steps: [step, step], calls: [log] }), answer({ steps: [step] })]);
  expect(without.total).toBe(3300 + 2 * 999_000);
});

test('an output that no request has contained yet has no cost yet', () => {
  expect(contextCost([answer({ steps: [step], calls: [log] })]).without).toEqual({ newest: 1100, total: 1100 });
});

test('the savings include the cost of a sub-agent', () => {
  const task = { ...log, toolName: 'task', originalChars: 400, sentChars: 400, subAgentTokens: 7000 };
  const { withTruncation, without } = contextCost([answer({ steps: [step, step], calls: [task] })]);
  expect(withTruncation).toMatchObject({ total: 9200, subAgents: 7000 });
  expect(without.total).toBe(2200);
});

test('a known context window differs from an assumed one', () => {
  expect(contextCost([answer({ contextWindow: 400_000 })])).toMatchObject({ window: 400_000, isWindowKnown: true });
  expect(contextCost([])).toMatchObject({ window: 200_000, isWindowKnown: false });
});
