import type { LanguageModelUsage } from 'ai';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import { AiTruncateError } from '../../errors.ts';
import { withoutUndefined } from '../../options.ts';
import { isRecord, isText } from '../../protocol/guards.ts';
import { shortened } from '../../text/utf.ts';
import { type Evidence, type EvidenceClaim, toClaim, wasLookedUp } from '../evidence/evidence.ts';
import { taskWords } from './task-words.ts';
import { numberOf, toldUsage } from './usage.ts';

/** What a sub-agent is given beside its prompt. */
export interface SubAgentCall {
  /** What was kept for the owner of the running call, and nothing of anybody else. */
  artifacts: Artifacts;
  /** Aborts when the caller goes, and when nobody waits for the answer any more. Hand it on to whatever takes time. */
  abortSignal: AbortSignal;
  /** How deep it runs: 1 for an agent that the main agent called. */
  depth: number;
}

/** How far a sub-agent has come. Small: each one is sent to the page. */
export interface SubAgentProgress {
  /** @example 'reading' */
  phase: string;
  step?: number;
  maxSteps?: number;
  /** The tool that it is using. */
  tool?: string;
  /** What it is using it for: a pattern, a range of lines. */
  label?: string;
  /** What has been checked so far. */
  evidence?: readonly Evidence[];
  /** What it has cost so far, for the application: nobody else knows when it is aborted. */
  usage?: LanguageModelUsage;
  bytesRead?: number;
}

/** What a sub-agent found. */
export interface SubAgentResult {
  /** The answer, for the agent that asked. Of any length: what is too long for a conversation is kept and cut. */
  conclusion: string;
  /** Where the answer stands in what was kept, at most 20. What `checkEvidence` has not seen is looked up before anybody is told. */
  evidence?: readonly EvidenceClaim[];
  /** What ended it before it was done, as a sentence: the answer then counts as a part. */
  incomplete?: string;
  /** Why there is no answer. What is thrown comes to the same, but tells nothing of what it has cost. */
  error?: unknown;
  /** What its model used, of all steps. */
  usage?: LanguageModelUsage;
  steps?: number;
  /** What it read of artifacts. */
  bytesRead?: number;
}

export interface SubAgentDescription {
  /** What it does, for the model that chooses. */
  description: string;
  /** When it should be chosen. */
  useWhen?: string;
  /** How long it may take until it counts as failed. @default 600000 (10 minutes) */
  timeoutMs?: number;
}

/** An agent that another one can hand a task to: it has a conversation of its own, and only its answer comes back. */
export interface SubAgent extends SubAgentDescription {
  /** Gives the result, or tells how far it has come and gives the result last. */
  run(
    prompt: string,
    call: SubAgentCall,
  ): PromiseLike<SubAgentResult> | AsyncIterable<SubAgentProgress | SubAgentResult>;
}

/** What an agent has cost. */
export type SubAgentCost = Pick<SubAgentResult, 'usage' | 'steps' | 'bytesRead'>;

/** Tells the result from the progress before it. */
export function isResult(value: SubAgentProgress | SubAgentResult): value is SubAgentResult {
  return 'conclusion' in value;
}

const MAX_EVIDENCE = 20;
const MAX_PATH_CHARS = 200;
const MAX_WORDS = 80;
const MAX_SENTENCE = 300;

/**
 * What a sub-agent yields or gives, as far as it can be used, bounded but for the conclusion: whatever its author's code makes
 * of it goes to a page, a log and a model. Throws for what is neither progress nor a result.
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
    // As in an envelope, `null` is none.
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

/** As `checkEvidence` made it, or as a claim that nobody has looked up yet. */
function toEvidence(value: unknown): Evidence[] {
  if (isRecord(value) && wasLookedUp(value)) return [value];
  const claim = toClaim(value);
  if (!claim) return [];
  const { path, start_line, end_line, quote } = claim;
  return [{ path: shortened(path, MAX_PATH_CHARS), start_line, end_line, quote, verified: false }];
}
