import { InvalidOptionError } from '../errors.ts';
import { requireOption } from '../options.ts';
import { shortened } from '../text/utf.ts';
import { isRecord, isText } from './guards.ts';
import type { ToolResponse } from './tool-response.ts';

/** A rule of the protocol that a value breaks. */
export interface BrokenRule {
  /** The place in the envelope; empty for the envelope itself. */
  path: readonly string[];
  /** The valid values. It completes the sentence "`data.truncated` must be …". */
  expected: string;
  /** The invalid value. */
  value: unknown;
}

const STATUSES: ReadonlySet<unknown> = new Set(['success', 'partial', 'error']);
const FIELDS: ReadonlySet<string> = new Set(['status', 'data', 'text', 'error', 'stats', 'context']);

/**
 * Every rule of the protocol that a value breaks; empty for a {@link ToolResponse}. The schema and the builders both use it, so
 * they cannot disagree, and the builders do not need zod.
 */
export function brokenRules(envelope: unknown): BrokenRule[] {
  if (!isRecord(envelope)) return [{ path: [], expected: 'an object: the envelope of the protocol', value: envelope }];
  const { status, data, text, error, stats, context } = envelope;
  const broken: BrokenRule[] = [];
  /** Reports a broken rule if `expected` is a text, which names the valid values. */
  const check = (path: readonly string[], expected: string | boolean | undefined) => {
    const value = path.reduce<unknown>((holder, name) => (holder as Record<string, unknown>)[name], envelope);
    if (typeof expected === 'string') broken.push({ path, expected, value });
  };

  for (const name of Object.keys(envelope)) check([name], FIELDS.has(name) || NO_SUCH_FIELD);
  check(['status'], STATUSES.has(status) || "'success', 'partial' or 'error'");

  check(['data'], isRecord(data) || 'an object, `{}` if it is empty');
  if (isRecord(data)) {
    const { truncated, fallback, failed_items: failedItems, applied } = data;
    const before = broken.length;
    check(['data', 'truncated'], isFlag(truncated) || '`true` or `false`');
    const isName = fallback === undefined || (typeof fallback === 'string' && fallback !== '');
    check(['data', 'fallback'], isName || 'the name of the fallback, or absent');
    const isList = failedItems === undefined || Array.isArray(failedItems);
    check(['data', 'failed_items'], isList || 'a list of failed items');
    check(['data', 'applied'], isFlag(applied) || '`true` when the change was written, `false` in a dry run');
    const discounts = status === 'success' && broken.length === before ? discountsOf(data) : [];
    for (const because of discounts) check(['status'], `'partial' where ${because}`);
  }

  check(['text'], isText(text) || 'a text that says what happened, for the model, and never empty');

  // `null` means "no error" in §5 of the protocol.
  const isAbsent = error === undefined || error === null;
  if (status !== 'error') check(['error'], isAbsent || "absent unless `status` is 'error'");
  else if (isAbsent) check(['error'], "an object `{ code, message }` if `status` is 'error'");
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
    check(['context', 'params_input'], input !== undefined || 'the received parameters, `{}` for none');
    check(['context', 'path_resolved'], path === undefined || expectedProjectPath(path));
    check(['context', 'truncation_skip'], isFlag(skip) || '`true`, `false` or absent');
  }
  return broken;
}

const NO_SUCH_FIELD =
  'inside `data`, `stats` or `context`, because the top level has only the six fields of the protocol';

/** Whether a value satisfies every rule. `error: null` counts as absent, as in the schema. */
export function isToolResponse(value: unknown): value is ToolResponse {
  return brokenRules(value).length === 0;
}

/** Throws for the first rule that an envelope breaks. */
export function requireRules(envelope: unknown): void {
  const [broken] = brokenRules(envelope);
  if (broken) throw new InvalidOptionError({ ...broken, option: fieldName(broken.path) });
}

/** `data.truncated`, as a developer would write it. */
export function fieldName(path: readonly string[]): string {
  return path.join('.') || 'response';
}

/** The reasons why a result is incomplete, according to the marks in its `data`; empty for a complete result. */
export function discountsOf(data: Record<string, unknown>): string[] {
  const { truncated, fallback, failed_items: failedItems, applied } = data;
  return [
    truncated === true && '`data.truncated` is true',
    fallback !== undefined && '`data.fallback` is set',
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
  requireOption(isCarried, { option: 'input', value: input, expected: 'a value that JSON can represent' });
  for (const [field, value] of Object.entries({ data, input, context, error })) {
    const found = findUnjsonable(value, field);
    if (found) throw new InvalidOptionError(found);
  }
}

const MAX_DEPTH = 1000;
/** A search of a few milliseconds. */
const MAX_NODES = 100_000;
const MAX_FIELD = 100;

/**
 * Finds a value for which `JSON.stringify` would throw, and its place (`data.rows.3.id`; only the beginning of a long place): a
 * `BigInt`, a cycle, or endlessly nested lists. The SDK rejects a whole run for such a value, far from the tool that returned
 * it. It searches the first 100,000 values, so that no answer blocks the process.
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

/** Whether it has a `toJSON` method, like a date. JSON then contains its result. */
function speaksForItself(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Starts with a root, a drive or a scheme. A drive without a slash (`C:src`) leaves the project too. */
const ABSOLUTE = /^(?:[\\/]|[a-z][a-z0-9+.-]*:)/i;
const DRIVE = /^[a-z]:/i;

/** The rule that a path in an envelope breaks, if it breaks one: it must be relative to the project root, and inside it. */
export function expectedProjectPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return "a path relative to the project root, '.' for the root itself";
  if (ABSOLUTE.test(path)) return "relative to the project root ('src', '.'), not an absolute path";
  if (path.split(/[\\/]/).includes('..')) return 'inside the project root, without `..`';
  return undefined;
}

/**
 * The path relative to `root`, with `/` between its parts and `.` for the root itself; `undefined` if it is not inside. There
 * is no `node:path` at the edge, and the path decides which rules apply, not the machine on which this runs.
 */
export function toProjectPath(path: string, root: string | undefined): string | undefined {
  if (path === '') return undefined;
  const names = ABSOLUTE.test(path) ? namesBelow(path, root) : resolve(path).names;
  if (!names) return undefined;
  const relative = names.join('/') || '.';
  // A directory may be called `a:b`, which would look like a scheme.
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

/** The start of the path (a drive, `/`, or nothing), and the names after it, with `.` and `..` resolved. */
function resolve(path: string): { start: string; names: string[] } {
  const drive = DRIVE.exec(path)?.[0].toLowerCase();
  const start = drive ?? (/^[\\/]/.test(path) ? '/' : '');
  const names: string[] = [];
  // On POSIX, a name may contain a backslash.
  for (const name of path.slice(drive?.length ?? 0).split(path.startsWith('/') ? '/' : /[\\/]/)) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length > 0 && names.at(-1) !== '..') names.pop();
    // The parent of the root of a disk is the root itself.
    else if (start === '') names.push(name);
  }
  return { start, names };
}
