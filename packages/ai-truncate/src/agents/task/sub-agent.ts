import type { LanguageModelUsage } from 'ai';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import { AiTruncateError } from '../../errors.ts';
import { withoutUndefined } from '../../options.ts';
import { isRecord, isText } from '../../protocol/guards.ts';
import { shortened } from '../../text/utf.ts';
import { type Evidence, type EvidenceClaim, toClaim, wasLookedUp } from '../evidence/evidence.ts';
import { taskWords } from './task-words.ts';
import { numberOf, toldUsage } from './usage.ts';

/** The second parameter of a sub-agent, after its prompt. */
export interface SubAgentCall {
  /** The saved outputs of the owner of the running call. */
  artifacts: Artifacts;
  /** Aborts when the caller leaves and when the time is up. Pass it on to everything that takes time. */
  abortSignal: AbortSignal;
  /** The depth of the call: 1 for an agent that the main agent called. */
  depth: number;
}

/** The progress of a sub-agent. Keep it small, because each one is sent to the UI. */
export interface SubAgentProgress {
  /** @example 'reading' */
  phase: string;
  step?: number | undefined;
  maxSteps?: number | undefined;
  /** The tool that the agent is using. */
  tool?: string | undefined;
  /** The purpose of the tool call, e.g. a pattern or a range of lines. */
  label?: string | undefined;
  /** The evidence that was checked so far. */
  evidence?: readonly Evidence[] | undefined;
  /** The usage so far. When the agent is aborted, the application knows the cost only from here. */
  usage?: LanguageModelUsage | undefined;
  bytesRead?: number | undefined;
}

/** The result of a sub-agent. */
export interface SubAgentResult {
  /** The answer for the calling agent. If it is too long for a conversation, it is saved in full and cut. */
  conclusion: string;
  /** Quotes that prove the answer, at most 20. Quotes that `checkEvidence` has not checked are checked before the answer is returned. */
  evidence?: readonly EvidenceClaim[] | undefined;
  /** The reason why the agent ended early, as a sentence. The answer then counts as partial. */
  incomplete?: string | undefined;
  /** The reason why there is no answer. An agent may also throw it, but then its cost is unknown. */
  error?: unknown;
  /** The usage of its model in all steps. */
  usage?: LanguageModelUsage | undefined;
  steps?: number | undefined;
  /** The bytes that it read from artifacts. */
  bytesRead?: number | undefined;
}

export interface SubAgentDescription {
  /** A description of the agent, by which the model chooses. */
  description: string;
  /** When to choose this agent, e.g. `'a page has to be seen.'`. */
  useWhen?: string | undefined;
  /** The time after which the task fails. @default 600000 (10 minutes) */
  timeoutMs?: number | undefined;
}

/** An agent that the tool `task` can call. It has its own conversation and returns only its answer. */
export interface SubAgent extends SubAgentDescription {
  /** Returns the result, or yields progress and then the result. */
  run(
    prompt: string,
    call: SubAgentCall,
  ): PromiseLike<SubAgentResult> | AsyncIterable<SubAgentProgress | SubAgentResult>;
}

/** The cost of an agent. */
export type SubAgentCost = Pick<SubAgentResult, 'usage' | 'steps' | 'bytesRead'>;

/** Whether a value is the result, not progress. */
export function isResult(value: SubAgentProgress | SubAgentResult): value is SubAgentResult {
  return 'conclusion' in value;
}

const MAX_EVIDENCE = 20;
const MAX_PATH_CHARS = 200;
const MAX_WORDS = 80;
const MAX_SENTENCE = 300;

/**
 * The usable members of a value that a sub-agent yields or returns. Everything but the conclusion is bounded, because it goes to a
 * UI, a log and a model. Throws for a value that is neither progress nor a result.
 */
export function toSubAgentValue(value: unknown): SubAgentProgress | SubAgentResult {
  if (isRecord(value) && ('conclusion' in value || 'error' in value)) return toResult(value);
  if (isRecord(value) && typeof value.phase === 'string') return toProgress(value);
  throw noAnswer(taskWords.noResult);
}

/** The error of an agent that ended without an answer. */
export function noAnswer(message: string): AiTruncateError {
  return new AiTruncateError(message, { code: 'AGENT_NO_ANSWER' });
}

function toResult(value: Record<string, unknown>): SubAgentResult {
  const { conclusion, evidence, incomplete, usage, steps, bytesRead } = value;
  const claims: unknown[] = Array.isArray(evidence) ? evidence : [];
  const reasons = typeof incomplete === 'string' ? [shortened(incomplete, MAX_SENTENCE)] : [];
  if (claims.length > MAX_EVIDENCE) reasons.push(taskWords.evidenceCut(MAX_EVIDENCE, claims.length));
  return withoutUndefined({
    conclusion: isText(conclusion) ? conclusion : '',
    evidence: claims.slice(0, MAX_EVIDENCE).flatMap(toEvidence),
    incomplete: reasons.length > 0 ? reasons.join(' ') : undefined,
    usage: toldUsage(usage),
    steps: numberOf(steps),
    bytesRead: numberOf(bytesRead),
    // As in an envelope, `null` means no error.
    error: value.error ?? (isText(conclusion) ? undefined : noAnswer(taskWords.noAnswer)),
  });
}

function toProgress(value: Record<string, unknown>): SubAgentProgress {
  const { phase, tool, label, step, maxSteps, usage, bytesRead, evidence } = value;
  return withoutUndefined({
    phase: shortened(String(phase), MAX_WORDS),
    tool: wordsOf(tool),
    label: wordsOf(label),
    step: numberOf(step),
    maxSteps: numberOf(maxSteps),
    bytesRead: numberOf(bytesRead),
    usage: toldUsage(usage),
    evidence: Array.isArray(evidence) ? evidence.slice(-MAX_EVIDENCE).flatMap(toEvidence) : undefined,
  });
}

function wordsOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? shortened(value, MAX_WORDS) : undefined;
}

/** The evidence in a value: as `checkEvidence` returned it, or as an unverified claim. */
function toEvidence(value: unknown): Evidence[] {
  if (isRecord(value) && wasLookedUp(value)) return [value];
  const claim = toClaim(value);
  if (!claim) return [];
  const { path, startLine, endLine, quote } = claim;
  return [{ path: shortened(path, MAX_PATH_CHARS), startLine, endLine, quote, verified: false }];
}
