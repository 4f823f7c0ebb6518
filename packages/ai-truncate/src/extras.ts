/** `ai-truncate/extras`: logging, counts, and checks of sub-agents' conclusions. */

// Evidence of sub-agents
export { checkEvidence } from './agents/evidence/check-evidence.ts';
export type { Evidence, EvidenceClaim } from './agents/evidence/evidence.ts';
export { exploreInstructions } from './agents/explore/explore-words.ts';
export { type TaskUsage, usageWithTasks } from './agents/task/usage.ts';
// The parameters of methods of artifacts
export type {
  ReadBytesOptions,
  ReadLinesOptions,
  ReadOptions,
  ReadStreamOptions,
  SaveOptions,
} from './artifacts/artifacts.ts';
// Logs and counts
export { countOutputs, type OutputCounter, type OutputCounts } from './extras/count-outputs.ts';
export { logTruncation, type TruncationLogger } from './extras/log-truncation.ts';
export { type UnreadArtifact, unreadArtifacts } from './extras/unread-artifacts.ts';
// Formats of secrets, for the option `redact`
export type { RedactOptions, RedactPattern, SecretPattern } from './text/redactor.ts';
export { secretPatterns } from './text/secret-patterns.ts';
