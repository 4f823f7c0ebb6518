import { z } from 'zod/v4';
import type { AppliedData, ContentData, EntriesData, MatchesData, PathsData, RowsData } from './tool-data.ts';
import type { TruncatedOutput } from './truncated-output.ts';

// One shape per kind of tool. All are open: a tool adds fields of its own beside those that every tool of its kind has.

// Relative to the project root by convention. Not enforced: the readers name the artifacts of a store outside of it.
const path = z.string().min(1, 'a path is never empty');

const marks = {
  truncated: z.boolean().optional(),
  fallback: z.string().min(1).optional(),
  failed_items: z.array(z.unknown()).optional(),
  applied: z.boolean().optional(),
};

/** The `data` of a tool that lists a directory. */
export const entriesDataSchema: z.ZodType<EntriesData> = z.looseObject({
  ...marks,
  entries: z.array(z.looseObject({ path, type: z.enum(['file', 'dir', 'link']) })),
});

/** The `data` of a tool that finds files by their names. */
export const pathsDataSchema: z.ZodType<PathsData> = z.looseObject({ ...marks, paths: z.array(path) });

/** The `data` of a tool that searches in files. */
export const matchesDataSchema: z.ZodType<MatchesData> = z.looseObject({
  ...marks,
  matches: z.array(z.looseObject({ file: path, line: z.int().min(1, 'lines are counted from 1'), text: z.string() })),
});

/** The `data` of a tool that reads a file. */
export const contentDataSchema: z.ZodType<ContentData> = z.looseObject({ ...marks, content: z.string() });

/** The `data` of a tool that changes something. */
export const appliedDataSchema: z.ZodType<AppliedData> = z.looseObject({ ...marks, applied: z.boolean() });

/** The `data` of a tool that queries records. */
export const rowsDataSchema: z.ZodType<RowsData> = z.looseObject({ ...marks, rows: z.array(z.unknown()) });

const count = z.int().min(0);

/** The `data` that the framework puts in place of an output that is too large. */
export const truncatedDataSchema: z.ZodType<TruncatedOutput['data']> = z.looseObject({
  truncated: z.literal(true),
  truncation: z.looseObject({
    direction: z.enum(['head', 'tail', 'ends', 'auto', 'summary', 'custom']),
    reason: z.enum(['lines', 'bytes', 'chars']),
    max_lines: count,
    max_bytes: count,
    original_lines: count,
    original_bytes: count,
    original_chars: count,
    kept_lines: count,
    kept_bytes: count,
    full_output_path: z.string().min(1).nullable(),
    media_type: z.string(),
    running: z.literal(true).optional(),
    expires_at: z.string().optional(),
  }),
  preview: z.string(),
  media: z.array(z.unknown()).optional(),
}) as unknown as z.ZodType<TruncatedOutput['data']>;
