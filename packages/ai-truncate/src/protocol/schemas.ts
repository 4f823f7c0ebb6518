import { z } from 'zod/v4';
import { requireOption } from '../options.ts';
import { isRecord } from './guards.ts';
import { brokenRules, fieldName, findUnjsonable } from './rules.ts';
import type {
  AppliedData,
  ContentData,
  EntriesData,
  MatchesData,
  PathsData,
  RowsData,
  ToolResponse,
} from './tool-response.ts';
import type { TruncatedOutput } from './truncated-output.ts';

const anyData = z.looseObject({});
const stats = z.looseObject({ time_ms: z.number().min(0) }).catchall(z.union([z.number(), z.string()]));
const context = z.looseObject({ cwd: z.string(), params_input: z.unknown(), path_resolved: z.string().optional() });
const error = z.looseObject({ code: z.string().min(1), message: z.string().min(1) });

/**
 * The envelope of the protocol, strict at the top level, with all its rules. An issue names the broken rule and the accepted
 * values. `error: null` is read as absent.
 *
 * The parsed value is a copy, and a request to skip truncation in a copy is not believed.
 */
export const toolResponseSchema: z.ZodType<ToolResponse> = toolResponseSchemaOf(anyData);

/**
 * The envelope of one kind of tool, for its `outputSchema`. An error may have any `data`.
 *
 * @example
 * tool({ inputSchema, outputSchema: toolResponseSchemaOf(matchesDataSchema), execute });
 */
export function toolResponseSchemaOf<DATA extends object>(dataSchema: z.ZodType<DATA>): z.ZodType<ToolResponse<DATA>> {
  requireZod4(dataSchema);
  const shared = { text: z.string().min(1), stats, context };
  const envelope = z.discriminatedUnion('status', [
    z.strictObject({ status: z.literal('success'), data: dataSchema, ...shared }),
    z.strictObject({ status: z.literal('partial'), data: dataSchema, ...shared }),
    z.strictObject({ status: z.literal('error'), data: anyData, error, ...shared }),
  ]);
  // The rules come first, because the shapes would report the same fault without the name of a rule.
  return z.preprocess(keepRules, envelope) as unknown as z.ZodType<ToolResponse<DATA>>;
}

/** With a schema of another version, zod would fail far from here: at the first answer that is checked. */
function requireZod4(schema: unknown): void {
  const isZod3 = isRecord(schema) && isRecord(schema._def) && 'typeName' in schema._def;
  const expected = isZod3
    ? "a schema of zod 4, not of zod 3: make it with `import { z } from 'zod/v4'`, which zod 3.25.76 has too"
    : 'a zod schema of `data`, e.g. `matchesDataSchema` or `z.object({ … })`';
  const isZod4 = typeof schema === 'object' && schema !== null && '_zod' in schema;
  requireOption(isZod4, { option: 'dataSchema', value: schema, expected });
}

function keepRules(value: unknown, context: z.RefinementCtx): unknown {
  const refuse = (path: readonly string[], expected: string) => {
    const message = `\`${fieldName(path)}\` must be ${expected}.`;
    // Otherwise zod 3.25 would continue, and add the report of the shape for the same fault.
    context.addIssue({ code: 'custom', path: [...path], message, continue: false });
  };
  try {
    const { error, ...rest } = isRecord(value) ? value : {};
    const envelope = isRecord(value) && error == null ? rest : value;
    // The shapes read deeper than the rules, and zod does not catch errors of members.
    findUnjsonable(envelope, 'response');
    for (const { path, expected } of brokenRules(envelope)) refuse(path, expected);
    return envelope;
  } catch {
    refuse([], 'readable: one of its members throws when it is read');
    return undefined;
  }
}

// One shape per kind of tool. All shapes are open, because a tool adds its own fields to the common fields of its kind.

// Relative to the project root by convention. This is not enforced, because readers name artifacts of a store outside of it.
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

/** The `data` of the replacement of an output over the limits. */
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
