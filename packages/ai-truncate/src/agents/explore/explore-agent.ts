import type { LanguageModel, TelemetryOptions } from 'ai';
import { InvalidOptionError } from '../../errors.ts';
import { requireOptionalString, requireOptionalWholeNumber, requireOptions } from '../../options.ts';
import { isRecord } from '../../protocol/guards.ts';
import { progressRun } from '../task/progress-run.ts';
import type { SubAgent, SubAgentCall, SubAgentProgress, SubAgentResult } from '../task/sub-agent.ts';
import { exploreWords } from './explore-words.ts';
import { type ExploreBudget, explore } from './search.ts';

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
  const { maxSteps = 12, maxScanBytes = 2 ** 31, maxOutputTokens = 20_000, timeoutMs = 120_000 } = options;
  const budget: ExploreBudget = { maxSteps, maxScanBytes, maxOutputTokens, timeoutMs };
  return {
    description: exploreWords.description,
    useWhen: exploreWords.useWhen,
    timeoutMs: timeoutMs + TIMEOUT_MARGIN_MS,
    run: (prompt, { artifacts, abortSignal }) =>
      progressRun((call) => explore(prompt, { ...options, ...call, budget, artifacts }), { abortSignal }),
  };
}

/** Settings of one provider, by its name, as of `generateText`. */
type ProviderOptions = NonNullable<Parameters<typeof import('ai').generateText>[0]['providerOptions']>;

export interface ExploreAgentOptions {
  /** A small, quick one does: it searches, and its quotes are checked. */
  model: LanguageModel;
  /** The report is one of them. 2 to 50. @default 12 */
  maxSteps?: number;
  /** What it may read of artifacts, in all steps. @default 2147483648 (2 GiB) */
  maxScanBytes?: number;
  /**
   * What it may write: counted over all steps, and a step that is begun ends. When it is given the model is told it for each step;
   * otherwise not, as some models refuse a number above their own limit. @default 20000
   */
  maxOutputTokens?: number;
  /** Near the end of it the report is asked for. @default 120000 */
  timeoutMs?: number;
  /** What it should know of your outputs, behind our own instructions. */
  instructions?: string;
  providerOptions?: ProviderOptions;
  telemetry?: TelemetryOptions;
}

const OPTIONS: ReadonlySet<string> = new Set([
  'model',
  'maxSteps',
  'maxScanBytes',
  'maxOutputTokens',
  'timeoutMs',
  'instructions',
  'providerOptions',
  'telemetry',
]);

/** Less than a timer can hold: what waits for it waits a little longer. */
const MAX_TIMEOUT_MS = 2 ** 30;

/** Throws for what could not work, where the option is given. */
export function requireExploreOptions(options: unknown): asserts options is ExploreAgentOptions {
  requireOptions(options, { known: OPTIONS, at: 'explore', expected: 'an object with a `model`' });
  const { model, maxSteps, maxScanBytes, maxOutputTokens, timeoutMs, instructions } = options;
  if (!(isRecord(model) ? typeof model.doGenerate === 'function' : typeof model === 'string' && model !== '')) {
    throw new InvalidOptionError({ option: 'explore.model', value: model, expected: 'a language model' });
  }
  requireOptionalWholeNumber('explore.maxSteps', { value: maxSteps, min: 2, max: 50 });
  requireOptionalWholeNumber('explore.maxScanBytes', { value: maxScanBytes, min: 1 });
  requireOptionalWholeNumber('explore.maxOutputTokens', { value: maxOutputTokens, min: 256 });
  requireOptionalWholeNumber('explore.timeoutMs', { value: timeoutMs, min: 1, max: MAX_TIMEOUT_MS });
  requireOptionalString('explore.instructions', instructions);
}
