// How large an answer of a reader may be, and how long it may take.

/** The characters of saved outputs that one answer shows a model, for every reader. */
export const ANSWER_CHARS = 8000;
/** Rows of a query's answer for which the query names no limit. */
export const DEFAULT_ROWS = 20;
export const MAX_ROWS = 200;
/** Sorted rows that can be reached, because all rows up to the end of the answer are held in memory. */
export const MAX_SORTED_ROWS = 2000;
/** A search answers with the matches that it has found by then. */
export const SEARCH_MS = 2000;
/** A search whose matches are streamed to a UI stops by then, and the UI can go on from `next`. */
export const STREAMED_SEARCH_MS = 20_000;
/** A query answers from the records that it has read by then. */
export const QUERY_MS = 20_000;
/** A query answers by then even after a long wait for its turn, because a reader is given up soon after. */
export const QUERY_WITH_WAIT_MS = 28_000;
/** Matching a glob stops by then: the hardest one takes 20 ms for a path. */
export const GLOB_MS = 1000;
/** A reader fails without an answer by then, for example because its store has no time limit. */
export const READER_MS = 30_000;
