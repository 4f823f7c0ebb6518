import { InvalidOptionError } from '../errors.ts';
import { shortened } from '../text/utf.ts';
import type { ToolResponse } from './tool-response.ts';

/** What a log, a stored chat and the model get of it is the same envelope. */
export function requireJson({ data, error, context }: ToolResponse<object>): void {
  if (speaksForItself(data)) {
    throw new InvalidOptionError({ option: 'data', value: data, expected: 'a plain object, without `toJSON`' });
  }
  const { params_input: input } = context;
  if (typeof input === 'function' || typeof input === 'symbol') {
    throw new InvalidOptionError({ option: 'input', value: input, expected: 'what JSON can carry' });
  }
  const found =
    findUnjsonable(data, 'data') ??
    findUnjsonable(input, 'input') ??
    findUnjsonable(context, 'context') ??
    findUnjsonable(error, 'error');
  if (!found) return;
  const expected =
    typeof found.value === 'bigint'
      ? 'a number or a text: JSON has no BigInt'
      : 'without a cycle, and nested at most 1,000 levels deep';
  throw new InvalidOptionError({ option: found.field, value: found.value, expected });
}

const MAX_DEPTH = 1000;
/** A few milliseconds of looking. */
const MAX_NODES = 100_000;
const MAX_FIELD = 100;

/**
 * Finds what would make `JSON.stringify` throw, and its place (`data.rows.3.id`; the beginning of a longer one): a `BigInt`, a
 * cycle, lists in lists without end. The SDK rejects a whole run for it, far from the tool that gave it. Looks at the first 100,000
 * values, so that no answer holds up the process.
 */
export function findUnjsonable(root: unknown, rootField: string): { field: string; value: unknown } | undefined {
  let nodes = 0;
  return visit(root, rootField, 0);

  function visit(value: unknown, field: string, depth: number): ReturnType<typeof findUnjsonable> {
    nodes++;
    if (typeof value === 'bigint' || depth > MAX_DEPTH) return { field: shortened(field, MAX_FIELD), value };
    if (typeof value !== 'object' || value === null || speaksForItself(value)) return undefined;
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const length = names?.length ?? (value as unknown[]).length;
    for (let index = 0; index < length && nodes < MAX_NODES; index++) {
      const name = names?.[index] ?? String(index);
      const found = visit((value as Record<string, unknown>)[name], `${field}.${name}`, depth + 1);
      if (found) return found;
    }
    return undefined;
  }
}

/** Whether it has a `toJSON`, as a date does: JSON gets what that gives. */
function speaksForItself(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
