import { isRecord } from '../protocol/guards.ts';
import { DEFAULT_ROWS, MAX_ROWS, MAX_SORTED_ROWS } from '../reader-limits.ts';
import type { QueryCondition, QueryScalar, ValuesElsewhere } from './condition.ts';
import { MAX_KEYS, plainNotation } from './fields.ts';
import { type Aggregation, aggregations, plainAggregate, plainCondition } from './notations.ts';
import { type Operator, operatorNames, operators } from './operators.ts';
import { argumentTexts, endOfSortedText } from './query-words.ts';

export interface QueryAggregate {
  op: Aggregation;
  /** Not needed for `count`. With a field, `count` counts only values that are not `null`. */
  field?: string;
}

const directions = ['asc', 'desc'] as const;

export interface QuerySort {
  field: string;
  /** @default 'asc' */
  direction?: (typeof directions)[number];
}

/** A question about records, as typed parameters instead of a query language. All conditions must hold. */
export interface RecordQuery {
  where?: QueryCondition[];
  /** @default all fields */
  select?: string[];
  groupBy?: string[];
  /** @default with `groupBy`, count */
  aggregate?: QueryAggregate[];
  /** @default the order of the records; for groups, the first aggregate, largest first */
  sort?: QuerySort[];
  /** @default 20, at most 200 */
  limit?: number;
  /** Rows to skip: the `next` of the previous answer. */
  offset?: number;
}

export interface CheckedQuery extends Required<RecordQuery> {
  sort: Required<QuerySort>[];
}

const MAX_OFFSET = 1_000_000_000;
const MAX_NAME = 512;
const MAX_PARTS = { where: 20, select: 50, groupBy: 5, aggregate: 10, sort: 5 };

/** A question that cannot be answered. The message explains it to the model that asked. */
export class QueryArgumentError extends Error {
  override name = 'QueryArgumentError';
}

/** Throws a `QueryArgumentError`. */
export function reject(message: string): never {
  throw new QueryArgumentError(message);
}

/** Checks the query of a model. Throws a `QueryArgumentError`. The reader has already rejected unknown parameters. */
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
  // A single part is accepted in place of a list.
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
  const isShort = typeof name === 'string' && name !== '' && name.length <= MAX_NAME;
  // Brackets lead into objects as well as dots do.
  const isName = isShort && [name, plainNotation(name)].every((each) => each.split('.').length <= MAX_KEYS);
  return isName ? name : reject(argumentTexts.noFieldName(where, MAX_KEYS));
}

function oneOf<Word extends string>(words: readonly Word[], { given, kind }: { given: unknown; kind: string }): Word {
  return words.find((word) => word === given) ?? reject(argumentTexts.unknownWord(kind, { given, words }));
}

function toCondition(part: unknown): QueryCondition {
  const { field: name, op: spoken = 'eq', value: given } = membersOf(part, 'where', ['field', 'op', 'value']);
  const field = fieldName(name, 'where');
  const { op: plain, value } = plainCondition({ op: spoken, value: given });
  const op = oneOf(operatorNames, { given: plain, kind: 'operator' });
  // A single value is accepted in place of a list.
  if (op === 'in' && isRecord(value)) return { field, op, value: toElsewhere(value) };
  return {
    field,
    op,
    value: toWanted(op, op === 'in' && value !== null && typeof value !== 'object' ? [value] : value),
  };
}

function toElsewhere(value: unknown): ValuesElsewhere {
  const { path, at, field, where } = membersOf(value, 'value', ['path', 'at', 'field', 'where']);
  const conditions = list({ where }, 'where').map(toCondition);
  if (typeof path !== 'string' || conditions.some((condition) => isRecord(condition.value)))
    reject(argumentTexts.elsewhere);
  const places = Array.isArray(at) || typeof at === 'string' ? { at: at as string[] } : {};
  return { path, ...places, field: fieldName(field, 'value'), where: conditions };
}

function toWanted(op: Operator, value: unknown): QueryScalar | QueryScalar[] {
  // A model that must fill in `value` sends a meaningless one.
  if (op === 'exists' && (value === undefined || value === null || value === '')) return true;
  const { expected, fits } = operators[op].takes;
  if (!fits(value)) reject(argumentTexts.wrongValue(op, expected));
  // Parsing has already changed such a number.
  const inexact = [value].flat().find((part) => Number.isInteger(part) && !Number.isSafeInteger(part));
  if (inexact !== undefined) reject(argumentTexts.inexact(Number(inexact)));
  return value as QueryScalar | QueryScalar[];
}

function toAggregate(part: unknown): QueryAggregate {
  const { op: spoken, field: name } =
    typeof part === 'string' ? { op: part } : membersOf(part, 'aggregate', ['op', 'field']);
  const { op: given, field } = plainAggregate(spoken, name);
  const op = oneOf(aggregations, { given, kind: 'aggregation' });
  if (op === 'count' && (field === undefined || field === null || field === '*')) return { op };
  return { op, field: fieldName(field, `aggregate ${op}`) };
}

function toSort(part: unknown): Required<QuerySort> {
  const { field, direction: given = 'asc' } =
    typeof part === 'string' ? sortOf(part) : membersOf(part, 'sort', ['field', 'direction']);
  const direction = typeof given === 'string' ? given.toLowerCase() : given;
  return { field: fieldName(field, 'sort'), direction: oneOf(directions, { given: direction, kind: 'direction' }) };
}

/** A name and its direction. */
const MAX_SORT_CHARS = MAX_NAME + 10;

/** A column of `sort` as one text: `price`, `-price`, `price desc`. */
function sortOf(text: string): Record<string, unknown> {
  if (text.length > MAX_SORT_CHARS) return { field: text };
  const [, sign, field, direction] = /^(-?)(.*?)(?:\s+(asc|desc))?$/i.exec(text) ?? [];
  return { field, direction: direction ?? (sign === '-' ? 'desc' : 'asc') };
}

function membersOf(part: unknown, name: string, keys: readonly string[]): Record<string, unknown> {
  if (!isRecord(part) || Object.keys(part).some((key) => !keys.includes(key)))
    reject(argumentTexts.wrongPart(name, keys));
  // Reads own members only, because inherited members were not sent by the model.
  return { ...part };
}
