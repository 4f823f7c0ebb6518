/** `ai-truncate/protocol`: the envelope in which tools answer. Beside the root entry, since its schemas need zod. */

// What the model reads
export { responseModelOutput } from './json/response-model-output.ts';
export { toolErrorOf } from './protocol/error-codes.ts';
export { type OpenAgenticOutput, type OpenCodeOutput, toOpenAgentic, toOpenCode } from './protocol/legacy-forms.ts';
export {
  type FailureOptions,
  failure,
  type PartialOptions,
  partial,
  type ResponseFacts,
  type ResponseTextOptions,
  responseText,
  type SuccessOptions,
  success,
} from './protocol/response-builders.ts';
export { type BrokenRule, brokenRules, isToolResponse } from './protocol/rules.ts';
export {
  appliedDataSchema,
  contentDataSchema,
  entriesDataSchema,
  matchesDataSchema,
  pathsDataSchema,
  rowsDataSchema,
  toolResponseSchema,
  toolResponseSchemaOf,
  truncatedDataSchema,
} from './protocol/schemas.ts';
// Builders
// The forms of older agents
export { type ToToolResponseOptions, toToolResponse } from './protocol/to-tool-response.ts';
// What stands in `data`, by kind of tool
// Errors and answers of older tools
// The envelope
// Schemas
export {
  type AppliedData,
  type ContentData,
  type DataMarks,
  type EntriesData,
  type Entry,
  type Match,
  type MatchesData,
  type PathsData,
  type RowsData,
  type ToolAnswer,
  type ToolErrorCode,
  type ToolFailure,
  type ToolPartial,
  type ToolResponse,
  type ToolResponseContext,
  type ToolResponseError,
  type ToolResponseStats,
  type ToolResponseStatus,
  type ToolSuccess,
  toolErrorCodes,
} from './protocol/tool-response.ts';
