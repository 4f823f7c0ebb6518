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
import { withoutUndefined } from '../../options.ts';
import { createArtifactTools } from '../../readers/create-artifact-tools.ts';
import { checkEvidence } from '../evidence/check-evidence.ts';
import { startAgentDeadline, toAgentFailure } from '../task/failure.ts';
import { noAnswer, type SubAgentCost, type SubAgentProgress, type SubAgentResult } from '../task/sub-agent.ts';
import { sumOfUsage } from '../task/usage.ts';
import { exploreInstructions, exploreWords } from './explore-words.ts';
import { type MeteredArtifacts, meteredArtifacts } from './metered-artifacts.ts';
import type { ExploreAgentOptions, ExploreBudget } from './options.ts';
import { type ExploreReport, exploreLabel, limitedCalls, reportTool } from './search-tools.ts';

/** The share of the time for reading. The rest is for the report and the check of its quotes. */
const READING_SHARE = 0.75;
/** Bytes that the check of the quotes may read, in addition to the search. */
const CHECK_BYTES = 2 ** 30;
const CHECK_MS = 10_000;

export interface ExploreCall {
  options: ExploreAgentOptions;
  budget: ExploreBudget;
  artifacts: Artifacts;
  /** Aborts when the caller leaves. */
  abortSignal: AbortSignal;
  onProgress(progress: SubAgentProgress): void;
}

/** A search while it runs. */
interface Search extends ExploreCall {
  /** Aborts when the caller leaves and when the time is up. */
  signal: AbortSignal;
  /** Aborts when the time for reading is up. */
  late: AbortSignal;
  endsAt: number;
  readers: MeteredArtifacts;
  checks: MeteredArtifacts;
  /** The question and the messages of the steps that have ended. */
  history: ModelMessage[];
  steps: number;
  usage: LanguageModelUsage | undefined;
  report: ExploreReport | undefined;
}

/**
 * Runs one search: the model calls readers until it reports or a budget ends, then it must report, then its quotes are checked.
 * Rejects only when the caller aborts. A failure is a result too, with its cost.
 */
export async function explore(prompt: string, call: ExploreCall): Promise<SubAgentResult> {
  const { budget, abortSignal, artifacts } = call;
  const timeout = startAgentDeadline(budget.timeoutMs, { abortSignal });
  // Ends a step that hangs, so that earlier results can still be reported. The first step may use all the time.
  const late = startAgentDeadline(budget.timeoutMs * READING_SHARE, { isNeeded: () => search.steps > 0 });
  const search: Search = {
    ...call,
    signal: timeout.signal,
    late: late.signal,
    endsAt: now() + budget.timeoutMs,
    readers: meteredArtifacts(artifacts, { maxBytes: budget.maxScanBytes }),
    checks: meteredArtifacts(artifacts, { maxBytes: CHECK_BYTES }),
    history: [{ role: 'user', content: prompt }],
    steps: 0,
    usage: undefined,
    report: undefined,
  };
  try {
    return { ...(await findAnswer(search)), ...costOf(search) };
  } catch (error) {
    abortSignal.throwIfAborted();
    return { conclusion: '', error: timeout.signal.aborted ? timeout.signal.reason : error, ...costOf(search) };
  } finally {
    timeout.clear();
    late.clear();
  }
}

async function findAnswer(search: Search): Promise<SubAgentResult> {
  search.onProgress(progressOf(search, 'thinking'));
  const read = await readArtifacts(search);
  if (search.report) return checkedReport(search, search.report);
  search.onProgress(progressOf(search, 'reporting'));
  let text = '';
  try {
    text = await askForReport(search);
  } catch (error) {
    search.signal.throwIfAborted();
    // Its text during the search is better than nothing.
    if (read.text.trim() === '') throw error;
  }
  if (search.report) return checkedReport(search, search.report, read.incomplete);
  const conclusion = (text || read.text).trim();
  if (conclusion !== '') return { conclusion, incomplete: read.incomplete ?? exploreWords.noEvidence };
  return { conclusion, error: noAnswer(exploreWords.noReport) };
}

/**
 * Runs steps until there is a report, a budget is used up, or the model stops. Returns the model's text, and the reason if the
 * answer is incomplete.
 */
async function readArtifacts(search: Search): Promise<{ text: string; incomplete?: string | undefined }> {
  const { abortSignal, signal, late, budget, history } = search;
  const isOver = () => search.report !== undefined || spentBudget(search) !== undefined;
  try {
    const call = { messages: history, stopWhen: [isStepCount(budget.maxSteps - 1), isOver] };
    const { text, responseMessages } = await generate(search, { ...call, abortSignal: anySignal([signal, late]) });
    search.history = [...search.history.slice(0, 1), ...responseMessages];
    return { text, incomplete: spentBudget(search) };
  } catch (error) {
    abortSignal.throwIfAborted();
    if (search.report) return { text: '' };
    signal.throwIfAborted();
    // Earlier results can still be reported: often only the last ones were too large for the model.
    if (late.aborted && search.steps > 0) return { text: '', incomplete: spentBudget(search) };
    if (search.steps === 0 || isRefusal(error)) throw error;
    return { text: '', incomplete: exploreWords.endedByError(toAgentFailure(error).reason) };
  }
}

/**
 * Makes the model report, and returns its text if it does not. First, the tool choice forces the report. If the provider refuses that
 * (Anthropic while it thinks), or the model does not obey and has a step left, it is only asked to.
 */
async function askForReport(search: Search): Promise<string> {
  const { abortSignal, signal, history, budget, options } = search;
  const messages: ModelMessage[] = [...history, { role: 'user', content: exploreWords.reportNow }];
  const ask = { messages, stopWhen: isStepCount(1), abortSignal: signal };
  let text = '';
  try {
    ({ text } = await generate(search, { ...ask, ...forcedReport(options.model) }));
    if (search.report || search.steps >= budget.maxSteps) return text;
  } catch (error) {
    abortSignal.throwIfAborted();
    // Another call of the same step hangs or failed.
    if (search.report) return text;
    signal.throwIfAborted();
    if (isRefusal(error)) throw error;
  }
  return (await generate(search, { ...ask, activeTools: ['report'] })).text || text;
}

/** The report as a result, with its quotes checked. */
async function checkedReport(search: Search, report: ExploreReport, incomplete?: string): Promise<SubAgentResult> {
  const { checks, abortSignal, endsAt, onProgress } = search;
  // Limited by its own deadline, because the timeout of the run would lose the report.
  const evidence = await checkEvidence(checks.artifacts, report.claims, {
    abortSignal,
    deadlineMs: Math.ceil(Math.max(1, Math.min(CHECK_MS, endsAt - now()))),
    onChecked: (checked) => onProgress({ ...progressOf(search, 'checking'), step: search.steps, evidence: checked }),
  });
  return { conclusion: report.conclusion, evidence, ...(incomplete !== undefined && { incomplete }) };
}

/** A sentence about the budget that is used up. */
function spentBudget({ budget, steps, usage, readers, late, endsAt }: Search): string | undefined {
  const { maxSteps, maxOutputTokens, maxScanBytes, timeoutMs } = budget;
  if (steps >= maxSteps - 1) return exploreWords.endedBy.steps(maxSteps);
  if ((usage?.outputTokens ?? 0) >= maxOutputTokens) return exploreWords.endedBy.tokens(maxOutputTokens);
  if (readers.isSpent()) return exploreWords.endedBy.bytes(maxScanBytes);
  const isLate = late.aborted || endsAt - now() <= timeoutMs * (1 - READING_SHARE);
  return isLate ? exploreWords.endedBy.time(timeoutMs) : undefined;
}

function costOf({ steps, readers, checks, usage }: Search): SubAgentCost {
  return { steps, bytesRead: readers.bytesRead() + checks.bytesRead(), ...(usage && { usage }) };
}

function progressOf(search: Search, phase: string): SubAgentProgress {
  const { maxSteps } = search.budget;
  return { phase, step: Math.min(search.steps + 1, maxSteps), maxSteps, ...costOf(search) };
}

type GenerateOptions = Parameters<typeof generateText>[0];

/** Runs steps of the model with the readers and the report. Ends in time even when the model ignores its signal. */
function generate(search: Search, call: Partial<GenerateOptions> & { abortSignal: AbortSignal }) {
  const { options, readers, signal, onProgress } = search;
  const { model, instructions, telemetry, providerOptions, maxOutputTokens } = options;
  const { tools, nextStep } = limitedCalls(createArtifactTools(readers.artifacts) as ToolSet);
  const report = reportTool((given) => {
    search.report ??= given;
  });
  const settings = {
    model,
    instructions: [exploreInstructions(), instructions].filter(Boolean).join('\n\n'),
    tools: { ...tools, report } as ToolSet,
    telemetry: { functionId: 'ai-truncate.explore', ...telemetry },
    ...withoutUndefined({ providerOptions, maxOutputTokens }),
    prepareStep({ messages }: { messages: ModelMessage[] }) {
      // Older versions of the SDK begin the next step after an abort.
      signal.throwIfAborted();
      search.history = messages;
      nextStep();
      return undefined;
    },
    onToolExecutionStart({ toolCall: { toolName, input } }: { toolCall: { toolName: string; input: unknown } }) {
      if (toolName === 'report') onProgress(progressOf(search, 'reporting'));
      else onProgress({ ...progressOf(search, 'reading'), tool: toolName, label: exploreLabel(input) });
    },
    onStepEnd({ usage }: { usage: LanguageModelUsage }) {
      search.steps++;
      search.usage = sumOfUsage([search.usage, usage]);
    },
  };
  return untilAborted(generateText({ ...settings, ...call } as GenerateOptions), call.abortSignal);
}

/** Whether the provider would refuse the next request too: no rights, no credit, too many requests, or an outage. */
function isRefusal(error: unknown): boolean {
  const { status } = toAgentFailure(error);
  return status !== undefined && ([401, 402, 403, 404, 429].includes(status) || status >= 500);
}

const REPORT = { type: 'tool', toolName: 'report' } as const;

/**
 * Forces the report by the request to the provider. If the SDK knew the choice, it would throw when a model does not obey, and the
 * text and the cost of the call would be lost. A model that is only a name cannot be wrapped, so this loss remains possible there.
 */
function forcedReport(model: LanguageModel): Pick<GenerateOptions, 'model' | 'toolChoice'> {
  if (typeof model === 'string') return { model, toolChoice: REPORT };
  const transformParams = async ({ params }: { params: CallParams }) => ({ ...params, toolChoice: REPORT });
  return { model: wrapLanguageModel({ model, middleware: { specificationVersion: 'v4', transformParams } }) };
}

type CallParams = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];
