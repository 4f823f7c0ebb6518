import type { LanguageModelUsage } from 'ai';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import type { Evidence, EvidenceClaim } from '../evidence/evidence.ts';

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

/** An agent that another one can hand a task to: it has a conversation of its own, and only its answer comes back. */
export interface SubAgent {
  /** What it does, for the model that chooses. */
  description: string;
  /** When it should be chosen. */
  useWhen?: string;
  /** How long it may take until it counts as failed. @default 600000 (10 minutes) */
  timeoutMs?: number;
  /** Gives the result, or tells how far it has come and gives the result last. */
  run(
    prompt: string,
    call: SubAgentCall,
  ): PromiseLike<SubAgentResult> | AsyncIterable<SubAgentProgress | SubAgentResult>;
}

/** Tells the result from the progress before it. */
export function isResult(value: SubAgentProgress | SubAgentResult): value is SubAgentResult {
  return 'conclusion' in value;
}
