import { generateText, isStepCount, type LanguageModelUsage, type ModelMessage, type ToolSet } from 'ai';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { AiTruncateError } from '../errors.ts';
import { createArtifactTools } from '../readers/create-artifact-tools.ts';
import { checkEvidence } from './check-evidence.ts';
import { exploreInstructions } from './explore-instructions.ts';
import { exploreLabel } from './explore-label.ts';
import type { ExploreAgentOptions } from './explore-options.ts';
import { type ExploreReport, reportTool } from './explore-report.ts';
import { exploreWords } from './explore-words.ts';
import { addUsage, noUsage } from './language-model-usage.ts';
import { meteredArtifacts } from './metered-artifacts.ts';
import type { SubAgentProgress, SubAgentResult } from './sub-agent.ts';

/** What one search may cost. */
export interface ExploreBudget {
  maxSteps: number;
  maxScanBytes: number;
  maxOutputTokens: number;
  /** Whether the model is told its part of the tokens: some models refuse a number that is larger than what they can. */
  isTold: boolean;
  timeoutMs: number;
}

export interface ExploreRun extends ExploreAgentOptions {
  budget: ExploreBudget;
  artifacts: Artifacts;
  abortSignal: AbortSignal;
  onProgress(progress: SubAgentProgress): void;
}

/** Of the time, so that the report has the rest. */
const SEARCH_PART = 0.75;
/** What a report needs, however much was written before it. */
const REPORT_TOKENS = 1024;

/**
 * One search: the model reads until it reports or a budget ends it, then the report is asked for, then its quotes are checked.
 * Rejects only when the caller aborts: a failure is a result too, with what it has cost.
 */
export async function explore(prompt: string, run: ExploreRun): Promise<SubAgentResult> {
  const { budget, abortSignal } = run;
  const startedAt = performance.now();
  const meter = meteredArtifacts(run.artifacts, { maxBytes: budget.maxScanBytes });
  const timeout = startTimeout(budget.timeoutMs);
  let report: ExploreReport | undefined;
  let usage: LanguageModelUsage = noUsage;
  let steps = 0;

  const endedBy = (): string | undefined => {
    if (steps >= budget.maxSteps - 1) return exploreWords.endedBy.steps(budget.maxSteps);
    if ((usage.outputTokens ?? 0) >= budget.maxOutputTokens) return exploreWords.endedBy.tokens(budget.maxOutputTokens);
    if (meter.isSpent()) return exploreWords.endedBy.bytes(budget.maxScanBytes);
    const isLate = performance.now() - startedAt >= budget.timeoutMs * SEARCH_PART;
    return isLate ? exploreWords.endedBy.time(budget.timeoutMs) : undefined;
  };
  const tools: ToolSet = {
    ...createArtifactTools(meter.artifacts),
    report: reportTool((given) => {
      report ??= given;
    }),
  };
  const tokensLeft = () => Math.max(REPORT_TOKENS, budget.maxOutputTokens - (usage.outputTokens ?? 0));
  const settings = {
    model: run.model,
    instructions: [exploreInstructions(), run.instructions].filter(Boolean).join('\n\n'),
    tools,
    abortSignal: AbortSignal.any([abortSignal, timeout.signal]),
    telemetry: { functionId: 'ai-truncate.explore', ...run.telemetry },
    ...(run.providerOptions && { providerOptions: run.providerOptions }),
    prepareStep: () => (budget.isTold ? { maxOutputTokens: tokensLeft() } : undefined),
    onToolExecutionStart: ({ toolCall }: { toolCall: { toolName: string; input: unknown } }) => {
      const at = { step: steps + 1, maxSteps: budget.maxSteps };
      if (toolCall.toolName === 'report') run.onProgress({ phase: 'reporting', ...at });
      else run.onProgress({ phase: 'reading', ...at, tool: toolCall.toolName, label: exploreLabel(toolCall.input) });
    },
    onStepEnd: (step: { usage: LanguageModelUsage }) => {
      steps++;
      usage = addUsage(usage, step.usage);
    },
  };
  const cost = () => ({ usage, steps, bytesRead: meter.bytesRead() });

  try {
    run.onProgress({ phase: 'thinking', step: 1, maxSteps: budget.maxSteps });
    const question: ModelMessage[] = [{ role: 'user', content: prompt }];
    const search = await generateText({
      ...settings,
      messages: question,
      stopWhen: [isStepCount(budget.maxSteps - 1), () => report !== undefined || endedBy() !== undefined],
    });
    const incomplete = report ? undefined : endedBy();
    let text = search.text;
    if (!report) {
      run.onProgress({ phase: 'reporting', step: steps + 1, maxSteps: budget.maxSteps });
      const messages: ModelMessage[] = [
        ...question,
        ...search.responseMessages,
        { role: 'user', content: exploreWords.reportNow },
      ];
      text = (await askForReport(settings, messages)) || text;
    }
    return { ...(await answerOf(report, { text, incomplete })), ...cost() };
  } catch (error) {
    abortSignal.throwIfAborted();
    const reason = timeout.signal.aborted ? timeout.signal.reason : error;
    // A report that came before the failure is as good as any.
    if (report) return { ...(await answerOf(report, { text: '', incomplete: undefined })), ...cost() };
    return { conclusion: '', error: reason, ...cost() };
  } finally {
    timeout.clear();
  }

  async function answerOf(
    given: ExploreReport | undefined,
    { text, incomplete }: { text: string; incomplete: string | undefined },
  ): Promise<Pick<SubAgentResult, 'conclusion' | 'evidence' | 'incomplete' | 'error'>> {
    if (!given) {
      if (text.trim() === '') return { conclusion: '', error: noReport() };
      return { conclusion: text.trim(), evidence: [], incomplete: incomplete ?? exploreWords.noEvidence };
    }
    const evidence = await checkEvidence(run.artifacts, given.claims, {
      abortSignal,
      onChecked: (so) => run.onProgress({ phase: 'checking', step: steps, maxSteps: budget.maxSteps, evidence: so }),
    });
    return { conclusion: given.conclusion, evidence, ...(incomplete !== undefined && { incomplete }) };
  }
}

function noReport(): AiTruncateError {
  return new AiTruncateError(exploreWords.noReport, { code: 'AGENT_NO_ANSWER' });
}

type Settings = Omit<Parameters<typeof generateText>[0], 'prompt' | 'messages' | 'stopWhen'>;

/**
 * One step in which the model has to report; gives what it says instead, if it does not. The choice is forced first: where a
 * provider or a model refuses that (Anthropic while it thinks), it is asked.
 */
async function askForReport(settings: Settings, messages: ModelMessage[]): Promise<string> {
  const ask = { ...settings, messages, stopWhen: isStepCount(1) } as Parameters<typeof generateText>[0];
  try {
    return (await generateText({ ...ask, toolChoice: { type: 'tool', toolName: 'report' } })).text;
  } catch {
    settings.abortSignal?.throwIfAborted();
    return (await generateText({ ...ask, activeTools: ['report'] })).text;
  }
}

/** Kept by itself and not by the SDK, whose timeouts cannot be told from those of a provider. */
function startTimeout(timeoutMs: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new AiTruncateError(exploreWords.timedOut(timeoutMs), { code: 'AGENT_TIMEOUT' }));
  }, timeoutMs);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
