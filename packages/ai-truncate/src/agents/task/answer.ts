import type { Artifacts } from '../../artifacts/artifacts.ts';
import { withTimeout } from '../../deadlines.ts';
import { withoutUndefined } from '../../options.ts';
import { isRecord } from '../../protocol/guards.ts';
import { type FailureOptions, failure, partial, success } from '../../protocol/response-builders.ts';
import type { CompleteData, ToolFailure, ToolPartial, ToolResponse } from '../../protocol/tool-response.ts';
import { gapRow } from '../../text/frame.ts';
import { byteLength, endOfFirstBytes, shortened, wellFormedText } from '../../text/utf.ts';
import { checkEvidence } from '../evidence/check-evidence.ts';
import { type Evidence, wasLookedUp } from '../evidence/evidence.ts';
import { toAgentFailure } from './failure.ts';
import type { SubAgentProgress, SubAgentResult } from './sub-agent.ts';
import { oneLine, quotedLines, taskWords } from './task-words.ts';
import { type TaskUsage, toTaskUsage } from './usage.ts';

/** The progress of a sub-agent. */
export interface TaskProgress {
  phase: string;
  step?: number;
  max_steps?: number;
  tool?: string;
  label?: string;
}

/** A quote in the envelope of a task. Its keys are snake_case, like all keys inside an envelope. */
// A type, because an interface is not assignable to a record.
export type TaskEvidence = {
  /** The path of an artifact. */
  path: string;
  /** Counted from 1. */
  start_line: number;
  end_line: number;
  quote: string;
  /** Whether the quote is in the artifact. The path, the lines and the quote are then the artifact's own. */
  verified: boolean;
  /** The quote was not looked up, because the store failed or the time was up. It may be in the artifact. */
  unchecked?: true;
};

/** The `data` of a task. */
// A type, because an interface is not assignable to a record.
export type TaskData = {
  agent: string;
  /** Present while the agent works. A later output replaces this one. */
  running?: TaskProgress;
  /** The answer; empty while the agent works. */
  conclusion: string;
  evidence: TaskEvidence[];
  /** The answer is incomplete: a budget ended the work, the agent stopped early, or the conclusion is cut. */
  truncated?: true;
  /** The path of the whole conclusion, when it is cut here. */
  full_conclusion_path?: string;
  steps?: number;
  /** Bytes read from artifacts. */
  bytes_read?: number;
  usage?: TaskUsage;
};

/** One call of the task tool. */
export interface TaskCall {
  agent: string;
  input: unknown;
  startedAt: number;
  artifacts: Artifacts;
  toolCallId: string;
  abortSignal: AbortSignal;
  saveTimeoutMs: number;
}

/** Larger conclusions are cut. `explore` answers in a few hundred words. */
const MAX_CONCLUSION_CHARS = 6000;
/** With these limits, the progress of forty steps is about 15 kB. */
const MAX_EVIDENCE_IN_PROGRESS = 3;
const MAX_QUOTE_IN_PROGRESS = 80;

/** The progress as an output that the next one replaces. It has no prompt, because the prompt would be sent each time. */
export function runningAnswer(
  progress: SubAgentProgress,
  { agent, startedAt }: Pick<TaskCall, 'agent' | 'startedAt'>,
): ToolPartial<TaskData> {
  const { phase, step, maxSteps, tool, label, evidence = [] } = progress;
  const running: TaskProgress = withoutUndefined({ phase, step, max_steps: maxSteps, tool, label });
  const shown = evidence.slice(-MAX_EVIDENCE_IN_PROGRESS);
  const quotes = shown
    .map(toTaskEvidence)
    .map((each) => ({ ...each, quote: shortened(each.quote, MAX_QUOTE_IN_PROGRESS) }));
  const data: TaskData = { agent, running, conclusion: '', evidence: quotes };
  const happened = taskWords.running(agent, step, maxSteps);
  return partial({ data, happened, next: taskWords.wait, input: { agent }, startedAt, truncationSkip: true });
}

/** The result of the agent, bounded. A conclusion that is cut is saved in full. */
export async function finalAnswer(result: SubAgentResult, call: TaskCall): Promise<ToolResponse<TaskData>> {
  const { agent, input, startedAt, artifacts, abortSignal } = call;
  const { error, steps, incomplete } = result;
  if (error !== undefined) {
    const { code, reason } = toAgentFailure(error);
    const data = { agent, conclusion: '', evidence: [], ...costOf(result) };
    const said = { message: taskWords.failed(agent, reason), next: taskWords.tryAgain };
    return failedAnswer({ code, ...said, data, input, startedAt });
  }
  const claims = result.evidence ?? [];
  // Only `checkEvidence` can confirm that a quote exists.
  const evidence = claims.every(wasLookedUp) ? claims : await checkEvidence(artifacts, claims, { abortSignal });
  const shown = await boundedConclusion(result.conclusion, call);
  const isCut = incomplete !== undefined || shown.isCut;
  const state = [
    evidence.length > 0 && taskWords.quotes(evidence),
    incomplete !== undefined && taskWords.incomplete(incomplete),
    shown.isCut && taskWords.cut(result.conclusion.length, shown.path ?? null),
  ];
  const data: TaskData = {
    ...{ agent, conclusion: shown.text, evidence: evidence.map(toTaskEvidence) },
    ...withoutUndefined({ truncated: isCut || undefined, full_conclusion_path: shown.path }),
    ...costOf(result),
  };
  const happened = taskWords.answered(agent, steps);
  const said = { happened, state: state.filter(Boolean).join(' '), input, startedAt, truncationSkip: true };
  // The answer may be based on an invented quote.
  const isDoubtful = evidence.some((each) => !each.verified);
  if (isCut || isDoubtful) return partial({ ...said, data, next: isCut ? taskWords.narrow : taskWords.verify });
  return success({ ...said, data: data as TaskData & CompleteData });
}

function toTaskEvidence({ path, startLine, endLine, quote, verified, unchecked }: Evidence): TaskEvidence {
  return { path, start_line: startLine, end_line: endLine, quote, verified, ...(unchecked && { unchecked }) };
}

/** The answer to a failed task. A refused call has no `data`. */
export function failedAnswer(options: FailureOptions<Partial<TaskData>>): ToolFailure {
  return failure({ ...options, truncationSkip: true });
}

function costOf({ steps, bytesRead, usage }: SubAgentResult): Pick<TaskData, 'steps' | 'bytes_read' | 'usage'> {
  return withoutUndefined({ steps, bytes_read: bytesRead, usage: usage && toTaskUsage(usage) });
}

async function boundedConclusion(
  conclusion: string,
  { artifacts, agent, toolCallId, abortSignal, saveTimeoutMs }: TaskCall,
): Promise<{ text: string; isCut: boolean; path?: string }> {
  if (conclusion.length <= MAX_CONCLUSION_CHARS) return { text: conclusion, isCut: false };
  const cut = { text: shortened(conclusion, MAX_CONCLUSION_CHARS), isCut: true };
  try {
    const work = () => artifacts.save(conclusion, { toolName: agent, toolCallId, abortSignal });
    const { path } = await withTimeout(saveTimeoutMs, { work, abortSignal, what: 'The store' });
    return { ...cut, path };
  } catch {
    abortSignal.throwIfAborted();
    // When the store fails, the rest of the answer is lost, and the text says so.
    return cut;
  }
}

/** Room for a conclusion and twenty places of evidence. */
const MAX_MODEL_BYTES = 16 * 1024;
/** Longer than any text of a task, including the refusal that names 50 agents. */
const MAX_TEXT_CHARS = 4096;
const MAX_PLACES = 20;
const MAX_NAME_CHARS = 64;
const MAX_PATH_CHARS = 200;

/**
 * The part of a task's answer that the main agent sees: what happened, the places of the evidence, and the conclusion. Each line of
 * the conclusion is marked with `>`, so no text of a sub-agent can forge a line of this library. The quotes are only for people,
 * because they are text of tool outputs. This function is pure and accepts any value, because a client may have posted it.
 */
export function taskModelOutput(output: unknown): { type: 'text'; value: string } {
  const { text, data } = isRecord(output) ? output : {};
  const { running, agent, conclusion, evidence } = isRecord(data) ? data : {};
  // A chat contains the output of a running agent only when the run ended there.
  if (isRecord(running)) return { type: 'text', value: taskWords.interrupted(nameOf(agent)) };
  const happened = typeof text === 'string' ? oneLine(text.slice(0, MAX_TEXT_CHARS)) : '';
  const places = Array.isArray(evidence) ? evidence.slice(0, MAX_PLACES).flatMap(placeOf) : [];
  // A character has at least one byte, so no more characters fit.
  const answer = typeof conclusion === 'string' ? conclusion.slice(0, MAX_MODEL_BYTES) : '';
  const rows = [
    happened,
    ...(places.length > 0 ? [taskWords.evidence, ...places] : []),
    ...(answer === '' ? [] : [taskWords.answer, quotedLines(answer)]),
  ];
  return { type: 'text', value: bounded(rows.join('\n')) };
}

function bounded(text: string): string {
  if (byteLength(text) <= MAX_MODEL_BYTES) return text;
  const row = (shown: string) => `\n${gapRow({ lines: 0, from: 0, chars: text.length - shown.length })}`;
  const shown = text.slice(0, endOfFirstBytes(text, MAX_MODEL_BYTES - byteLength(row(''))));
  return shown + row(shown);
}

/** A name as the option `agents` allows it, because a client could replace it with a sentence. */
function nameOf(agent: unknown): string {
  return typeof agent === 'string' ? agent.slice(0, MAX_NAME_CHARS).replace(/[^\w-]/g, '_') : taskWords.anAgent;
}

function placeOf(evidence: unknown): string[] {
  if (!isRecord(evidence)) return [];
  const { path, start_line: start, end_line: end, verified, unchecked } = evidence;
  if (typeof path !== 'string' || typeof start !== 'number' || typeof end !== 'number') return [];
  const shown = path.slice(0, MAX_PATH_CHARS);
  if (verified === true) return [`- ${taskWords.place(oneLine(shown), start, end)}`];
  const doubt = unchecked === true ? taskWords.unchecked : taskWords.notFound;
  // This path was not verified, so a sub-agent may have replaced it with a sentence.
  return [`- ${taskWords.place(encodeURI(wellFormedText(shown)), start, end)} ${doubt}`];
}
