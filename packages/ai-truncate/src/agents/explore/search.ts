import {
  generateText,
  isStepCount,
  type LanguageModel,
  type LanguageModelMiddleware,
  type LanguageModelUsage,
  type ModelMessage,
  type ToolSet,
  wrapLanguageModel,
} from 'ai';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import { anySignal, now, untilAborted } from '../../deadlines.ts';
import { AiTruncateError } from '../../errors.ts';
import { createArtifactTools } from '../../readers/create-artifact-tools.ts';
import { checkEvidence } from '../evidence/check-evidence.ts';
import { reasonOf, startAgentDeadline, statusOf } from '../task/failure.ts';
import type { SubAgentProgress, SubAgentResult } from '../task/sub-agent.ts';
import { sumOfUsage } from '../task/usage.ts';
import type { ExploreAgentOptions } from './explore-agent.ts';
import { exploreInstructions, exploreWords } from './explore-words.ts';
import { meteredArtifacts } from './metered-artifacts.ts';
import { type ExploreReport, exploreLabel, limitedCalls, reportTool } from './search-tools.ts';

/** What one search may cost. */
export interface ExploreBudget {
  maxSteps: number;
  maxScanBytes: number;
  maxOutputTokens: number;
  timeoutMs: number;
}

export interface ExploreRun extends ExploreAgentOptions {
  budget: ExploreBudget;
  artifacts: Artifacts;
  abortSignal: AbortSignal;
  onProgress(progress: SubAgentProgress): void;
}

/** Of the time, so that the report and the check of its quotes have the rest. */
const SEARCH_PART = 0.75;
/** What the check of the quotes may read beside the search. */
const CHECK_BYTES = 2 ** 30;
const CHECK_MS = 10_000;

/**
 * One search: the model reads until it reports or a budget ends it, then the report is asked for, then its quotes are checked.
 * Rejects only when the caller aborts: a failure is a result too, with what it has cost.
 */
export async function explore(prompt: string, run: ExploreRun): Promise<SubAgentResult> {
  const { budget, abortSignal } = run;
  const endsAt = now() + budget.timeoutMs;
  const timeout = startAgentDeadline(budget.timeoutMs);
  // A step that hangs ends here, if something was found before it that can still be told. The first one has all the time.
  const late = startAgentDeadline(budget.timeoutMs * SEARCH_PART, { isNeeded: () => search.cost().steps !== 0 });
  const signals = {
    abortSignal: anySignal([abortSignal, timeout.signal]),
    late: late.signal,
    left: abortSignal,
  };
  const search = startSearch(prompt, { ...run, ...signals, endsAt });
  try {
    const said = await search.run();
    return { ...said, ...search.cost() };
  } catch (error) {
    abortSignal.throwIfAborted();
    return { conclusion: '', error: timeout.signal.aborted ? timeout.signal.reason : error, ...search.cost() };
  } finally {
    timeout.clear();
    late.clear();
  }
}

interface Search {
  run(): Promise<SubAgentResult>;
  cost(): Pick<SubAgentResult, 'usage' | 'steps' | 'bytesRead'>;
}

function startSearch(
  prompt: string,
  run: ExploreRun & { endsAt: number; late: AbortSignal; left: AbortSignal },
): Search {
  const { budget, abortSignal, late, left, onProgress, endsAt } = run;
  const { maxSteps } = budget;
  const meter = meteredArtifacts(run.artifacts, { maxBytes: budget.maxScanBytes });
  const check = meteredArtifacts(run.artifacts, { maxBytes: CHECK_BYTES });
  let report: ExploreReport | undefined;
  let usage: LanguageModelUsage | undefined;
  let steps = 0;
  /** The question, and what came of it in the steps that have ended. */
  let history: ModelMessage[] = [{ role: 'user', content: prompt }];

  const cost = () => ({ steps, bytesRead: meter.bytesRead() + check.bytesRead(), ...(usage && { usage }) });
  const at = (phase: string) => ({ phase, step: Math.min(steps + 1, maxSteps), maxSteps, ...cost() });
  const readers = limitedCalls(createArtifactTools(meter.artifacts) as ToolSet);
  const settings = {
    model: run.model,
    instructions: [exploreInstructions(), run.instructions].filter(Boolean).join('\n\n'),
    tools: {
      ...readers.tools,
      report: reportTool((given) => {
        report ??= given;
      }),
    } as ToolSet,
    telemetry: { functionId: 'ai-truncate.explore', ...run.telemetry },
    ...(run.providerOptions && { providerOptions: run.providerOptions }),
    ...(run.maxOutputTokens !== undefined && { maxOutputTokens: run.maxOutputTokens }),
    prepareStep({ messages }: { messages: ModelMessage[] }) {
      // Older versions of the SDK go on with the next step all the same.
      abortSignal.throwIfAborted();
      history = messages;
      readers.nextStep();
      return undefined;
    },
    onToolExecutionStart({ toolCall: { toolName, input } }: { toolCall: { toolName: string; input: unknown } }) {
      if (toolName === 'report') onProgress(at('reporting'));
      else onProgress({ ...at('reading'), tool: toolName, label: exploreLabel(input) });
    },
    onStepEnd(step: { usage: LanguageModelUsage }) {
      steps++;
      usage = sumOfUsage([usage, step.usage]);
    },
  };

  /** The budget that is used up. */
  function endedBy(): string | undefined {
    if (steps >= maxSteps - 1) return exploreWords.endedBy.steps(maxSteps);
    if ((usage?.outputTokens ?? 0) >= budget.maxOutputTokens)
      return exploreWords.endedBy.tokens(budget.maxOutputTokens);
    if (meter.isSpent()) return exploreWords.endedBy.bytes(budget.maxScanBytes);
    const isLate = late.aborted || endsAt - now() <= budget.timeoutMs * (1 - SEARCH_PART);
    return isLate ? exploreWords.endedBy.time(budget.timeoutMs) : undefined;
  }

  /** A model that does not listen to its signal ends no later. */
  const generate = (call: object, signal: AbortSignal = abortSignal) =>
    untilAborted(generateText({ ...settings, abortSignal: signal, ...call } as GenerateOptions), signal);

  /** Reads until there is a report, a budget is used up, or the model has said what it has to say. */
  async function look(): Promise<{ text: string; incomplete?: string | undefined }> {
    const isOver = () => report !== undefined || endedBy() !== undefined;
    try {
      const call = { messages: history, stopWhen: [isStepCount(maxSteps - 1), isOver] };
      const { text, responseMessages } = await generate(call, anySignal([abortSignal, late]));
      history = [...history.slice(0, 1), ...responseMessages];
      return { text, incomplete: endedBy() };
    } catch (error) {
      left.throwIfAborted();
      if (report) return { text: '' };
      abortSignal.throwIfAborted();
      // What was found until then can still be told: often the last results were too much for the model.
      if (late.aborted && steps > 0) return { text: '', incomplete: endedBy() };
      if (steps === 0 || isRefusal(error)) throw error;
      return { text: '', incomplete: exploreWords.endedByError(reasonOf(error)) };
    }
  }

  /**
   * The model has to report; gives what it says instead, if it does not. The choice is forced first: where a provider or a
   * model refuses that (Anthropic while it thinks), or does not obey and has a step left, it is asked.
   */
  async function askForReport(): Promise<string> {
    const messages: ModelMessage[] = [...history, { role: 'user', content: exploreWords.reportNow }];
    const ask = { messages, stopWhen: isStepCount(1) };
    let text = '';
    try {
      ({ text } = await generate({ ...ask, ...forcedReport(run.model) }));
      if (report || steps >= maxSteps) return text;
    } catch (error) {
      left.throwIfAborted();
      // Of a step that hangs later, beside the report.
      if (report) return text;
      abortSignal.throwIfAborted();
      if (isRefusal(error)) throw error;
    }
    return (await generate({ ...ask, activeTools: ['report'] })).text || text;
  }

  async function answer({
    text,
    incomplete,
  }: {
    text: string;
    incomplete?: string | undefined;
  }): Promise<SubAgentResult> {
    if (!report) {
      if (text.trim() !== '') return { conclusion: text.trim(), incomplete: incomplete ?? exploreWords.noEvidence };
      return { conclusion: '', error: new AiTruncateError(exploreWords.noReport, { code: 'AGENT_NO_ANSWER' }) };
    }
    // Ended by its deadline and not by the timeout of the run: what is reported would be lost with it.
    const evidence = await checkEvidence(check.artifacts, report.claims, {
      abortSignal: left,
      deadlineMs: Math.ceil(Math.max(1, Math.min(CHECK_MS, endsAt - now()))),
      onChecked: (so) => onProgress({ ...at('checking'), step: steps, evidence: so }),
    });
    return { conclusion: report.conclusion, evidence, ...(incomplete !== undefined && { incomplete }) };
  }

  return {
    cost,
    async run() {
      onProgress(at('thinking'));
      const looked = await look();
      if (report) return answer({ text: looked.text });
      onProgress(at('reporting'));
      let text = '';
      try {
        text = await askForReport();
      } catch (error) {
        abortSignal.throwIfAborted();
        // What it said while it searched is better than nothing.
        if (looked.text.trim() === '') throw error;
      }
      return answer({ ...looked, text: text || looked.text });
    },
  };
}

/** A provider that will not answer the next request either: no right, no credit, too many requests, out of order. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && ([401, 402, 403, 404, 429].includes(status) || status >= 500);
}

type GenerateOptions = Parameters<typeof generateText>[0];

const REPORT = { type: 'tool', toolName: 'report' } as const;

/**
 * Only the provider is told of the choice: the SDK throws where a model does not obey, and what that has cost and said is lost. A
 * model that is only a name cannot be wrapped; of one that does not obey, the cost of that call is not known.
 */
function forcedReport(model: LanguageModel): Pick<GenerateOptions, 'model' | 'toolChoice'> {
  if (typeof model === 'string') return { model, toolChoice: REPORT };
  const transformParams = async ({ params }: { params: CallParams }) => ({ ...params, toolChoice: REPORT });
  return { model: wrapLanguageModel({ model, middleware: { specificationVersion: 'v4', transformParams } }) };
}

type CallParams = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];
