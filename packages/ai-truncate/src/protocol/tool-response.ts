/**
 * The error codes of the tool response protocol. Ten codes are enough for a model to choose its next step. A tool may use its
 * own code if none fits.
 */
export const toolErrorCodes = [
  /** The file or path does not exist. */
  'NOT_FOUND',
  /** The path is outside of the project, or this caller has no access to it. */
  'ACCESS_DENIED',
  /** The operating system refused the access (`EACCES`, `EPERM`). */
  'PERMISSION_DENIED',
  /** A parameter is invalid: a wrong regular expression, a number out of range. */
  'INVALID_PARAM',
  /** The time was over before there was any result. With some result, the status is `partial`. */
  'TIMEOUT',
  /** An unexpected failure. */
  'INTERNAL_ERROR',
  /** Reading, writing or running failed: a full disk, a lost connection. */
  'EXECUTION_ERROR',
  /** The target was changed by somebody else after it was read. */
  'CONFLICT',
  /** The path is a directory, but a file was needed. */
  'IS_DIRECTORY',
  /** The file is binary, but text was needed. */
  'BINARY_FILE',
] as const;

/** One of the ten {@link toolErrorCodes}. */
export type ToolErrorCode = (typeof toolErrorCodes)[number];

/**
 * - `success`: complete.
 * - `partial`: usable, but truncated, degraded, a dry run, or only for some items.
 * - `error`: no usable result.
 */
export type ToolResponseStatus = 'success' | 'partial' | 'error';

export interface ToolResponseError {
  /** One of {@link toolErrorCodes}, or the tool's own code. */
  code: ToolErrorCode | (string & {});
  message: string;
}

/** The cost of an answer. `time_ms` is always present. A tool may add its own counts. */
export interface ToolResponseStats {
  time_ms: number;
  [key: string]: number | string;
}

/** The request and its place. */
export interface ToolResponseContext {
  /** The working directory, relative to the project root. */
  cwd: string;
  params_input: unknown;
  /** The resolved path, relative to the project root. */
  path_resolved?: string;
  [key: string]: unknown;
}

/** The members of every answer with any status. */
export interface ToolEnvelope<DATA extends object = Record<string, unknown>> {
  data: DATA;
  /** For the model: what happened, in what state, and what to do next. Never empty. */
  text: string;
  stats: ToolResponseStats;
  context: ToolResponseContext;
}

/** Values that `data` cannot have with `success`, because each of them marks an incomplete result. */
export interface CompleteData {
  truncated?: false;
  fallback?: never;
  applied?: true;
  failed_items?: readonly [];
}

/** Complete. */
export interface ToolSuccess<DATA extends object = Record<string, unknown>> extends ToolEnvelope<DATA> {
  status: 'success';
  error?: never;
}

/** Usable, but incomplete. */
export interface ToolPartial<DATA extends object = Record<string, unknown>> extends ToolEnvelope<DATA> {
  status: 'partial';
  error?: never;
}

/** No usable result. Its `data` helps to find the cause and has no specific type. */
export interface ToolFailure extends ToolEnvelope {
  status: 'error';
  error: ToolResponseError;
}

/**
 * The form in which the tools of this library answer, so that models, logs and UI code read all answers in the same way. Check
 * `status` first: the result is in `data` unless `status` is `error`, and only an answer with status `error` has an `error`.
 *
 * @example
 * if (answer.status !== 'error') console.log(answer.data.matches.length);
 */
export type ToolResponse<DATA extends object = Record<string, unknown>> =
  | ToolSuccess<DATA>
  | ToolPartial<DATA>
  | ToolFailure;

/** The marks that any `data` may have. All except `applied: true`, `truncated: false` and an empty list exclude `success`. */
export interface DataMarks {
  /** Whether the result was truncated. */
  truncated?: boolean | undefined;
  /** The fallback that was used, e.g. `'python'` if ripgrep is missing. */
  fallback?: string | undefined;
  /** The items that failed, out of several. */
  failed_items?: readonly unknown[] | undefined;
  /** Whether the change was actually written; `false` in a dry run. */
  applied?: boolean | undefined;
}

/** One item of a listing. */
export interface Entry {
  /** A POSIX path relative to the project root. For an artifact, the path that the readers accept. */
  path: string;
  type: 'file' | 'dir' | 'link';
}

/** One line with a match of a search. */
export interface Match {
  /** A POSIX path relative to the project root. For an artifact, the path that the readers accept. */
  file: string;
  /** Counted from 1. */
  line: number;
  text: string;
}

/** The data of a tool that lists a directory. */
export interface EntriesData extends DataMarks {
  entries: readonly Entry[];
}

/** The data of a tool that finds files by their names: POSIX paths, relative to the project root. */
export interface PathsData extends DataMarks {
  paths: readonly string[];
}

/** The data of a tool that searches in files: one match per line. */
export interface MatchesData extends DataMarks {
  matches: readonly Match[];
}

/** The data of a tool that reads a file. */
export interface ContentData extends DataMarks {
  content: string;
}

/** The data of a tool that changes something. */
export interface AppliedData extends DataMarks {
  applied: boolean;
}

/** The data of a tool that queries records. */
export interface RowsData extends DataMarks {
  rows: readonly unknown[];
}
