import { type Operator, operatorNames } from './operators.ts';

// Notations that models write in place of the operators and aggregations of a query, mostly from SQL, Python and JavaScript.

const OPERATORS: Record<string, Operator> = {
  '=': 'eq',
  '==': 'eq',
  '===': 'eq',
  equals: 'eq',
  is: 'eq',
  '!=': 'ne',
  '!==': 'ne',
  '<>': 'ne',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
  includes: 'contains',
  startswith: 'startsWith',
  starts_with: 'startsWith',
  regex: 'matches',
  regexp: 'matches',
  '~': 'matches',
};

export const aggregations = ['count', 'sum', 'avg', 'median', 'min', 'max', 'distinct'] as const;
export type Aggregation = (typeof aggregations)[number];

const AGGREGATIONS: Record<string, Aggregation> = {
  average: 'avg',
  mean: 'avg',
  total: 'sum',
  minimum: 'min',
  maximum: 'max',
  len: 'count',
  size: 'count',
  unique: 'distinct',
  nunique: 'distinct',
  count_distinct: 'distinct',
  countdistinct: 'distinct',
};

/** The parts of a condition that a model may have written in another notation. */
export interface SpokenCondition {
  op: unknown;
  value: unknown;
}

/**
 * Translates a condition to the operators of this query. Anything unclear is not changed, so that its refusal names the existing
 * operators.
 */
export function plainCondition({ op: given, value }: SpokenCondition): SpokenCondition {
  if (typeof given !== 'string' || given.length > 40) return { op: given, value };
  const word = given.trim().toLowerCase().replace(/\s+/g, ' ');
  const known =
    OPERATORS[Object.hasOwn(OPERATORS, word) ? word : ''] ?? operatorNames.find((name) => name.toLowerCase() === word);
  if (known) return { op: known, value };
  if (word === 'is null' || word === 'isnull') return { op: 'eq', value: null };
  if (word === 'is not null' || word === 'notnull') return { op: 'ne', value: null };
  return word === 'like' || word === 'ilike'
    ? (likeCondition(value, word) ?? { op: given, value })
    : { op: given, value };
}

/** `LIKE` with `%` at its ends only. If case is ignored, it becomes a pattern. */
function likeCondition(value: unknown, word: string): SpokenCondition | undefined {
  const parts = typeof value === 'string' ? /^(%?)([^%_]+)(%?)$/.exec(value) : null;
  if (!parts) return undefined;
  const [, open, text = '', close] = parts;
  if (word === 'like' && open === '') return { op: close === '' ? 'eq' : 'startsWith', value: text };
  if (word === 'like' && close !== '') return { op: 'contains', value: text };
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return { op: 'matches', value: `${word === 'ilike' ? '(?i)' : ''}${open ? '' : '^'}${escaped}${close ? '' : '$'}` };
}

/** An aggregate written as `AVG(price)`, `COUNT(*)` or `mean`, and the field that it names. */
export function plainAggregate(op: unknown, field: unknown): { op: unknown; field: unknown } {
  if (typeof op !== 'string' || op.length > 600) return { op, field };
  // Blanks are trimmed and not matched, because neighboring runs of blanks would make a long step.
  const call = /^(\w+)\s*\((.*)\)$/.exec(op.trim());
  const inner = call?.[2]?.trim() ?? '';
  const distinct = /^distinct\s+(.*)$/i.exec(inner)?.[1];
  const named = distinct ?? inner;
  const word = (call?.[1] ?? op).trim().toLowerCase();
  const known =
    AGGREGATIONS[Object.hasOwn(AGGREGATIONS, word) ? word : ''] ?? aggregations.find((name) => name === word);
  if (!known) return { op, field };
  const hasName = named !== '' && named !== '*';
  return { op: distinct === undefined ? known : 'distinct', field: hasName ? (field ?? named) : field };
}

/** The aggregation that a model wrote in place of a field. */
export function aggregationIn(name: string): { op: unknown; field: unknown } | undefined {
  if (!/^\w+\s*\(.*\)$/.test(name.trim())) return undefined;
  const plain = plainAggregate(name, undefined);
  return plain.op === name ? undefined : plain;
}
