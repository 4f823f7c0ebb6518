/**
 * The public surface: named exports, nothing else. A line added here is a decision about the API.
 * No `node:` module is reachable from here, so it runs in browsers and at the edge.
 */

// A set of tools
export { truncateToolOutputs, type TruncatedTool, type TruncatedTools } from './tools/truncate-tool-outputs.ts';
export type { ToolTruncation, TruncateToolOutputsOptions } from './tools/tool-set-options.ts';
export type { AddedTools, DefaultReaderName, TaskAgentName } from './tools/added-tools.ts';

// Tool results that pass through no `execute`
export {
  truncateToolResultsMiddleware,
  type TruncateToolResultsOptions,
} from './middleware/truncate-tool-results-middleware.ts';

// Readers: tools with which a model reads what was kept
export { type ArtifactTools, createArtifactTools, type ReaderName } from './readers/create-artifact-tools.ts';
export type { ReaderTool } from './readers/create-reader.ts';
export type { ReadArtifactData, ReadArtifactInput } from './readers/read-artifact-tool.ts';
export type { GrepArtifactsData, GrepArtifactsInput, GrepArtifactsMatch } from './readers/grep-artifacts-tool.ts';
export type { QueryArtifactData, QueryArtifactInput } from './readers/query-artifact-tool.ts';
export type { QueryAggregate, QuerySort, RecordQuery } from './query/arguments.ts';
export type { QueryCondition, QueryScalar } from './query/operators.ts';
export type { QueryField } from './query/fields.ts';
export type { ArtifactEntry, ListArtifactsData, ListArtifactsInput } from './readers/list-artifacts-tool.ts';
export type { GlobArtifactsData, GlobArtifactsInput } from './readers/glob-artifacts-tool.ts';

// Sub-agents: one that finds what is not shown, and your own
export { createTaskTool, type TaskInput, type TaskTool } from './agents/task/task-tool.ts';
export type { CreateTaskToolOptions, TaskEvent } from './agents/task/options.ts';
export { type CallableAgent, toSubAgent } from './agents/task/to-sub-agent.ts';
export { checkEvidence } from './agents/evidence/check-evidence.ts';
export type { Evidence, EvidenceClaim } from './agents/evidence/evidence.ts';
export { type UnreadArtifact, unreadArtifacts } from './extras/unread-artifacts.ts';
export { usageWithTasks } from './agents/task/usage.ts';

// Errors of tools
export { toolErrorMessage, TruncatedToolError } from './delivery/tool-error.ts';

// Text
export { type TruncatedText, type TruncateTextOptions, truncateText } from './preview/truncate-text.ts';

// One output, outside of a tool loop
export { truncateOutput, type DeliveredOutput, type TruncateOutputOptions } from './tools/truncate-output.ts';
export type { Scope } from './artifacts/storage-options.ts';
export type { OutputKeeping } from './delivery/output-keeping.ts';

// What is told of outputs: logs, counts
export type { TruncationEvent } from './delivery/events.ts';
export { logTruncation, type TruncationLogger } from './extras/log-truncation.ts';
export { countOutputs, type OutputCounter, type OutputCounts } from './extras/count-outputs.ts';

// What stands in place of an output that is too large

// Limits
export { defaultLimits, type PreviewKeep, type TruncationLimits } from './preview/limits.ts';
export type { KeepFunction, KeepInput } from './preview/limits.ts';

// A summary as the preview
export { type SummarizeOptions, type SummaryEvent, summarize } from './extras/summarize.ts';

// Artifacts: full outputs, by owner
export { type ScopedArtifactsOptions, scopedArtifacts } from './artifacts/scoped-artifacts.ts';
export type {
  Artifacts,
  ListedArtifact,
  ReadBytesOptions,
  ReadLinesOptions,
  ReadOptions,
  ReadStreamOptions,
  SaveOptions,
} from './artifacts/artifacts.ts';
export type { ArtifactContent } from './artifacts/artifact-content.ts';
export type { ArtifactInfo } from './artifacts/artifact-info.ts';
export type { ArtifactLine, LineWindow } from './artifacts/line-window.ts';
export type { ByteWindow } from './artifacts/byte-window.ts';
export { artifactName } from './artifacts/artifact-name.ts';
export {
  type SweepOptions,
  type SweepResult,
  sweepArtifacts,
} from './artifacts/sweep-artifacts.ts';
export type { SweepBesideSaves, SweepOutcome } from './artifacts/sweep-beside-saves.ts';

// Stores: places for bytes
export {
  type ArtifactStore,
  type CallOptions,
  type GetOptions,
  isKey,
  KeyExistsError,
  type ListOptions,
  type PutOptions,
  requireKey,
  requirePrefix,
  type StoredEntry,
} from './stores/artifact-store.ts';
export { type MemoryStoreOptions, memoryStore } from './stores/memory-store.ts';

// Errors
export { AiTruncateError, type AiTruncateErrorCode, InvalidOptionError } from './errors.ts';
export { ArtifactNotFoundError, ArtifactTooLargeError } from './artifacts/artifacts.ts';
export type {
  ToolResponse,
  ToolResponseContext,
  ToolResponseError,
  ToolResponseStats,
  ToolResponseStatus,
} from './protocol/tool-response.ts';
export { isTruncatedOutput, type TruncatedOutput } from './protocol/truncated-output.ts';
export { exploreAgent, type ExploreAgent } from './agents/explore/explore-agent.ts';
export { exploreInstructions } from './agents/explore/explore-words.ts';
export type {
  SubAgent,
  SubAgentCall,
  SubAgentDescription,
  SubAgentProgress,
  SubAgentResult,
} from './agents/task/sub-agent.ts';
export type { TaskData, TaskProgress } from './agents/task/answer.ts';
export type { TaskUsage } from './agents/task/usage.ts';
export type { ExploreAgentOptions } from './agents/explore/options.ts';
export type { OutputEvent } from './delivery/events.ts';
