import { isRecord } from './guards.ts';
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
  return [
    ...unknownFields(envelope),
    ...statusRules(envelope.status),
    ...dataRules(envelope),
    ...textRules(envelope.text),
    ...errorRules(envelope),
    ...statsRules(envelope.stats),
    ...contextRules(envelope.context),
  ];
}

/** Whether a value keeps every rule. `error: null` counts as absent, as in the schema. */
export function isToolResponse(value: unknown): value is ToolResponse {
  return brokenRules(value).length === 0;
}

/** `data.truncated`, as a person would write it. */
export function fieldName(path: readonly string[]): string {
  return path.join('.') || 'response';
}

function unknownFields(envelope: Record<string, unknown>): BrokenRule[] {
  return Object.keys(envelope)
    .filter((name) => !FIELDS.has(name))
    .map((name) => ({
      path: [name],
      expected:
        'inside `data`, `stats` or `context`: nothing but the six fields of the protocol stands at the top level',
      value: envelope[name],
    }));
}

function statusRules(status: unknown): BrokenRule[] {
  return STATUSES.has(status) ? [] : [{ path: ['status'], expected: "'success', 'partial' or 'error'", value: status }];
}

function dataRules({ status, data }: Record<string, unknown>): BrokenRule[] {
  if (!isRecord(data))
    return [{ path: ['data'], expected: 'an object, `{}` when there is nothing to tell', value: data }];
  const { truncated, fallback, failed_items: failedItems, applied } = data;
  const broken: BrokenRule[] = [];
  const check = (name: string, isRight: boolean, expected: string) => {
    if (data[name] !== undefined && !isRight) broken.push({ path: ['data', name], expected, value: data[name] });
  };
  check('truncated', typeof truncated === 'boolean', '`true` or `false`');
  check('fallback', typeof fallback === 'string' && fallback !== '', 'the name of the lesser way, or absent');
  check('failed_items', Array.isArray(failedItems), 'a list of what failed');
  check('applied', typeof applied === 'boolean', '`true` when the change was written, `false` in a dry run');
  if (status !== 'success' || broken.length > 0) return broken;
  for (const because of discountsOf(data)) {
    broken.push({ path: ['status'], expected: `'partial' where ${because}`, value: status });
  }
  return broken;
}

function textRules(text: unknown): BrokenRule[] {
  return isText(text)
    ? []
    : [{ path: ['text'], expected: 'a text that says what happened: the model reads it, never empty', value: text }];
}

function errorRules({ status, error }: Record<string, unknown>): BrokenRule[] {
  const shape = 'an object `{ code, message }`';
  // `null` is what §5 of the protocol writes for none.
  if (error === undefined || error === null) {
    return status === 'error'
      ? [{ path: ['error'], expected: `${shape} where \`status\` is 'error'`, value: error }]
      : [];
  }
  if (status !== 'error') return [{ path: ['error'], expected: "absent unless `status` is 'error'", value: error }];
  if (!isRecord(error))
    return [{ path: ['error'], expected: `${shape}; \`toToolResponse\` converts a string`, value: error }];
  return ['code', 'message']
    .filter((name) => !isText(error[name]))
    .map((name) => ({ path: ['error', name], expected: 'a text, never empty', value: error[name] }));
}

function statsRules(stats: unknown): BrokenRule[] {
  if (!isRecord(stats)) return [{ path: ['stats'], expected: 'an object with `time_ms`', value: stats }];
  const broken: BrokenRule[] = [];
  const { time_ms: timeMs, ...others } = stats;
  if (!Number.isFinite(timeMs) || (timeMs as number) < 0) {
    broken.push({ path: ['stats', 'time_ms'], expected: 'a number of milliseconds of at least 0', value: timeMs });
  }
  for (const [name, value] of Object.entries(others)) {
    if (typeof value !== 'string' && !Number.isFinite(value)) {
      broken.push({ path: ['stats', name], expected: 'a finite number or a text', value });
    }
  }
  return broken;
}

function contextRules(context: unknown): BrokenRule[] {
  if (!isRecord(context)) {
    return [{ path: ['context'], expected: 'an object with `cwd` and `params_input`', value: context }];
  }
  const broken: BrokenRule[] = [];
  const check = (name: string, expected: string | undefined) => {
    if (expected !== undefined) broken.push({ path: ['context', name], expected, value: context[name] });
  };
  const { path_resolved: pathResolved, truncation_skip: skip } = context;
  check('cwd', expectedProjectPath(context.cwd));
  if (context.params_input === undefined) check('params_input', 'the parameters as they were given, `{}` for none');
  if (pathResolved !== undefined) check('path_resolved', expectedProjectPath(pathResolved));
  if (skip !== undefined && typeof skip !== 'boolean') check('truncation_skip', '`true`, `false` or absent');
  return broken;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
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
