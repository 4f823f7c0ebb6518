import type { LanguageModelUsage } from 'ai';

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
