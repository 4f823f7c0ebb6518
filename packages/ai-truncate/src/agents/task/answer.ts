import type { Artifacts } from '../../artifacts/artifacts.ts';
import { withTimeout } from '../../deadlines.ts';
import { withoutUndefined } from '../../options.ts';
import { isRecord } from '../../protocol/guards.ts';
import { type FailureOptions, failure, partial, success } from '../../protocol/response-builders.ts';
import type { CompleteData, ToolResponse } from '../../protocol/tool-response.ts';
import { gapRow } from '../../text/frame.ts';
import { byteLength, endOfFirstBytes, shortened, wellFormedText } from '../../text/utf.ts';
import { checkEvidence } from '../evidence/check-evidence.ts';
import { type Evidence, wasLookedUp } from '../evidence/evidence.ts';
import { toAgentFailure } from './failure.ts';
import type { SubAgentProgress, SubAgentResult } from './sub-agent.ts';
import { oneLine, quotedLines, taskWords } from './task-words.ts';
import { type TaskUsage, toTaskUsage } from './usage.ts';

/** How far a sub-agent has come. */
export interface TaskProgress {
  phase: string;
  step?: number;
  max_steps?: number;
  tool?: string;
  label?: string;
}

/** What stands in the envelope of a task. */
// A type and no interface: only that is a record.
export type TaskData = {
  agent: string;
  /** There while the agent works: another output takes the place of this one. */
  running?: TaskProgress;
  /** The answer; empty while the agent works. */
  conclusion: string;
  evidence: Evidence[];
  /** The answer is not whole: a budget ended it, or the agent stopped early, or it is cut. */
  truncated?: true;
  /** Where all of an answer is that is cut here. */
  full_conclusion_path?: string;
  steps?: number;
  /** Of artifacts. */
  bytes_read?: number;
  usage?: TaskUsage;
};

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
  const running: TaskProgress = withoutUndefined({ phase, step, max_steps: maxSteps, tool, label });
  const shown = evidence.slice(-MAX_EVIDENCE_IN_PROGRESS);
  const quotes = shown.map((each) => ({ ...each, quote: shortened(each.quote, MAX_QUOTE_IN_PROGRESS) }));
  const data: TaskData = { agent, running, conclusion: '', evidence: quotes };
  const happened = taskWords.running(agent, step, maxSteps);
  return partial({ data, happened, next: taskWords.wait, input: { agent }, startedAt, truncationSkip: true });
}

/** What the agent found, bounded. A longer conclusion is saved as a whole. */
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
  const verified = evidence.filter((each) => each.verified).length;
  const state = [
    evidence.length > 0 && taskWords.quotes(verified, evidence.length),
    incomplete !== undefined && taskWords.incomplete(incomplete),
    shown.isCut && taskWords.cut(result.conclusion.length, shown.path ?? null),
  ];
  const data: TaskData = {
    ...{ agent, conclusion: shown.text, evidence: [...evidence] },
    ...withoutUndefined({ truncated: isCut || undefined, full_conclusion_path: shown.path }),
    ...costOf(result),
  };
  const happened = taskWords.answered(agent, steps);
  const said = { happened, state: state.filter(Boolean).join(' '), input, startedAt, truncationSkip: true };
  // Not a word of its proof is true: usable, but not what was asked for.
  const isPartial = isCut || (evidence.length > 0 && verified === 0);
  if (isPartial) return partial({ ...said, data, next: taskWords.narrow });
  return success({ ...said, data: data as TaskData & CompleteData });
}

/** A task without an answer. A call that is refused has no `data`. */
export function failedAnswer(options: FailureOptions<Partial<TaskData>>): ToolResponse<TaskData> {
  return failure({ ...options, truncationSkip: true }) as ToolResponse<object> as ToolResponse<TaskData>;
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
    // A store that fails costs the rest of the answer, and the text says so.
    return cut;
  }
}

/** A conclusion, and twenty places of evidence. */
const MAX_MODEL_BYTES = 16 * 1024;
/** Longer than any sentence about a task, also the one that names 50 agents. */
const MAX_TEXT_CHARS = 4096;
const MAX_PLACES = 20;
const MAX_NAME_CHARS = 64;
const MAX_PATH_CHARS = 200;

/**
 * What the main agent reads of a task: what happened, where the evidence is, and the conclusion. The lines of the conclusion are
 * quoted, so every line without a `>` is ours, and no text of a sub-agent can forge one. The quotes are for people: they are the
 * output's own words. Pure, and for anything that a client may have posted in place of an answer.
 */
export function taskModelOutput(output: unknown): { type: 'text'; value: string } {
  const { text, data } = isRecord(output) ? output : {};
  const { running, agent, conclusion, evidence } = isRecord(data) ? data : {};
  // A model never reads of an agent that works: only a run that ended there leaves such an output in a chat.
  if (isRecord(running)) return { type: 'text', value: taskWords.interrupted(nameOf(agent)) };
  const happened = typeof text === 'string' ? oneLine(text.slice(0, MAX_TEXT_CHARS)) : '';
  const places = Array.isArray(evidence) ? evidence.slice(0, MAX_PLACES).flatMap(placeOf) : [];
  // A character weighs at least a byte: no more than that is ever looked at.
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

/** As `agents` allows them: a client could put a sentence in its place. */
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
  // Nobody found this path: a sub-agent may have written a sentence in its place.
  return [`- ${taskWords.place(encodeURI(wellFormedText(shown)), start, end)} ${doubt}`];
}
