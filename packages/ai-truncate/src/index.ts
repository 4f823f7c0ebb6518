/**
 * The public surface: named exports, nothing else. A line added here is a decision about the API.
 * No `node:` module is reachable from here, so it runs in browsers and at the edge.
 */

// A set of tools
export { truncateToolOutputs, type TruncatedTool, type TruncatedTools } from './tools/truncate-tool-outputs.ts';
export type { ToolTruncation, TruncateToolOutputsOptions } from './tools/tool-set-options.ts';
export type { HintCall, HintOption } from './tools/hint.ts';
export type { AddedTools, DefaultReaderName, TaskAgentName } from './tools/added-tools.ts';

// One output, outside of a tool loop
export { type DeliveredOutput, truncateOutput, type TruncateOutputOptions } from './tools/truncate-output.ts';
export { isTruncatedOutput, type TruncatedOutput } from './protocol/truncated-output.ts';

// A text, without saving it
export { type TruncatedText, truncateText, type TruncateTextOptions } from './preview/truncate-text.ts';

// Tool results that pass through no `execute`
export {
  truncateToolResultsMiddleware,
  type TruncateToolResultsOptions,
} from './middleware/truncate-tool-results-middleware.ts';

// A long conversation
export {
  type BoundMessagesOptions,
  boundMessages,
  type EvictionEvent,
} from './middleware/history/bound-messages.ts';
export { estimateTokens } from './text/estimate-tokens.ts';

// Options: limits, previews, storage, events
export {
  type KeepFunction,
  type KeepInput,
  type MarkedLine,
  type PreviewKeep,
  type TruncationLimits,
  unifiedLimits,
} from './preview/limits.ts';
export { type SummarizeOptions, summarize, type SummaryEvent } from './extras/summarize.ts';
export type { RedactOption } from './text/redactor.ts';
export type { OutputStorage } from './delivery/delivery.ts';
export type { Scope } from './artifacts/resolve-scope.ts';
export type { OutputEvent, TruncationEvent } from './delivery/events.ts';

// Readers: tools with which a model reads saved outputs
export { type ArtifactTools, createArtifactTools, type ReaderName } from './readers/create-artifact-tools.ts';
export type { ReaderTool } from './readers/create-reader.ts';

// Sub-agents: explore, and your own
export { type ExploreAgent, exploreAgent } from './agents/explore/explore-agent.ts';
export type { ExploreAgentOptions } from './agents/explore/options.ts';
export { createTaskTool, type TaskTool } from './agents/task/task-tool.ts';
export type { CreateTaskToolOptions, TaskEvent } from './agents/task/options.ts';
export { type CallableAgent, toSubAgent } from './agents/task/to-sub-agent.ts';
export type {
  SubAgent,
  SubAgentCall,
  SubAgentDescription,
  SubAgentProgress,
  SubAgentResult,
} from './agents/task/sub-agent.ts';

// Artifacts: the saved outputs of one scope
export type { ScopedArtifactsOptions } from './artifacts/scoped-artifacts.ts';
export {
  type ArtifactMatch,
  type RecordsAnswer,
  type ScopedArtifacts,
  searchableArtifacts as scopedArtifacts,
} from './readers/searchable-artifacts.ts';
export type {
  ArtifactInfo,
  ArtifactLine,
  Artifacts,
  ByteWindow,
  LineWindow,
  ListedArtifact,
} from './artifacts/artifacts.ts';
export type { ArtifactContent } from './artifacts/artifact-content.ts';
export { artifactNameOf } from './artifacts/artifact-name.ts';
export {
  type SweepOptions,
  type SweepOutcome,
  type SweepResult,
  sweepArtifacts,
} from './artifacts/sweep-artifacts.ts';

// A store in memory; every other store has its own entry
export { type MemoryStoreOptions, memoryStore } from './stores/memory-store.ts';

// Errors
export { AiTruncateError, type AiTruncateErrorCode, InvalidOptionError } from './errors.ts';
export { TruncatedToolError } from './delivery/tool-error.ts';
