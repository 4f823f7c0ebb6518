import { progressRun } from '../task/progress-run.ts';
import type { SubAgent, SubAgentCall, SubAgentProgress, SubAgentResult } from '../task/sub-agent.ts';
import { exploreWords } from './explore-words.ts';
import { type ExploreAgentOptions, exploreBudget, requireExploreOptions } from './options.ts';
import { explore } from './search.ts';

/** A sub-agent that tells how far it is, and yields its result last. */
export interface ExploreAgent extends SubAgent {
  run(prompt: string, call: SubAgentCall): AsyncIterable<SubAgentProgress | SubAgentResult>;
}

/** It ends by itself before: what else could hang is the code around it. */
const TIMEOUT_MARGIN_MS = 30_000;

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
