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
