import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { LanguageModelMiddleware, TextStreamPart, ToolSet } from 'ai';
import { isTruncatedOutput } from 'ai-truncate/ui';
import type { CallCost, ChatMetadata, StepCost } from './chat-message';
import type { ChatModel } from './chat-model';

/** Metadata is part of a message: it must stay small, also in a run without end. */
const MAX_ENTRIES = 100;

/** Adds up what an answer costs while it is made. */
export interface CostMeter {
  /** Around the model: what it is sent for each tool call is measured there and nowhere else. */
  middleware: LanguageModelMiddleware;
  /** Takes one part of the run; gives the metadata of the message when it changed. */
  onPart(part: TextStreamPart<ToolSet>): ChatMetadata | undefined;
  metadata(): ChatMetadata;
}

/** A meter that goes on where the metadata of the message ends: an answer goes on after an approval. */
export function costMeter({ id, isScripted, contextWindow }: ChatModel, before: ChatMetadata = {}): CostMeter {
  const steps: StepCost[] = [...(before.steps ?? [])];
  const calls: CallCost[] = [...(before.calls ?? [])];
  const createdAt = before.createdAt ?? new Date().toISOString();
  /** Outputs that nothing was cut of: whatever form the model reads them in, nothing was kept out. */
  const whole = new Set<string>();
  let isInStep = false;

  const metadata = (): ChatMetadata => ({
    createdAt,
    model: { id, isScripted },
    ...(contextWindow && { contextWindow }),
    steps: [...steps],
    calls: [...calls],
  });

  return {
    metadata,
    middleware: {
      transformParams: async ({ params }) => {
        const sent = sentCharsOf(params.prompt);
        for (const [index, call] of calls.entries()) {
          const sentChars = sent.get(call.toolCallId);
          if (sentChars === undefined) continue;
          const originalChars = whole.has(call.toolCallId) ? sentChars : call.originalChars;
          calls[index] = { ...call, sentChars, originalChars };
        }
        return params;
      },
    },
    onPart(part) {
      if (part.type === 'start-step') isInStep = true;
      if ((part.type === 'tool-result' && !part.preliminary) || part.type === 'tool-error') {
        // Before the first step of a run stand the calls that the visitor allowed: the request before asked for them.
        const step = isInStep ? steps.length : Math.max(0, steps.length - 1);
        if (part.type === 'tool-result' && !isTruncatedOutput(part.output)) whole.add(part.toolCallId);
        if (calls.length < MAX_ENTRIES) calls.push(callCost(part, step));
        return undefined;
      }
      if (part.type === 'finish-step') {
        isInStep = false;
        const { inputTokens = 0, outputTokens = 0 } = part.usage;
        if (steps.length < MAX_ENTRIES) steps.push({ inputTokens, outputTokens, isEstimated: isScripted });
      }
      return part.type === 'start' || part.type === 'finish-step' || part.type === 'finish' ? metadata() : undefined;
    },
  };
}

type EndedCall = Extract<TextStreamPart<ToolSet>, { type: 'tool-result' | 'tool-error' }>;

function callCost(part: EndedCall, step: number): CallCost {
  const { toolCallId, toolName } = part;
  const output: unknown = part.type === 'tool-error' ? String(part.error) : part.output;
  if (isTruncatedOutput(output)) {
    const { original_chars: originalChars, original_bytes: originalBytes } = output.data.truncation;
    return {
      toolCallId,
      toolName,
      step,
      originalChars,
      originalBytes,
      sentChars: output.text.length + output.data.preview.length,
    };
  }
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  const subAgentTokens = subAgentTokensOf(output);
  return {
    toolCallId,
    toolName,
    step,
    originalChars: text.length,
    originalBytes: Buffer.byteLength(text),
    sentChars: text.length,
    ...(subAgentTokens !== undefined && { subAgentTokens }),
  };
}

/** A sub-agent tells in its envelope what it spent. */
function subAgentTokensOf(output: unknown): number | undefined {
  const usage = (output as { data?: { usage?: { total_tokens?: unknown } } } | undefined)?.data?.usage;
  return typeof usage?.total_tokens === 'number' ? usage.total_tokens : undefined;
}

/** By tool call, the characters that stand for its output in the prompt. */
function sentCharsOf(prompt: LanguageModelV4Prompt): Map<string, number> {
  const sent = new Map<string, number>();
  for (const message of prompt) {
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-result') sent.set(part.toolCallId, charsOf(part.output));
    }
  }
  return sent;
}

function charsOf(output: { type: string; value?: unknown }): number {
  if (typeof output.value === 'string') return output.value.length;
  return output.value === undefined ? 0 : JSON.stringify(output.value).length;
}
