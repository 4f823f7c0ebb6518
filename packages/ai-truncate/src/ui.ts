/**
 * `ai-truncate/ui`: what a chat UI needs to render tool outputs, without the rest of the library. Most of it is types.
 */

// Sub-agents: the input of `task`, and the `data` of its output
export type { TaskData, TaskEvidence, TaskProgress } from './agents/task/answer.ts';
export type { TaskInput } from './agents/task/task-tool.ts';
export type { TaskUsage } from './agents/task/usage.ts';
// The name of an artifact, for links
export { artifactNameOf } from './artifacts/artifact-name.ts';
// The envelope in which every tool of this library answers
export type {
  ToolFailure,
  ToolPartial,
  ToolResponse,
  ToolResponseContext,
  ToolResponseError,
  ToolResponseStats,
  ToolResponseStatus,
  ToolSuccess,
} from './protocol/tool-response.ts';
// An output that was too large
export type { PreviewDirection, TruncatedOutput, Truncation } from './protocol/truncated-output.ts';
export { isTruncatedOutput } from './protocol/truncated-output.ts';
export type { QueryAggregate, QuerySort, RecordQuery } from './query/arguments.ts';
export type { QueryCondition, QueryScalar } from './query/condition.ts';
export type { QueryField } from './query/field-catalog.ts';
// Readers: inputs, and the `data` of their outputs
export type { GlobArtifactsData, GlobArtifactsInput } from './readers/glob-artifacts-tool.ts';
export type { GrepArtifactsData, GrepArtifactsInput, GrepArtifactsMatch } from './readers/grep-artifacts-tool.ts';
export type { ArtifactEntry, ListArtifactsData, ListArtifactsInput } from './readers/list-artifacts-tool.ts';
export type { QueryArtifactData, QueryArtifactInput } from './readers/query-artifact-tool.ts';
export type { ReadArtifactData, ReadArtifactInput } from './readers/read-artifact-tool.ts';
