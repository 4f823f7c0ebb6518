import { progressRun } from '../task/progress-run.ts';
import type { SubAgent, SubAgentCall, SubAgentProgress, SubAgentResult } from '../task/sub-agent.ts';
import { exploreWords } from './explore-words.ts';
import { type ExploreAgentOptions, exploreBudget, requireExploreOptions } from './options.ts';
import { explore } from './search.ts';

/** A sub-agent that yields its progress, then its result. */
export interface ExploreAgent extends SubAgent {
  run(prompt: string, call: SubAgentCall): AsyncIterable<SubAgentProgress | SubAgentResult>;
}

/** The agent ends by itself before this. The margin is for code around it that could hang. */
const TIMEOUT_MARGIN_MS = 30_000;

/**
 * The agent that searches saved outputs. It has only the five readers, for the artifacts of the running call. It ends within its
 * budgets with a report, and its quotes are checked against the artifacts.
 *
 * `truncateToolOutputs` creates one for its option `explore`. Create one yourself to run it without a tool loop.
 *
 * @example
 * const agent = exploreAgent({ model: openai('gpt-5-mini') });
 * const task = createTaskTool({ agents: { explore: agent }, store, scope: chatId });
 */
export function exploreAgent(options: ExploreAgentOptions): ExploreAgent {
  requireExploreOptions(options);
  const budget = exploreBudget(options);
  return {
    description: exploreWords.description,
    useWhen: exploreWords.useWhen,
    timeoutMs: budget.timeoutMs + TIMEOUT_MARGIN_MS,
    run: (prompt, { artifacts, abortSignal }) =>
      progressRun((work) => explore(prompt, { ...work, options, budget, artifacts }), { abortSignal }),
  };
}
