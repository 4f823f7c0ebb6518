import type { LanguageModelUsage } from 'ai';
import { AiTruncateError } from '../../errors.ts';
import { isRecord } from '../../protocol/guards.ts';
import { shortened } from '../../text/utf.ts';
import { type Evidence, markLookedUp, wasLookedUp } from '../evidence/evidence.ts';
import { toldUsage } from './language-model-usage.ts';
import type { SubAgentProgress, SubAgentResult } from './sub-agent.ts';
import { taskWords } from './task-words.ts';

const MAX_EVIDENCE = 20;
const MAX_PATH_CHARS = 200;
const MAX_QUOTE_CHARS = 500;
const MAX_WORDS = 80;
const MAX_SENTENCE = 300;

/**
 * What a sub-agent yields or gives, as far as it can be used, bounded but for the conclusion: whatever its author's code makes
 * of it goes to a page, a log and a model. Throws for what is neither progress nor a result.
 */
export function toSubAgentValue(value: unknown): SubAgentProgress | SubAgentResult {
  if (isRecord(value) && ('conclusion' in value || 'error' in value)) return toResult(value);
  if (isRecord(value) && typeof value.phase === 'string') return toProgress(value);
  throw new AiTruncateError(taskWords.noResult, { code: 'AGENT_NO_ANSWER' });
}

function toResult(value: Record<string, unknown>): SubAgentResult {
  const { conclusion, evidence, incomplete, usage, steps, bytesRead } = value;
  const hasAnswer = typeof conclusion === 'string' && conclusion.trim() !== '';
  // As in an envelope, `null` is none.
  const noAnswer = value.error ?? undefined;
  return {
    conclusion: hasAnswer ? conclusion : '',
    evidence: Array.isArray(evidence) ? evidence.slice(0, MAX_EVIDENCE).flatMap(toEvidence) : [],
    ...partOf(incomplete, evidence),
    ...usageOf(usage),
    ...count({ steps, bytesRead }),
    ...((!hasAnswer || noAnswer !== undefined) && {
      error: noAnswer ?? new AiTruncateError(taskWords.noAnswer, { code: 'AGENT_NO_ANSWER' }),
    }),
  };
}

/** Why it is not whole: by its own words, and because more was given than is kept. */
function partOf(incomplete: unknown, evidence: unknown): { incomplete?: string } {
  const pieces = Array.isArray(evidence) ? evidence.length : 0;
  const reasons = [
    ...(typeof incomplete === 'string' ? [shortened(incomplete, MAX_SENTENCE)] : []),
    ...(pieces > MAX_EVIDENCE ? [taskWords.evidenceCut(MAX_EVIDENCE, pieces)] : []),
  ];
  return reasons.length > 0 ? { incomplete: reasons.join(' ') } : {};
}

function toProgress(value: Record<string, unknown>): SubAgentProgress {
  const { phase, tool, label, step, maxSteps, usage, bytesRead, evidence } = value;
  return {
    phase: shortened(String(phase), MAX_WORDS),
    ...words({ tool, label }),
    ...count({ step, maxSteps, bytesRead }),
    ...usageOf(usage),
    ...(Array.isArray(evidence) && { evidence: evidence.slice(-MAX_EVIDENCE).flatMap(toEvidence) }),
  };
}

function toEvidence(value: unknown): Evidence[] {
  if (!isRecord(value)) return [];
  const { path, start_line, end_line, quote, verified, unchecked } = value;
  if (typeof path !== 'string' || typeof quote !== 'string') return [];
  if (!Number.isSafeInteger(start_line) || !Number.isSafeInteger(end_line)) return [];
  const isKnown = wasLookedUp(value);
  const evidence: Evidence = {
    path: shortened(path, MAX_PATH_CHARS),
    start_line: start_line as number,
    end_line: end_line as number,
    quote: shortened(quote, MAX_QUOTE_CHARS),
    verified: isKnown && verified === true,
    ...(isKnown && unchecked === true && { unchecked }),
  };
  return [isKnown ? markLookedUp(evidence) : evidence];
}

function usageOf(told: unknown): { usage?: LanguageModelUsage } {
  const usage = toldUsage(told);
  return usage ? { usage } : {};
}

function words<NAME extends string>(values: Record<NAME, unknown>): { [KEY in NAME]?: string } {
  const given = Object.entries(values).filter(([, value]) => typeof value === 'string' && value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, shortened(value as string, MAX_WORDS)])) as never;
}

function count<NAME extends string>(values: Record<NAME, unknown>): { [KEY in NAME]?: number } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value))) as never;
}
