/**
 * The error codes of the tool response protocol. Ten are enough for a model to choose its next step; a tool may use a
 * code of its own where none fits.
 */
export const toolErrorCodes = [
  /** The file or path does not exist. */
  'NOT_FOUND',
  /** The path is outside of the project, or of what this caller may see. */
  'ACCESS_DENIED',
  /** The operating system refused it (`EACCES`, `EPERM`). */
  'PERMISSION_DENIED',
  /** A parameter cannot be used: a wrong regular expression, a number out of range. */
  'INVALID_PARAM',
  /** The time was over before there was anything to show. With something to show the status is `partial`. */
  'TIMEOUT',
  /** A failure that nobody foresaw. */
  'INTERNAL_ERROR',
  /** Reading, writing or running failed: a full disk, a lost connection. */
  'EXECUTION_ERROR',
  /** What should be changed was changed by somebody else since it was read. */
  'CONFLICT',
  /** The path is a directory, and a file was needed. */
  'IS_DIRECTORY',
  /** The file is binary, and text was needed. */
  'BINARY_FILE',
] as const;

/** One of the ten {@link toolErrorCodes}. */
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
  /** The path that was meant, relative to the project root. */
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

/** What `data` cannot say beside `success`: each of these marks a result that is not the whole of what was asked. */
export interface CompleteData {
  truncated?: false;
  fallback?: never;
  applied?: true;
  failed_items?: readonly [];
}

/** Done, complete. */
export interface ToolSuccess<DATA extends object = Record<string, unknown>> extends ToolResponse<DATA> {
  status: 'success';
  error?: never;
}

/** Usable, but not the whole of what was asked. */
export interface ToolPartial<DATA extends object = Record<string, unknown>> extends ToolResponse<DATA> {
  status: 'partial';
  error?: never;
}

/** No usable result; what stands in `data` helps to find out why, and has no type of its own. */
export interface ToolFailure extends ToolResponse {
  status: 'error';
  error: ToolResponseError;
}

/** A {@link ToolResponse} told apart by its `status`: where that is `error` there is an `error`, elsewhere none. */
export type ToolAnswer<DATA extends object = Record<string, unknown>> =
  | ToolSuccess<DATA>
  | ToolPartial<DATA>
  | ToolFailure;

/** The marks that any `data` may carry. Each but `applied: true`, `truncated: false` and an empty list excludes `success`. */
export interface DataMarks {
  /** Whether the result was cut. */
  truncated?: boolean | undefined;
  /** The lesser way that was taken, e.g. `'python'` where ripgrep is missing. */
  fallback?: string | undefined;
  /** What could not be done, of several. */
  failed_items?: readonly unknown[] | undefined;
  /** Whether the change was really written; `false` in a dry run. */
  applied?: boolean | undefined;
}

/** One item of a listing. */
export interface Entry {
  /** POSIX, relative to the project root; of an artifact the path by which the readers take it. */
  path: string;
  type: 'file' | 'dir' | 'link';
}

/** One line in which a search found something. */
export interface Match {
  /** POSIX, relative to the project root; of an artifact the path by which the readers take it. */
  file: string;
  /** From 1. */
  line: number;
  text: string;
}

/** What a tool that lists a directory answers. */
export interface EntriesData extends DataMarks {
  entries: readonly Entry[];
}

/** What a tool that finds files by their names answers: POSIX paths, relative to the project root. */
export interface PathsData extends DataMarks {
  paths: readonly string[];
}

/** What a tool that searches in files answers: a line each. */
export interface MatchesData extends DataMarks {
  matches: readonly Match[];
}

/** What a tool that reads a file answers. */
export interface ContentData extends DataMarks {
  content: string;
}

/** What a tool that changes something answers. */
export interface AppliedData extends DataMarks {
  applied: boolean;
}

/** What a tool that queries records answers. */
export interface RowsData extends DataMarks {
  rows: readonly unknown[];
}
