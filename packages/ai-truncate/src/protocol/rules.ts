import { InvalidOptionError } from '../errors.ts';
import { isRecord, isText } from './guards.ts';
import { expectedProjectPath } from './project-path.ts';
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
  const { status, text, stats, context } = envelope;
  return [
    ...unknownFields(envelope),
    ...rulesOf(envelope, { status: !STATUSES.has(status) && "'success', 'partial' or 'error'" }),
    ...dataRules(envelope),
    ...rulesOf(envelope, {
      text: !isText(text) && 'a text that says what happened: the model reads it, never empty',
    }),
    ...errorRules(envelope),
    ...statsRules(stats),
    ...contextRules(context),
  ];
}

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

/** The members that break a rule: those for which something else is expected. */
function rulesOf(
  members: Record<string, unknown>,
  expected: Record<string, string | false | undefined>,
  path: readonly string[] = [],
): BrokenRule[] {
  return Object.entries(expected).flatMap(([name, right]) => {
    return right ? [{ path: [...path, name], expected: right, value: members[name] }] : [];
  });
}

function unknownFields(envelope: Record<string, unknown>): BrokenRule[] {
  const expected =
    'inside `data`, `stats` or `context`: nothing but the six fields of the protocol stands at the top level';
  const names = Object.keys(envelope).filter((name) => !FIELDS.has(name));
  return names.map((name) => ({ path: [name], expected, value: envelope[name] }));
}

function dataRules({ status, data }: Record<string, unknown>): BrokenRule[] {
  const expected = 'an object, `{}` when there is nothing to tell';
  if (!isRecord(data)) return [{ path: ['data'], expected, value: data }];
  const { truncated, fallback, failed_items: failedItems, applied } = data;
  const isList = failedItems === undefined || Array.isArray(failedItems);
  const isName = fallback === undefined || (typeof fallback === 'string' && fallback !== '');
  const broken = rulesOf(
    data,
    {
      truncated: !isFlag(truncated) && '`true` or `false`',
      fallback: !isName && 'the name of the lesser way, or absent',
      failed_items: !isList && 'a list of what failed',
      applied: !isFlag(applied) && '`true` when the change was written, `false` in a dry run',
    },
    ['data'],
  );
  if (status !== 'success' || broken.length > 0) return broken;
  return discountsOf(data).map((because) => {
    return { path: ['status'], expected: `'partial' where ${because}`, value: status };
  });
}

function errorRules({ status, error }: Record<string, unknown>): BrokenRule[] {
  const shape = 'an object `{ code, message }`';
  const broken = (expected: string) => [{ path: ['error'], expected, value: error }];
  // `null` is what §5 of the protocol writes for none.
  const isAbsent = error === undefined || error === null;
  if (status !== 'error') return isAbsent ? [] : broken("absent unless `status` is 'error'");
  if (isAbsent) return broken(`${shape} where \`status\` is 'error'`);
  if (!isRecord(error)) return broken(`${shape}; \`toToolResponse\` converts a string`);
  const text = 'a text, never empty';
  return rulesOf(error, { code: !isText(error.code) && text, message: !isText(error.message) && text }, ['error']);
}

function statsRules(stats: unknown): BrokenRule[] {
  if (!isRecord(stats)) return [{ path: ['stats'], expected: 'an object with `time_ms`', value: stats }];
  const { time_ms: timeMs, ...others } = stats;
  const isTime = Number.isFinite(timeMs) && (timeMs as number) >= 0;
  const broken = Object.entries(others).filter(([, value]) => typeof value !== 'string' && !Number.isFinite(value));
  return [
    ...rulesOf(stats, { time_ms: !isTime && 'a number of milliseconds of at least 0' }, ['stats']),
    ...broken.map(([name, value]) => ({ path: ['stats', name], expected: 'a finite number or a text', value })),
  ];
}

function contextRules(context: unknown): BrokenRule[] {
  const expected = 'an object with `cwd` and `params_input`';
  if (!isRecord(context)) return [{ path: ['context'], expected, value: context }];
  const { cwd, params_input: input, path_resolved: path, truncation_skip: skip } = context;
  return rulesOf(
    context,
    {
      cwd: expectedProjectPath(cwd),
      params_input: input === undefined && 'the parameters as they were given, `{}` for none',
      path_resolved: path !== undefined && expectedProjectPath(path),
      truncation_skip: !isFlag(skip) && '`true`, `false` or absent',
    },
    ['context'],
  );
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}
