import type { CallCost, ChatMessage, StepCost } from '../agent/chat-message';

/** Characters of one token, where nobody counted tokens: the usual rule of thumb for English text and code. */
export const charsPerToken = 4;

/** The window that the comparison assumes where none is known of the model. */
const assumedWindow = 200_000;

/** What one tool output costs, in tokens: once for the whole, once for what the model is sent. */
export interface CallRow {
  toolCallId: string;
  toolName: string;
  originalBytes: number;
  originalTokens: number;
  sentTokens: number;
  subAgentTokens: number;
}

/** What a chat cost so far, beside what it would have cost with every output sent whole. Everything in tokens. */
export interface ContextCost {
  calls: CallRow[];
  requests: number;
  window: number;
  isWindowKnown: boolean;
  /** No provider counted: they are characters divided by four. */
  isEstimated: boolean;
  /** The model's requests and answers: in the newest request, and over all requests with the sub-agents' own. */
  withTruncation: { newest: number; total: number; subAgents: number };
  /** Computed, never run. An output is paid for again with each later request. */
  without: { newest: number; total: number };
}

/** Adds up what the server wrote beside each answer. */
export function contextCost(messages: readonly ChatMessage[]): ContextCost {
  const steps: StepCost[] = [];
  const calls: (CallCost & { firstLaterStep: number })[] = [];
  let window: number | undefined;
  for (const { metadata } of messages) {
    const stepsBefore = steps.length;
    for (const call of metadata?.calls ?? []) calls.push({ ...call, firstLaterStep: stepsBefore + call.step + 1 });
    steps.push(...(metadata?.steps ?? []));
    window = metadata?.contextWindow ?? window;
  }

  const newestStep = steps.at(-1);
  const newest = newestStep ? newestStep.inputTokens + newestStep.outputTokens : 0;
  const inRequests = sum(steps, ({ inputTokens, outputTokens }) => inputTokens + outputTokens);
  const subAgents = sum(calls, ({ subAgentTokens = 0 }) => subAgentTokens);
  const keptOut = (call: CallCost) => Math.max(0, call.originalChars - call.sentChars) / charsPerToken;
  const sentBefore = (requests: number) => calls.filter(({ firstLaterStep }) => firstLaterStep < requests);

  return {
    calls: calls.map((call) => ({
      toolCallId: call.toolCallId,
      toolName: call.toolName,
      originalBytes: call.originalBytes,
      originalTokens: call.originalChars / charsPerToken,
      sentTokens: call.sentChars / charsPerToken,
      subAgentTokens: call.subAgentTokens ?? 0,
    })),
    requests: steps.length,
    window: window ?? assumedWindow,
    isWindowKnown: window !== undefined,
    isEstimated: steps.some(({ isEstimated }) => isEstimated),
    withTruncation: { newest, total: inRequests + subAgents, subAgents },
    without: {
      newest: newest + sum(sentBefore(steps.length), keptOut),
      total: inRequests + sum(calls, (call) => keptOut(call) * Math.max(0, steps.length - call.firstLaterStep)),
    },
  };
}

function sum<ITEM>(items: readonly ITEM[], amountOf: (item: ITEM) => number): number {
  return items.reduce((total, item) => total + amountOf(item), 0);
}
