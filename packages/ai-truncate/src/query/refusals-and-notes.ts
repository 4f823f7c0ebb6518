import type { ToolErrorCode } from '../protocol/tool-response.ts';
import type { RecordError } from '../records/record-words.ts';
import { isoInstant, yearOf } from '../records/values.ts';
import { MAX_SORTED_ROWS } from './answer-rows.ts';
import type { RecordQuery } from './arguments.ts';
import { kindOf } from './compare-values.ts';
import { type Example, type FieldCatalog, type KnownField, type QueryField, similarField } from './fields.ts';
import type { Condition, Operator, QueryCondition } from './operators.ts';
import { type Incomparable, incomparableText, queryNotes, unknownFieldText, wrongTypeText } from './query-words.ts';
import type { QueryRun } from './run.ts';

/** Why there is no answer, and what would give one. */
export interface QueryRefusal {
  status: 'refused';
  code: ToolErrorCode;
  message: string;
  /** The fields that exist. */
  fields?: QueryField[];
  /** A query that works on these records. */
  example?: RecordQuery;
  /** The artifact can be read as text only. */
  isTextOnly?: true;
}

/** The time was up before anything was read. */
export const notRead: QueryRefusal = {
  status: 'refused',
  code: 'TIMEOUT',
  message: 'Time was up before a record was read.',
};

/** Why a run has no answer, and the field it is about. */
export interface Objection {
  message: string;
  field?: string | undefined;
  /** What was asked of it. */
  op?: Operator | undefined;
}

/** What is wrong with the question, as the records have shown; `undefined` when its answer means what it says. */
export function objectionTo(run: QueryRun, fields: readonly KnownField[]): Objection | undefined {
  if (run.scanned === 0) return undefined;
  const [unknown] = run.fieldsWithoutRecord({ areNeeded: true });
  if (unknown !== undefined) {
    const similar = similarField(fields, unknown);
    return { message: unknownFieldText(unknown, similar), field: similar };
  }
  const condition = run.conditions.find(({ compared, incomparable }) => incomparable > 0 && compared === 0);
  if (condition) {
    const { field, op } = condition.condition;
    return { message: incomparableText(described(condition, fields)), field, op };
  }
  const useless = run.aggregates.find(({ facts }) => facts.skipped > 0 && facts.used === 0);
  if (!useless) return undefined;
  const { op, field } = useless.aggregate;
  return { message: wrongTypeText(useless.name, { op, example: useless.facts.skippedExample }), field };
}

export function toRefusal({ message, field, op }: Objection, catalog: FieldCatalog): QueryRefusal {
  const example = exampleQuery(catalog.fields, { field, op });
  return {
    status: 'refused',
    code: 'INVALID_PARAM',
    message,
    ...(catalog.fields.length > 0 && { fields: catalog.shortList(field) }),
    ...(example && { example }),
  };
}

export function toRecordRefusal({ problem, message }: RecordError): QueryRefusal {
  const isAtFault = problem === 'broken' || problem === 'too large';
  return {
    status: 'refused',
    code: isAtFault ? 'EXECUTION_ERROR' : 'INVALID_PARAM',
    message,
    ...((isAtFault || problem === 'no table') && { isTextOnly: true }),
  };
}

/** What of the data makes the answer other than it seems. */
export function notesOf(
  run: QueryRun,
  { fields, endedEarly }: { fields: readonly KnownField[]; endedEarly: boolean },
): string[] {
  const notes: string[] = endedEarly ? [queryNotes.deadline] : [];
  const absent = run.fieldsWithoutRecord({ areNeeded: false });
  if (run.scanned === 0) notes.push(queryNotes.noRecords);
  else for (const name of absent) notes.push(queryNotes.absentField(name, similarField(fields, name)));
  for (const condition of run.conditions) {
    const { incomparable, cut, cutLists, matchedChars, meetsTimesOfDay } = condition;
    const { field, value } = condition.condition;
    if (incomparable > 0) notes.push(queryNotes.someIncomparable(described(condition, fields), incomparable));
    if (meetsTimesOfDay) notes.push(queryNotes.dayIsMoment(String(value)));
    if (cutLists > 0) notes.push(queryNotes.cutLists(field, cutLists));
    if (cut > 0) notes.push(queryNotes.cutTexts(field, { count: cut, chars: matchedChars }));
  }
  for (const { name, facts } of run.aggregates) if (facts.skipped > 0) notes.push(queryNotes.someSkipped(name, facts));
  for (const [column, date] of datesByLetters(run)) notes.push(queryNotes.datesByLetters(column, date));
  for (const { name, mixture } of run.orders) if (mixture.length > 0) notes.push(queryNotes.mixedOrder(name, mixture));
  if (run.groups && run.groups.leftOut > 0) notes.push(queryNotes.tooManyGroups(run.groups.count, run.groups.leftOut));
  if (run.groups?.isDistinctFull) notes.push(queryNotes.tooManyDistinct);
  if (run.endsSorting) notes.push(queryNotes.endOfSorted(MAX_SORTED_ROWS));
  if (run.isBehindTheEnd) notes.push(queryNotes.behindTheEnd(run.query.offset, run.groups?.count ?? run.matched));
  if (run.scanned > 0 && run.matched === 0) notes.push(queryNotes.noMatch(existingValues(run, fields)));
  return notes;
}

function existingValues(run: QueryRun, fields: readonly KnownField[]): string[] {
  const names = new Set(run.conditions.map(({ condition }) => condition.field));
  return fields
    .filter(({ name, examples }) => names.has(name) && examples.length > 0)
    .map(({ name, examples }) => queryNotes.existing(name, examples));
}

function described({ condition, example }: Condition, fields: readonly KnownField[]): Incomparable {
  const { field, op, value } = condition;
  const type = kindOf(example);
  const known = fields.find(({ name }) => name === field)?.examples ?? [];
  const examples = [example, ...known.filter((other) => kindOf(other) === type && other !== example)];
  const isEpoch = type === 'number' && typeof value === 'string';
  return { field, op, value, examples, type, instant: isEpoch ? isoInstant(value) : undefined };
}

/** The columns whose dates were put in order by their letters, each with one of these dates. */
export function datesByLetters(run: QueryRun): Map<string, string> {
  const orders = [...run.orders, ...run.aggregates.map(({ facts }) => facts.order)];
  return new Map(orders.flatMap(({ name, misplacedDate: date }) => (date === undefined ? [] : [[name, date]])));
}

/**
 * One query that works on these records, with the field in question where it is known, and asked as the one that does not
 * work was.
 */
function exampleQuery(
  fields: readonly KnownField[],
  { field: wanted, op }: { field?: string | undefined; op?: Operator | undefined } = {},
): RecordQuery | undefined {
  const field =
    fields.find(({ name, examples }) => name === wanted && examples.length > 0) ??
    fields.find(({ examples }) => examples.length > 0);
  const [example] = field?.examples ?? [];
  if (!field || example === undefined) return undefined;
  const condition = conditionOf(field, { example, op: field.name === wanted ? op : undefined });
  return { where: [{ field: field.name, ...condition }], limit: 5 };
}

function conditionOf(
  { types, examples }: KnownField,
  { example, op }: { example: Example; op: Operator | undefined },
): Omit<QueryCondition, 'field'> {
  // Holds for the value itself as well.
  if (types.includes('array')) return { op: 'contains', value: example };
  const kind = kindOf(example);
  if (kind === 'text date') return { op: 'contains', value: yearOf(String(example)) ?? example };
  if (op === 'in') return { op, value: examples };
  if (op === 'eq' || kind === 'text' || kind === 'boolean') return { op: 'eq', value: example };
  return { op: op === 'lt' || op === 'lte' ? 'lte' : 'gte', value: example };
}
