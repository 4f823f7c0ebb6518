// How large an answer of a reader may be, and how long it may take.

/** The most characters of saved outputs that one answer shows to the model, for every reader. */
export const ANSWER_CHARS = 8000;
/** The rows in the answer to a query that sets no limit. */
export const DEFAULT_ROWS = 20;
export const MAX_ROWS = 200;
/** The most sorted rows that can be reached, because all rows up to the end of the answer are held in memory. */
export const MAX_SORTED_ROWS = 2000;
/** The most artifacts that one call lists or matches with a glob. A later call continues after them. */
export const MAX_LISTED = 1000;
/** A search ends after this time, and answers with the matches so far. */
export const SEARCH_MS = 2000;
/** A search whose matches are streamed to a UI ends after this time. The UI can continue from `next`. */
export const STREAMED_SEARCH_MS = 20_000;
/** A query ends after this time, and answers from the records so far. */
export const QUERY_MS = 20_000;
/** A query answers within this time even after a long wait for its turn, because the reader fails soon after. */
export const QUERY_WITH_WAIT_MS = 28_000;
/** Matching a glob ends after this time. The most expensive glob takes 20 ms for a path. */
export const GLOB_MS = 1000;
/** A reader fails after this time without an answer, for example because its store has no time limit. */
export const READER_MS = 30_000;
