import { z } from 'zod/v4';
import type { AppliedData, ContentData, EntriesData, MatchesData, PathsData, RowsData } from './tool-data.ts';

// One shape per kind of tool. All are open: a tool adds fields of its own beside those that every tool of its kind has.

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
