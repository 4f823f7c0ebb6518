import type { Artifacts } from '../../artifacts/artifacts.ts';
import { withTimeout } from '../../deadlines.ts';
import { failure, partial, success } from '../../protocol/response-builders.ts';
import type { ToolResponse } from '../../protocol/tool-response.ts';
import { shortened } from '../../text/utf.ts';
import { checkEvidence } from '../evidence/check-evidence.ts';
import { type Evidence, type EvidenceClaim, wasLookedUp } from '../evidence/evidence.ts';
import { codeOf, reasonOf } from './failure.ts';
import type { SubAgentProgress, SubAgentResult } from './sub-agent.ts';
import { type TaskData, type TaskProgress, toTaskUsage } from './task-data.ts';
import { taskWords } from './task-words.ts';

/** What holds for all answers to one call. */
export interface TaskCall {
  agent: string;
  input: unknown;
  startedAt: number;
  artifacts: Artifacts;
  toolCallId: string;
  abortSignal: AbortSignal;
  saveTimeoutMs: number;
}

/** Of the answer; an `explore` answers in a few hundred words. */
const MAX_CONCLUSION_CHARS = 6000;
/** Forty steps of progress weigh some 15 kB. */
const MAX_EVIDENCE_IN_PROGRESS = 3;
const MAX_QUOTE_IN_PROGRESS = 80;

/** How far the agent is, as an output that the next one replaces. The prompt is left out: it would be sent each time. */
export function runningAnswer(
  progress: SubAgentProgress,
  { agent, startedAt }: Pick<TaskCall, 'agent' | 'startedAt'>,
): ToolResponse<TaskData> {
  const { phase, step, maxSteps, tool, label, evidence = [] } = progress;
  const running: TaskProgress = {
    phase,
    ...(step !== undefined && { step }),
    ...(maxSteps !== undefined && { max_steps: maxSteps }),
    ...(tool !== undefined && { tool }),
    ...(label !== undefined && { label }),
  };
  const shown = evidence.slice(-MAX_EVIDENCE_IN_PROGRESS);
  const quotes = shown.map((each) => ({ ...each, quote: shortened(each.quote, MAX_QUOTE_IN_PROGRESS) }));
  const data: TaskData = { agent, running, conclusion: '', evidence: quotes };
  const happened = taskWords.running(agent, step, maxSteps);
  return own(partial({ data, happened, next: taskWords.wait, input: { agent }, startedAt, truncationSkip: true }));
}

/** What the agent found, bounded; of a longer answer all is kept. */
export async function finalAnswer(result: SubAgentResult, call: TaskCall): Promise<ToolResponse<TaskData>> {
  const { agent, input, startedAt } = call;
  const facts = { input, startedAt, truncationSkip: true };
  if (result.error !== undefined) return failedAnswer(result, call);
  const { usage, steps, bytesRead, incomplete } = result;
  const evidence = await lookedUp(result.evidence ?? [], call);
  const kept = await keptConclusion(result.conclusion, call);
  const isCut = incomplete !== undefined || kept.isCut;
  const verified = evidence.filter((each) => each.verified).length;
  // Not a word of its proof is true: usable, but not what was asked for.
  const isPartial = isCut || (evidence.length > 0 && verified === 0);
  const state = [
    evidence.length > 0 && taskWords.quotes(verified, evidence.length),
    incomplete !== undefined && taskWords.incomplete(incomplete),
    kept.isCut && taskWords.cut(result.conclusion.length, kept.path),
  ].filter((sentence) => typeof sentence === 'string');
  const data: TaskData = {
    agent,
    conclusion: kept.conclusion,
    evidence,
    ...(isCut && { truncated: true }),
    ...(kept.path !== null && { full_conclusion_path: kept.path }),
    ...costOf({ usage, steps, bytesRead }),
  };
  const said = { ...facts, data: data as never, happened: taskWords.answered(agent, steps), state: state.join(' ') };
  return own(isPartial ? partial({ ...said, next: taskWords.narrow }) : success(said));
}

function failedAnswer(result: SubAgentResult, { agent, input, startedAt }: TaskCall): ToolResponse<TaskData> {
  const { error, usage, steps, bytesRead } = result;
  return own(
    failure({
      code: codeOf(error),
      message: taskWords.failed(agent, reasonOf(error)),
      next: taskWords.tryAgain,
      data: { agent, conclusion: '', evidence: [], ...costOf({ usage, steps, bytesRead }) },
      input,
      startedAt,
      truncationSkip: true,
    }),
  );
}

function costOf({ usage, steps, bytesRead }: Pick<SubAgentResult, 'usage' | 'steps' | 'bytesRead'>) {
  return {
    ...(steps !== undefined && { steps }),
    ...(bytesRead !== undefined && { bytes_read: bytesRead }),
    ...(usage && { usage: toTaskUsage(usage) }),
  };
}

/** Nobody but us says that a quote is there. */
async function lookedUp(evidence: readonly EvidenceClaim[], { artifacts, abortSignal }: TaskCall): Promise<Evidence[]> {
  if (evidence.every(wasLookedUp)) return evidence as Evidence[];
  return checkEvidence(artifacts, evidence, { abortSignal });
}

async function keptConclusion(
  conclusion: string,
  { artifacts, agent, toolCallId, abortSignal, saveTimeoutMs }: TaskCall,
): Promise<{ conclusion: string; isCut: boolean; path: string | null }> {
  if (conclusion.length <= MAX_CONCLUSION_CHARS) return { conclusion, isCut: false, path: null };
  const beginning = shortened(conclusion, MAX_CONCLUSION_CHARS);
  try {
    const work = () => artifacts.save(conclusion, { toolName: agent, toolCallId, abortSignal });
    const { path } = await withTimeout(saveTimeoutMs, { work, abortSignal, what: 'The store' });
    return { conclusion: beginning, isCut: true, path };
  } catch {
    abortSignal.throwIfAborted();
    // A store that fails costs the rest of the answer, and the text says so.
    return { conclusion: beginning, isCut: true, path: null };
  }
}

function own(answer: ToolResponse<object>): ToolResponse<TaskData> {
  return answer as ToolResponse<TaskData>;
}
