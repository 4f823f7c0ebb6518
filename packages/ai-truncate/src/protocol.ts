/** `ai-truncate/protocol`: the envelope in which tools answer. It is a separate entry, because its schemas need zod. */

// The text that the model sees
export { responseModelOutput } from './json/response-model-output.ts';
// Errors, outputs of older tools, and the forms of older agents
export { toolErrorOf } from './protocol/error-codes.ts';
export { type OpenAgenticOutput, type OpenCodeOutput, toOpenAgentic, toOpenCode } from './protocol/legacy-forms.ts';
// Builders
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
// Rules and schemas
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
export { type ToToolResponseOptions, toToolResponse } from './protocol/to-tool-response.ts';
// The envelope, and its `data` by kind of tool
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
