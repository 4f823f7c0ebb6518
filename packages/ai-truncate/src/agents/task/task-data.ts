import type { LanguageModelUsage } from 'ai';
import { isRecord } from '../../protocol/guards.ts';
import type { Evidence } from '../evidence/evidence.ts';

/** What a sub-agent's model used, of all its steps. Absent is what the provider does not tell. */
export interface TaskUsage {
  input_tokens?: number;
  output_tokens?: number;
  total_tokens?: number;
  no_cache_tokens?: number;
  cache_read_tokens?: number;
  cache_write_tokens?: number;
  text_tokens?: number;
  reasoning_tokens?: number;
}

/** How far a sub-agent has come. */
export interface TaskProgress {
  phase: string;
  step?: number;
  max_steps?: number;
  tool?: string;
  label?: string;
}

/** What stands in the envelope of a task. */
// A type and no interface: only that is a record.
export type TaskData = {
  agent: string;
  /** There while the agent works: another output takes the place of this one. */
  running?: TaskProgress;
  /** The answer; empty while the agent works. */
  conclusion: string;
  evidence: Evidence[];
  /** The answer is not whole: a budget ended it, or the agent stopped early, or it is cut. */
  truncated?: true;
  /** Where all of an answer is that is cut here. */
  full_conclusion_path?: string;
  steps?: number;
  /** Of artifacts. */
  bytes_read?: number;
  usage?: TaskUsage;
};

export function toTaskUsage(usage: LanguageModelUsage): TaskUsage {
  const all: Record<keyof TaskUsage, number | undefined> = {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.totalTokens,
    no_cache_tokens: usage.inputTokenDetails?.noCacheTokens,
    cache_read_tokens: usage.inputTokenDetails?.cacheReadTokens,
    cache_write_tokens: usage.inputTokenDetails?.cacheWriteTokens,
    text_tokens: usage.outputTokenDetails?.textTokens,
    reasoning_tokens: usage.outputTokenDetails?.reasoningTokens,
  };
  return Object.fromEntries(Object.entries(all).filter(([, tokens]) => Number.isFinite(tokens)));
}

/** Of an output of the task tool; `undefined` for anything else. */
export function usageOfTask(output: unknown): LanguageModelUsage | undefined {
  const data = isRecord(output) ? output.data : undefined;
  if (!isRecord(data) || typeof data.agent !== 'string' || !isRecord(data.usage)) return undefined;
  const usage = data.usage;
  const tokens = (name: keyof TaskUsage) => {
    const value = usage[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  };
  return {
    inputTokens: tokens('input_tokens'),
    inputTokenDetails: {
      noCacheTokens: tokens('no_cache_tokens'),
      cacheReadTokens: tokens('cache_read_tokens'),
      cacheWriteTokens: tokens('cache_write_tokens'),
    },
    outputTokens: tokens('output_tokens'),
    outputTokenDetails: { textTokens: tokens('text_tokens'), reasoningTokens: tokens('reasoning_tokens') },
    totalTokens: tokens('total_tokens'),
  };
}
