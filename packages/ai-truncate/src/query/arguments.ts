import { isRecord } from '../protocol/guards.ts';
import { DEFAULT_ROWS, MAX_ROWS, MAX_SORTED_ROWS } from '../reader-limits.ts';
import type { QueryCondition, QueryScalar } from './condition.ts';
import { MAX_KEYS } from './fields.ts';
import { type Operator, operatorNames, operators } from './operators.ts';
import { argumentTexts, endOfSortedText } from './query-words.ts';

export const aggregations = ['count', 'sum', 'avg', 'min', 'max', 'distinct'] as const;
export type Aggregation = (typeof aggregations)[number];

export interface QueryAggregate {
  op: Aggregation;
  /** Not needed for `count`; with it, only values that are not `null` are counted. */
  field?: string;
}

const directions = ['asc', 'desc'] as const;

export interface QuerySort {
  field: string;
  /** @default 'asc' */
  direction?: (typeof directions)[number];
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
const MAX_PARTS = { where: 20, select: 50, groupBy: 5, aggregate: 10, sort: 5 };

/** A question that cannot be answered, in words for the model that asked it. */
export class QueryArgumentError extends Error {
  override name = 'QueryArgumentError';
}

/** Throws a `QueryArgumentError`. */
export function reject(message: string): never {
  throw new QueryArgumentError(message);
}

/** Checks the query of a model. Throws a `QueryArgumentError`. The reader has already refused unknown parameters. */
export function checkQuery(query: Record<string, unknown>): CheckedQuery {
  const checked: CheckedQuery = {
    where: list(query, 'where').map(toCondition),
    select: list(query, 'select').map((name) => fieldName(name, 'select')),
    groupBy: list(query, 'groupBy').map((name) => fieldName(name, 'groupBy')),
    aggregate: list(query, 'aggregate').map(toAggregate),
    sort: list(query, 'sort').map(toSort),
    limit: Math.min(wholeNumber(query, { name: 'limit', min: 1, fallback: DEFAULT_ROWS }), MAX_ROWS),
    offset: wholeNumber(query, { name: 'offset', min: 0, fallback: 0 }),
  };
  if (checked.groupBy.length > 0 && checked.aggregate.length === 0) checked.aggregate.push({ op: 'count' });
  if (checked.sort.length > 0 && checked.aggregate.length === 0) {
    if (checked.offset >= MAX_SORTED_ROWS) reject(endOfSortedText(MAX_SORTED_ROWS));
    checked.limit = Math.min(checked.limit, MAX_SORTED_ROWS - checked.offset);
  }
  return checked;
}

function list(query: Record<string, unknown>, name: keyof typeof MAX_PARTS): unknown[] {
  // One of a kind needs no list.
  const parts: unknown[] = [query[name] ?? []].flat();
  if (parts.length > MAX_PARTS[name]) reject(argumentTexts.tooMany(name, MAX_PARTS[name]));
  return parts;
}

function wholeNumber(
  query: Record<string, unknown>,
  { name, min, fallback }: { name: string; min: number; fallback: number },
): number {
  const value = query[name] ?? fallback;
  if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= MAX_OFFSET) return Number(value);
  reject(argumentTexts.noWholeNumber(name, min));
}

function fieldName(name: unknown, where: string): string {
  const isName =
    typeof name === 'string' && name !== '' && name.length <= MAX_NAME && name.split('.').length <= MAX_KEYS;
  return isName ? name : reject(argumentTexts.noFieldName(where, MAX_KEYS));
}

function oneOf<Word extends string>(words: readonly Word[], { given, kind }: { given: unknown; kind: string }): Word {
  return words.find((word) => word === given) ?? reject(argumentTexts.unknownWord(kind, { given, words }));
}

function toCondition(part: unknown): QueryCondition {
  const { field: name, op: given = 'eq', value } = membersOf(part, 'where', ['field', 'op', 'value']);
  const field = fieldName(name, 'where');
  const op = oneOf(operatorNames, { given, kind: 'operator' });
  return { field, op, value: toWanted(op, value) };
}

function toWanted(op: Operator, value: unknown): QueryScalar | QueryScalar[] {
  // A model that has to fill in a value gives one that says nothing.
  if (op === 'exists' && (value === undefined || value === null || value === '')) return true;
  const { expected, fits } = operators[op].takes;
  if (!fits(value)) reject(argumentTexts.wrongValue(op, expected));
  // Parsing has already changed such a number.
  const inexact = [value].flat().find((part) => Number.isInteger(part) && !Number.isSafeInteger(part));
  if (inexact !== undefined) reject(argumentTexts.inexact(Number(inexact)));
  return value as QueryScalar | QueryScalar[];
}

function toAggregate(part: unknown): QueryAggregate {
  const { op: given, field } = membersOf(part, 'aggregate', ['op', 'field']);
  const op = oneOf(aggregations, { given, kind: 'aggregation' });
  if (op === 'count' && (field === undefined || field === null || field === '*')) return { op };
  return { op, field: fieldName(field, `aggregate ${op}`) };
}

function toSort(part: unknown): Required<QuerySort> {
  const { field, direction: given = 'asc' } =
    typeof part === 'string' ? { field: part } : membersOf(part, 'sort', ['field', 'direction']);
  return { field: fieldName(field, 'sort'), direction: oneOf(directions, { given, kind: 'direction' }) };
}

function membersOf(part: unknown, name: string, keys: readonly string[]): Record<string, unknown> {
  if (!isRecord(part) || Object.keys(part).some((key) => !keys.includes(key)))
    reject(argumentTexts.wrongPart(name, keys));
  // Only own members: what objects inherit is nothing that was given.
  return { ...part };
}
