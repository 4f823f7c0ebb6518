import { InvalidOptionError } from '../errors.ts';
import { requireOption } from '../options.ts';
import { shortened } from '../text/utf.ts';
import { isRecord, isText } from './guards.ts';
import type { ToolResponse } from './tool-response.ts';

/** A rule of the protocol that a value breaks. */
export interface BrokenRule {
  /** Where, from the top of the envelope; empty for the envelope itself. */
  path: readonly string[];
  /** What would be right: the sentence "`data.truncated` must be …" is completed by it. */
  expected: string;
  /** What is there instead. */
  value: unknown;
}

const STATUSES: ReadonlySet<unknown> = new Set(['success', 'partial', 'error']);
const FIELDS: ReadonlySet<string> = new Set(['status', 'data', 'text', 'error', 'stats', 'context']);

/**
 * Every rule of the protocol that a value breaks; none for a {@link ToolResponse}. The schema and the builders both ask
 * here, so they cannot disagree, and the builders need no zod.
 */
export function brokenRules(envelope: unknown): BrokenRule[] {
  if (!isRecord(envelope)) return [{ path: [], expected: 'an object: the envelope of the protocol', value: envelope }];
  const { status, data, text, error, stats, context } = envelope;
  const broken: BrokenRule[] = [];
  /** Breaks a rule when `expected` is a text, which names the right value. */
  const check = (path: readonly string[], expected: string | boolean | undefined) => {
    const value = path.reduce<unknown>((holder, name) => (holder as Record<string, unknown>)[name], envelope);
    if (typeof expected === 'string') broken.push({ path, expected, value });
  };

  for (const name of Object.keys(envelope)) check([name], FIELDS.has(name) || NO_SUCH_FIELD);
  check(['status'], STATUSES.has(status) || "'success', 'partial' or 'error'");

  check(['data'], isRecord(data) || 'an object, `{}` when there is nothing to tell');
  if (isRecord(data)) {
    const { truncated, fallback, failed_items: failedItems, applied } = data;
    const before = broken.length;
    check(['data', 'truncated'], isFlag(truncated) || '`true` or `false`');
    const isName = fallback === undefined || (typeof fallback === 'string' && fallback !== '');
    check(['data', 'fallback'], isName || 'the name of the lesser way, or absent');
    const isList = failedItems === undefined || Array.isArray(failedItems);
    check(['data', 'failed_items'], isList || 'a list of what failed');
    check(['data', 'applied'], isFlag(applied) || '`true` when the change was written, `false` in a dry run');
    const discounts = status === 'success' && broken.length === before ? discountsOf(data) : [];
    for (const because of discounts) check(['status'], `'partial' where ${because}`);
  }

  check(['text'], isText(text) || 'a text that says what happened: the model reads it, never empty');

  // `null` is what §5 of the protocol writes for none.
  const isAbsent = error === undefined || error === null;
  if (status !== 'error') check(['error'], isAbsent || "absent unless `status` is 'error'");
  else if (isAbsent) check(['error'], "an object `{ code, message }` where `status` is 'error'");
  else if (!isRecord(error)) check(['error'], 'an object `{ code, message }`; `toToolResponse` converts a string');
  else for (const name of ['code', 'message']) check(['error', name], isText(error[name]) || 'a text, never empty');

  check(['stats'], isRecord(stats) || 'an object with `time_ms`');
  if (isRecord(stats)) {
    const { time_ms: timeMs, ...others } = stats;
    const isTime = Number.isFinite(timeMs) && (timeMs as number) >= 0;
    check(['stats', 'time_ms'], isTime || 'a number of milliseconds of at least 0');
    for (const [name, value] of Object.entries(others)) {
      check(['stats', name], typeof value === 'string' || Number.isFinite(value) || 'a finite number or a text');
    }
  }

  check(['context'], isRecord(context) || 'an object with `cwd` and `params_input`');
  if (isRecord(context)) {
    const { cwd, params_input: input, path_resolved: path, truncation_skip: skip } = context;
    check(['context', 'cwd'], expectedProjectPath(cwd));
    check(['context', 'params_input'], input !== undefined || 'the parameters as they were given, `{}` for none');
    check(['context', 'path_resolved'], path === undefined || expectedProjectPath(path));
    check(['context', 'truncation_skip'], isFlag(skip) || '`true`, `false` or absent');
  }
  return broken;
}

const NO_SUCH_FIELD =
  'inside `data`, `stats` or `context`: nothing but the six fields of the protocol stands at the top level';

/** Whether a value keeps every rule. `error: null` counts as absent, as in the schema. */
export function isToolResponse(value: unknown): value is ToolResponse {
  return brokenRules(value).length === 0;
}

/** Throws for the first rule that an envelope breaks. */
export function requireRules(envelope: unknown): void {
  const [broken] = brokenRules(envelope);
  if (broken) throw new InvalidOptionError({ ...broken, option: fieldName(broken.path) });
}

/** `data.truncated`, as a person would write it. */
export function fieldName(path: readonly string[]): string {
  return path.join('.') || 'response';
}

/** Why a result is not the whole of what was asked, read from the marks in its `data`; none for a complete one. */
export function discountsOf(data: Record<string, unknown>): string[] {
  const { truncated, fallback, failed_items: failedItems, applied } = data;
  return [
    truncated === true && '`data.truncated` is true',
    fallback !== undefined && '`data.fallback` is there',
    Array.isArray(failedItems) && failedItems.length > 0 && '`data.failed_items` is not empty',
    applied === false && '`data.applied` is false',
  ].filter((reason) => reason !== false);
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

/** Throws for values that JSON cannot carry, so that a log, a stored chat and the model get the same envelope. */
export function requireJson({ data, error, context }: ToolResponse<object>): void {
  requireOption(!speaksForItself(data), { option: 'data', value: data, expected: 'a plain object, without `toJSON`' });
  const { params_input: input } = context;
  const isCarried = typeof input !== 'function' && typeof input !== 'symbol';
  requireOption(isCarried, { option: 'input', value: input, expected: 'what JSON can carry' });
  for (const [field, value] of Object.entries({ data, input, context, error })) {
    const found = findUnjsonable(value, field);
    if (found) throw new InvalidOptionError(found);
  }
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
export function findUnjsonable(
  root: unknown,
  rootField: string,
): { option: string; value: unknown; expected: string } | undefined {
  let nodes = 0;
  return visit(root, rootField, 0);

  function visit(value: unknown, field: string, depth: number): ReturnType<typeof findUnjsonable> {
    nodes++;
    if (typeof value === 'bigint' || depth > MAX_DEPTH) {
      const nesting = 'without a cycle, and nested at most 1,000 levels deep';
      const expected = typeof value === 'bigint' ? 'a number or a text: JSON has no BigInt' : nesting;
      return { option: shortened(field, MAX_FIELD), value, expected };
    }
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

/** Begins at a root, a drive or a scheme. A drive without a slash (`C:src`) leaves the project too. */
const ABSOLUTE = /^(?:[\\/]|[a-z][a-z0-9+.-]*:)/i;
const DRIVE = /^[a-z]:/i;

/** What a path in an envelope must be, when this one is not: relative to the project root, and inside it. */
export function expectedProjectPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return "a path relative to the project root, '.' for the root itself";
  if (ABSOLUTE.test(path)) return "relative to the project root ('src', '.'), not an absolute path";
  if (path.split(/[\\/]/).includes('..')) return 'inside the project root, without `..`';
  return undefined;
}

/**
 * The path relative to `root`, with `/` between its parts and `.` for the root itself; `undefined` when it is not inside.
 * There is no `node:path` at the edge, and which rules hold is told by the path, not by the machine that this runs on.
 */
export function toProjectPath(path: string, root: string | undefined): string | undefined {
  if (path === '') return undefined;
  const names = ABSOLUTE.test(path) ? namesBelow(path, root) : resolve(path).names;
  if (!names) return undefined;
  const relative = names.join('/') || '.';
  // A directory may be called `a:b`; by itself that reads like a scheme.
  const shown = ABSOLUTE.test(relative) ? `./${relative}` : relative;
  return expectedProjectPath(shown) === undefined ? shown : undefined;
}

function namesBelow(path: string, root: string | undefined): string[] | undefined {
  if (root === undefined) return undefined;
  const [inner, outer] = [resolve(path), resolve(root)];
  if (outer.start === '' || inner.start !== outer.start) return undefined;
  const isBelow = outer.names.every((name, index) => name === inner.names[index]);
  return isBelow ? inner.names.slice(outer.names.length) : undefined;
}

/** Where it starts (a drive, `/`, or nothing), and the names from there, `.` and `..` resolved. */
function resolve(path: string): { start: string; names: string[] } {
  const drive = DRIVE.exec(path)?.[0].toLowerCase();
  const start = drive ?? (/^[\\/]/.test(path) ? '/' : '');
  const names: string[] = [];
  // On POSIX a name may hold a backslash.
  for (const name of path.slice(drive?.length ?? 0).split(path.startsWith('/') ? '/' : /[\\/]/)) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length > 0 && names.at(-1) !== '..') names.pop();
    // Above the root of a disk there is only that root again.
    else if (start === '') names.push(name);
  }
  return { start, names };
}
