import { isRecord } from '../protocol/guards.ts';
import { DEFAULT_ROWS, MAX_ROWS, MAX_SORTED_ROWS } from './answer-rows.ts';
import { MAX_DOTS } from './fields.ts';
import { type Operator, operators, type QueryCondition, type QueryScalar } from './operators.ts';
import { argumentTexts } from './query-words.ts';

export const aggregations = ['count', 'sum', 'avg', 'min', 'max', 'distinct'] as const;
export type Aggregation = (typeof aggregations)[number];

export interface QueryAggregate {
  op: Aggregation;
  /** Not needed for `count`; with it, only values that are not `null` are counted. */
  field?: string;
}

export interface QuerySort {
  field: string;
  /** @default 'asc' */
  direction?: 'asc' | 'desc';
}

/** A question about records: typed parameters, no language of its own. All conditions hold together. */
export interface RecordQuery {
  where?: QueryCondition[];
  /** @default all fields */
  select?: string[];
  groupBy?: string[];
  /** @default with `groupBy`, count */
  aggregate?: QueryAggregate[];
  /** @default the order of the records; of groups, the largest first aggregate first */
  sort?: QuerySort[];
  /** @default 20, at most 200 */
  limit?: number;
  /** Rows to skip: what `next` of the last answer says. */
  offset?: number;
}

export interface CheckedQuery extends Required<RecordQuery> {
  sort: Required<QuerySort>[];
}

const MAX_OFFSET = 1_000_000_000;
const MAX_NAME = 512;
const MAX_TEXT = 4096;
const MAX_LIST = 200;
const MAX_PARTS = { where: 20, select: 50, groupBy: 5, aggregate: 10, sort: 5 };

/** An argument that cannot be answered, in words for the model that gave it. */
export class QueryArgumentError extends Error {
  /** The field that the argument is about, for an example with it. */
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.name = 'QueryArgumentError';
    this.field = field;
  }
}

/** Throws a `QueryArgumentError`. */
export function reject(message: string, field?: string): never {
  throw new QueryArgumentError(message, field);
}

/** Checks what a model gave. Throws a `QueryArgumentError`. */
export function checkQuery(query: unknown): CheckedQuery {
  if (!isRecord(query)) reject(argumentTexts.noObject);
  const known = [...Object.keys(MAX_PARTS), 'limit', 'offset'];
  const unknown = Object.keys(query).find((key) => query[key] !== undefined && !known.includes(key));
  if (unknown !== undefined) reject(argumentTexts.unknownParameter(unknown, known));
  const limit = wholeNumber(query, { name: 'limit', min: 1, fallback: DEFAULT_ROWS });
  const checked: CheckedQuery = {
    where: list(query, 'where').map(toCondition),
    select: list(query, 'select').map((name) => fieldName(name, 'select')),
    groupBy: list(query, 'groupBy').map((name) => fieldName(name, 'groupBy')),
    aggregate: list(query, 'aggregate').map(toAggregate),
    sort: list(query, 'sort').map(toSort),
    limit: Math.min(limit, MAX_ROWS),
    offset: wholeNumber(query, { name: 'offset', min: 0, fallback: 0 }),
  };
  if (checked.groupBy.length > 0 && checked.aggregate.length === 0) checked.aggregate.push({ op: 'count' });
  if (checked.sort.length > 0 && checked.aggregate.length === 0 && checked.offset + checked.limit > MAX_SORTED_ROWS) {
    if (checked.offset >= MAX_SORTED_ROWS) reject(argumentTexts.offsetTooLarge(MAX_SORTED_ROWS));
    checked.limit = MAX_SORTED_ROWS - checked.offset;
  }
  return checked;
}

function list(query: Record<string, unknown>, name: keyof typeof MAX_PARTS): unknown[] {
  const value = query[name];
  if (value === undefined || value === null) return [];
  // One of a kind needs no list.
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  if (parts.length > MAX_PARTS[name]) reject(argumentTexts.tooMany(name, MAX_PARTS[name]));
  return Array.from(parts);
}

function wholeNumber(
  query: Record<string, unknown>,
  { name, min, fallback }: { name: string; min: number; fallback: number },
): number {
  const value = query[name] ?? fallback;
  if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > MAX_OFFSET)
    reject(argumentTexts.noWholeNumber(name, min));
  return value as number;
}

function fieldName(name: unknown, where: string): string {
  if (typeof name !== 'string' || name === '') reject(argumentTexts.noFieldName(where));
  if (name.length > MAX_NAME || name.split('.').length - 1 > MAX_DOTS) reject(argumentTexts.longFieldName(where));
  return name;
}

function toCondition(part: unknown): QueryCondition {
  const { field: name, op = 'eq', value } = membersOf(part, 'where', ['field', 'op', 'value']);
  const field = fieldName(name, 'where');
  const operator = operators.find((known) => known === op);
  if (!operator) reject(argumentTexts.unknownOperator(op, operators), field);
  return { field, op: operator, value: toWanted(operator, { field, value }) };
}

function toWanted(op: Operator, { field, value }: { field: string; value: unknown }): QueryScalar | QueryScalar[] {
  if (op === 'exists') {
    // A model that has to fill in a value gives one that says nothing.
    if (value === undefined || value === null || value === '') return true;
    if (typeof value === 'boolean') return value;
    reject(argumentTexts.wrongValue(op, 'true or false'), field);
  }
  if (op === 'in') {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_LIST || !Array.from(value).every(isScalar))
      reject(argumentTexts.wrongValue(op, `a list of 1 to ${MAX_LIST} values`), field);
    for (const part of value as QueryScalar[]) requireExact(part, field);
    return value as QueryScalar[];
  }
  if (!isScalar(value)) reject(argumentTexts.wrongValue(op, `one value of at most ${MAX_TEXT} characters`), field);
  requireExact(value, field);
  const isText = typeof value === 'string';
  if (op === 'matches' && (!isText || value === '')) reject(argumentTexts.wrongValue(op, 'a pattern'), field);
  if (op === 'startsWith' && !isText && typeof value !== 'number') reject(argumentTexts.wrongValue(op, 'text'), field);
  if (/^[lg]t/.test(op) && !isText && typeof value !== 'number')
    reject(argumentTexts.wrongValue(op, 'a number, an ISO date or text'), field);
  return value;
}

/** It was another number before it was parsed. */
function requireExact(value: QueryScalar, field: string): void {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) reject(argumentTexts.inexact(value as number), field);
}

function isScalar(value: unknown): value is QueryScalar {
  if (typeof value === 'string') return value.length <= MAX_TEXT;
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

function toAggregate(part: unknown): QueryAggregate {
  const { op, field } = membersOf(part, 'aggregate', ['op', 'field']);
  const aggregation = aggregations.find((known) => known === op);
  if (!aggregation) reject(argumentTexts.unknownAggregation(op, aggregations));
  if (aggregation === 'count' && (field === undefined || field === null || field === '*')) return { op: aggregation };
  return { op: aggregation, field: fieldName(field, `aggregate ${aggregation}`) };
}

function toSort(part: unknown): Required<QuerySort> {
  const { field, direction = 'asc' } =
    typeof part === 'string' ? { field: part } : membersOf(part, 'sort', ['field', 'direction']);
  if (direction !== 'asc' && direction !== 'desc') reject(argumentTexts.wrongDirection);
  return { field: fieldName(field, 'sort'), direction };
}

function membersOf(part: unknown, name: string, keys: readonly string[]): Record<string, unknown> {
  if (!isRecord(part) || Object.keys(part).some((key) => !keys.includes(key)))
    reject(argumentTexts.wrongPart(name, keys));
  // Only own members: what objects inherit is nothing that was given.
  return Object.fromEntries(keys.map((key) => [key, Object.hasOwn(part, key) ? part[key] : undefined]));
}
