import { type ExploreAgentOptions, requireExploreOptions } from './explore-options.ts';
import { type ExploreBudget, explore } from './explore-run.ts';
import { exploreWords } from './explore-words.ts';
import { latestValues } from './latest-values.ts';
import type { SubAgent, SubAgentProgress, SubAgentResult } from './sub-agent.ts';

/**
 * The agent that finds what is not shown: it has the five readers over the artifacts of the running call and nothing else, ends
 * within its budgets with a report, and its quotes are checked against the artifacts.
 *
 * `truncateToolOutputs` makes one of its option `explore`; make one yourself to run it without a tool loop.
 *
 * @example
 * const agent = exploreAgent({ model: openai('gpt-5-mini') });
 * const task = createTaskTool({ agents: { explore: agent }, store, scope: chatId });
 */
export function exploreAgent(options: ExploreAgentOptions): SubAgent & {
  run: (...parameters: Parameters<SubAgent['run']>) => AsyncGenerator<SubAgentProgress | SubAgentResult>;
} {
  requireExploreOptions(options);
  const { maxSteps = 12, maxScanBytes = 2 ** 31, maxOutputTokens, timeoutMs = 120_000 } = options;
  const budget: ExploreBudget = {
    maxSteps,
    maxScanBytes,
    maxOutputTokens: maxOutputTokens ?? 20_000,
    isTold: maxOutputTokens !== undefined,
    timeoutMs,
  };
  return {
    description: exploreWords.description,
    useWhen: exploreWords.useWhen,
    async *run(prompt, { artifacts, abortSignal }) {
      const progress = latestValues<SubAgentProgress>();
      const left = new AbortController();
      const signal = abortSignal ? AbortSignal.any([abortSignal, left.signal]) : left.signal;
      const work = explore(prompt, { ...options, budget, artifacts, abortSignal: signal, onProgress: progress.push });
      // Who leaves the loop below never comes to `await work`.
      work.then(progress.close, progress.close);
      try {
        yield* progress.values();
        yield await work;
      } finally {
        left.abort();
      }
    },
  };
}
