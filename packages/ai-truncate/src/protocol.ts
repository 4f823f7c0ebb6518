/** `ai-truncate/protocol`: the envelope in which tools answer. Beside the root entry, since its schemas need zod. */

// What the model reads
export { responseModelOutput } from './json/response-model-output.ts';
export { type BrokenRule, brokenRules, isToolResponse } from './protocol/broken-rules.ts';
// Builders
export {
  type FailureOptions,
  failure,
  type PartialOptions,
  partial,
  type SuccessOptions,
  success,
} from './protocol/response-builders.ts';
export type { ResponseFacts } from './protocol/response-facts.ts';
export { type ResponseTextOptions, responseText } from './protocol/response-text.ts';
// The forms of older agents
export { type OpenAgenticOutput, toOpenAgentic } from './protocol/to-open-agentic.ts';
export { type OpenCodeOutput, toOpenCode } from './protocol/to-open-code.ts';
export { type ToToolResponseOptions, toToolResponse } from './protocol/to-tool-response.ts';
// What stands in `data`, by kind of tool
export type {
  AppliedData,
  ContentData,
  DataMarks,
  EntriesData,
  Entry,
  Match,
  MatchesData,
  PathsData,
  RowsData,
} from './protocol/tool-data.ts';
export {
  appliedDataSchema,
  contentDataSchema,
  entriesDataSchema,
  matchesDataSchema,
  pathsDataSchema,
  rowsDataSchema,
  truncatedDataSchema,
} from './protocol/tool-data-schemas.ts';
// Errors and answers of older tools
export { toolErrorOf } from './protocol/tool-error-of.ts';
// The envelope
export type {
  ToolAnswer,
  ToolErrorCode,
  ToolFailure,
  ToolPartial,
  ToolResponse,
  ToolResponseContext,
  ToolResponseError,
  ToolResponseStats,
  ToolResponseStatus,
  ToolSuccess,
} from './protocol/tool-response.ts';
export { toolErrorCodes } from './protocol/tool-response.ts';
// Schemas
export { toolResponseSchema, toolResponseSchemaOf } from './protocol/tool-response-schema.ts';
