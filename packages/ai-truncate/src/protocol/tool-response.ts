/** The error codes of the tool response protocol. */
export const toolErrorCodes = [
  'NOT_FOUND',
  'ACCESS_DENIED',
  'PERMISSION_DENIED',
  'INVALID_PARAM',
  'TIMEOUT',
  'INTERNAL_ERROR',
  'EXECUTION_ERROR',
  'CONFLICT',
  'IS_DIRECTORY',
  'BINARY_FILE',
] as const;

export type ToolErrorCode = (typeof toolErrorCodes)[number];

/**
 * - `success`: done, complete.
 * - `partial`: usable, but cut, degraded, a dry run, or done only for some items.
 * - `error`: no usable result.
 */
export type ToolResponseStatus = 'success' | 'partial' | 'error';

export interface ToolResponseError {
  /** One of {@link toolErrorCodes}, or a code of the tool's own. */
  code: ToolErrorCode | (string & {});
  message: string;
}

/** What an answer cost. `time_ms` is always there; a tool may add counts of its own. */
export interface ToolResponseStats {
  time_ms: number;
  [key: string]: number | string;
}

/** What was asked, and where. */
export interface ToolResponseContext {
  /** The working directory, relative to the project root. */
  cwd: string;
  params_input: unknown;
  path_resolved?: string;
  [key: string]: unknown;
}

/**
 * The one shape in which tools of this package answer, so that models, logs and UI code read every answer alike.
 * Nothing else stands at the top level.
 */
export interface ToolResponse<DATA extends object = Record<string, unknown>> {
  status: ToolResponseStatus;
  data: DATA;
  /** For the model: what happened, in what state, what to do next. Never empty. */
  text: string;
  /** There if and only if `status` is `error`. */
  error?: ToolResponseError;
  stats: ToolResponseStats;
  context: ToolResponseContext;
}
