import type { Artifacts } from '../artifacts/artifacts.ts';
import { within } from '../artifacts/within.ts';
import { AiTruncateError } from '../errors.ts';
import { boundedText } from '../protocol/bounded-text.ts';
import { isRecord } from '../protocol/is-record.ts';
import { failure, partial, success } from '../protocol/response-builders.ts';
import { toolErrorOf } from '../protocol/tool-error-of.ts';
import type { ToolResponse } from '../protocol/tool-response.ts';
import { beginningOfText } from './evidence-quote.ts';
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
}

/** Of the answer; an `explore` answers in a few hundred words. */
const MAX_CONCLUSION_CHARS = 6000;
const MAX_EVIDENCE = 20;
const MAX_STATE_CHARS = 300;
/** Of each text in a progress: forty steps of them weigh some 15 kB. */
const MAX_PROGRESS_CHARS = 80;
const MAX_EVIDENCE_IN_PROGRESS = 3;
const SAVE_TIMEOUT_MS = 10_000;

/** How far the agent is, as an output that the next one replaces. The prompt is left out: it would be sent each time. */
export function runningAnswer(
  progress: SubAgentProgress,
  { agent, startedAt }: Pick<TaskCall, 'agent' | 'startedAt'>,
): ToolResponse<TaskData> {
  const { phase, step, maxSteps, tool, label, evidence = [] } = progress;
  const running: TaskProgress = {
    phase: boundedText(String(phase), MAX_PROGRESS_CHARS),
    ...(step !== undefined && { step }),
    ...(maxSteps !== undefined && { max_steps: maxSteps }),
    ...(tool !== undefined && { tool: boundedText(tool, MAX_PROGRESS_CHARS) }),
    ...(label !== undefined && label !== '' && { label: boundedText(label, MAX_PROGRESS_CHARS) }),
  };
  const shown = evidence.slice(-MAX_EVIDENCE_IN_PROGRESS);
  const data: TaskData = {
    agent,
    running,
    conclusion: '',
    evidence: shown.map((each) => ({ ...each, quote: beginningOfText(each.quote, MAX_PROGRESS_CHARS) })),
  };
  const happened = taskWords.running(agent, step, maxSteps);
  return own(partial({ data, happened, next: taskWords.wait, input: { agent }, startedAt, truncationSkip: true }));
}

/** What the agent found, bounded; of a longer answer all is kept. */
export async function finalAnswer(result: SubAgentResult, call: TaskCall): Promise<ToolResponse<TaskData>> {
  const { agent, input, startedAt } = call;
  const facts = { input, startedAt, truncationSkip: true };
  if (result.error !== undefined) return failedAnswer(result, call);
  const { usage, steps, bytesRead, evidence = [], incomplete } = result;
  const checked = evidence.slice(0, MAX_EVIDENCE);
  const kept = await keptConclusion(result.conclusion, call);
  const isPartial = incomplete !== undefined || kept.isCut;
  const state = [
    checked.length > 0 && taskWords.quotes(checked.filter(({ verified }) => verified).length, checked.length),
    incomplete !== undefined && boundedText(incomplete, MAX_STATE_CHARS),
    kept.isCut && taskWords.cut(result.conclusion.length, kept.path),
  ].filter((sentence) => sentence !== false);
  const data: TaskData = {
    agent,
    conclusion: kept.conclusion,
    evidence: checked,
    ...(isPartial && { truncated: true }),
    ...(kept.path !== null && { full_conclusion_path: kept.path }),
    ...costOf({ usage, steps, bytesRead }),
  };
  const said = { ...facts, data: data as never, happened: taskWords.answered(agent, steps), state: state.join(' ') };
  return own(isPartial ? partial({ ...said, next: taskWords.narrow }) : success(said));
}

/** Of other people's errors the name and the status alone: their messages hold addresses and parts of requests. */
function failedAnswer(result: SubAgentResult, { agent, input, startedAt }: TaskCall): ToolResponse<TaskData> {
  const { error, usage, steps, bytesRead } = result;
  const isTimeout =
    (AiTruncateError.isInstance(error) && error.code === 'AGENT_TIMEOUT') || toolErrorOf(error).code === 'TIMEOUT';
  return own(
    failure({
      code: isTimeout ? 'TIMEOUT' : 'EXECUTION_ERROR',
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

const MAX_NAME_CHARS = 60;

function reasonOf(error: unknown): string {
  if (!isRecord(error)) return taskWords.failure('Error', undefined);
  if (AiTruncateError.isInstance(error)) return boundedText(error.message, MAX_STATE_CHARS);
  // What the SDK gave up after several tries tells of the last one.
  const cause = isRecord(error.lastError) ? error.lastError : error;
  const name = typeof cause.name === 'string' && /^\w+$/.test(cause.name) ? cause.name : 'Error';
  const status = typeof cause.statusCode === 'number' ? cause.statusCode : undefined;
  return taskWords.failure(boundedText(name, MAX_NAME_CHARS), status);
}

async function keptConclusion(
  conclusion: string,
  { artifacts, agent, toolCallId, abortSignal }: TaskCall,
): Promise<{ conclusion: string; isCut: boolean; path: string | null }> {
  if (conclusion.length <= MAX_CONCLUSION_CHARS) return { conclusion, isCut: false, path: null };
  const beginning = beginningOfText(conclusion, MAX_CONCLUSION_CHARS);
  try {
    const work = () => artifacts.save(conclusion, { toolName: agent, toolCallId, abortSignal });
    const { path } = await within(SAVE_TIMEOUT_MS, { work, abortSignal, what: 'The store' });
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
