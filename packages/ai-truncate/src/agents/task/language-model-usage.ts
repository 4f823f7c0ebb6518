import type { LanguageModelUsage } from 'ai';
import { isRecord } from '../../protocol/guards.ts';

/**
 * What several runs used together. What one of them does not tell is unknown of all: a sum of the rest would be a number that is
 * too small. `raw` has no sum and is left out; runs that tell nothing at all (`undefined`) are not counted.
 */
export function sumOfUsage(usages: readonly (LanguageModelUsage | undefined)[]): LanguageModelUsage | undefined {
  const known = usages.filter((usage) => usage !== undefined);
  if (known.length === 0) return undefined;
  const sum = (of: (usage: LanguageModelUsage) => number | undefined) =>
    known
      .map(of)
      .reduce((total, tokens) => (total === undefined || tokens === undefined ? undefined : total + tokens), 0);
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    inputTokenDetails: {
      noCacheTokens: sum((usage) => usage.inputTokenDetails?.noCacheTokens),
      cacheReadTokens: sum((usage) => usage.inputTokenDetails?.cacheReadTokens),
      cacheWriteTokens: sum((usage) => usage.inputTokenDetails?.cacheWriteTokens),
    },
    outputTokens: sum((usage) => usage.outputTokens),
    outputTokenDetails: {
      textTokens: sum((usage) => usage.outputTokenDetails?.textTokens),
      reasoningTokens: sum((usage) => usage.outputTokenDetails?.reasoningTokens),
    },
    totalTokens: sum((usage) => usage.totalTokens),
  };
}

/**
 * What somebody else's code tells of its usage, in numbers of tokens; anything else in it is unknown. It is read here once: a
 * member may throw, which is a failure of the agent and not of the tool.
 */
export function toldUsage(told: unknown): LanguageModelUsage | undefined {
  if (!isRecord(told)) return undefined;
  const { inputTokens, inputTokenDetails, outputTokens, outputTokenDetails, totalTokens } = told;
  const { noCacheTokens, cacheReadTokens, cacheWriteTokens } = isRecord(inputTokenDetails) ? inputTokenDetails : {};
  const { textTokens, reasoningTokens } = isRecord(outputTokenDetails) ? outputTokenDetails : {};
  return {
    inputTokens: tokensOf(inputTokens),
    inputTokenDetails: {
      noCacheTokens: tokensOf(noCacheTokens),
      cacheReadTokens: tokensOf(cacheReadTokens),
      cacheWriteTokens: tokensOf(cacheWriteTokens),
    },
    outputTokens: tokensOf(outputTokens),
    outputTokenDetails: { textTokens: tokensOf(textTokens), reasoningTokens: tokensOf(reasoningTokens) },
    totalTokens: tokensOf(totalTokens),
  };
}

function tokensOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
