import type { LanguageModelUsage } from 'ai';

/** The sum of what two runs used; what neither knows stays unknown. `raw` has no sum and is left out. */
export function addUsage(one: LanguageModelUsage, other: LanguageModelUsage): LanguageModelUsage {
  return {
    inputTokens: sum(one.inputTokens, other.inputTokens),
    inputTokenDetails: {
      noCacheTokens: sum(one.inputTokenDetails?.noCacheTokens, other.inputTokenDetails?.noCacheTokens),
      cacheReadTokens: sum(one.inputTokenDetails?.cacheReadTokens, other.inputTokenDetails?.cacheReadTokens),
      cacheWriteTokens: sum(one.inputTokenDetails?.cacheWriteTokens, other.inputTokenDetails?.cacheWriteTokens),
    },
    outputTokens: sum(one.outputTokens, other.outputTokens),
    outputTokenDetails: {
      textTokens: sum(one.outputTokenDetails?.textTokens, other.outputTokenDetails?.textTokens),
      reasoningTokens: sum(one.outputTokenDetails?.reasoningTokens, other.outputTokenDetails?.reasoningTokens),
    },
    totalTokens: sum(one.totalTokens, other.totalTokens),
  };
}

/** Of nothing. */
export const noUsage: LanguageModelUsage = {
  inputTokens: undefined,
  inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined },
  outputTokens: undefined,
  outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
  totalTokens: undefined,
};

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
