import type { ToolErrorCode } from '../protocol/tool-response.ts';
import { MAX_SORTED_ROWS } from '../reader-limits.ts';
import type { RecordError } from '../records/record-words.ts';
import { type QueryArgumentError, reject } from './arguments.ts';
import { type FieldCatalog, type KnownField, type QueryField, similarField } from './fields.ts';
import { endOfSortedText, incomparableText, queryNotes, unknownFieldText, wrongTypeText } from './query-words.ts';
import type { QueryRun } from './run.ts';

/** Why there is no answer, and what would give one. */
export interface QueryRefusal {
  status: 'refused';
  code: ToolErrorCode;
  message: string;
  /** The fields that exist. */
  fields?: QueryField[];
  /** The artifact can be read as text only. */
  isTextOnly?: true;
}

/** The time was up before anything was read. */
export const notRead: QueryRefusal = {
  status: 'refused',
  code: 'TIMEOUT',
  message: 'Time was up before a record was read.',
};

/** Throws a `QueryArgumentError` when the records show that the question is wrong, because its answer would mislead. */
export function requireAnswerable(run: QueryRun, fields: readonly KnownField[]): void {
  if (run.scanned === 0) return;
  // Which records lack a field can be asked of any: a note says when it is all of them.
  const lacking = run.conditions.filter(({ condition: { op, value } }) => op === 'exists' && value === false);
  const unknown = run.unseen.find(({ name }) => lacking.every(({ condition }) => condition.field !== name));
  if (unknown) reject(unknownFieldText(unknown.name, similarField(fields, unknown.name)));
  const condition = run.conditions.find(({ compared, incomparable }) => incomparable > 0 && compared === 0);
  if (condition) {
    const known = fields.find(({ name }) => name === condition.condition.field);
    reject(incomparableText(condition, known?.examples ?? []));
  }
  const useless = run.aggregates.find(({ skipped, used }) => skipped > 0 && used === 0);
  if (useless) reject(wrongTypeText(useless));
}

export function toRefusal({ message }: QueryArgumentError, catalog: FieldCatalog): QueryRefusal {
  const fields = catalog.shortList();
  return { status: 'refused', code: 'INVALID_PARAM', message, ...(fields.length > 0 && { fields }) };
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
  if (run.scanned === 0) notes.push(queryNotes.noRecords);
  else for (const { name } of run.unseen) notes.push(unknownFieldText(name, similarField(fields, name)));
  for (const condition of run.conditions) {
    const { incomparable, cut, matchedChars, meetsTimesOfDay } = condition;
    const { field, value } = condition.condition;
    if (incomparable > 0) notes.push(queryNotes.someIncomparable(condition));
    if (meetsTimesOfDay) notes.push(queryNotes.dayIsMoment(String(value)));
    if (cut > 0) notes.push(queryNotes.cutTexts(field, { count: cut, chars: matchedChars }));
  }
  for (const aggregate of run.aggregates) if (aggregate.skipped > 0) notes.push(queryNotes.someSkipped(aggregate));
  for (const [column, date] of datesByLetters(run)) notes.push(queryNotes.datesByLetters(column, date));
  if (run.groups && run.groups.leftOut > 0) notes.push(queryNotes.tooManyGroups(run.groups.count, run.groups.leftOut));
  if (run.groups?.room.isFull) notes.push(queryNotes.tooManyDistinct);
  if (run.endsSorting) notes.push(endOfSortedText(MAX_SORTED_ROWS));
  if (run.scanned > 0 && run.matched === 0) {
    const names = new Set(run.conditions.map(({ condition }) => condition.field));
    notes.push(queryNotes.noMatch(fields.filter(({ name, examples }) => names.has(name) && examples.length > 0)));
  }
  return notes;
}

/** The columns whose dates were put in order by their letters, each with one of these dates. */
export function datesByLetters(run: QueryRun): Map<string, string> {
  const orders = [...run.orders, ...run.aggregates.map(({ order }) => order)];
  return new Map(orders.flatMap(({ name, misplacedDate: date }) => (date === undefined ? [] : [[name, date]])));
}
