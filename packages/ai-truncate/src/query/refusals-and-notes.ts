import type { ToolErrorCode } from '../protocol/tool-response.ts';
import { MAX_SORTED_ROWS } from '../reader-limits.ts';
import type { recordProblem } from '../records/record-words.ts';
import { type QueryArgumentError, reject } from './arguments.ts';
import { MAX_ITEMS } from './condition.ts';
import { type FieldCatalog, type KnownField, type QueryField, similarField } from './field-catalog.ts';
import { partNames, plainNotation } from './fields.ts';
import { aggregationIn } from './notations.ts';
import {
  aggregateAdvice,
  endOfSortedText,
  incomparableText,
  noPartText,
  queryNotes,
  unknownFieldText,
  wrongTypeText,
} from './query-words.ts';
import type { QueryRun } from './run.ts';

/** Why there is no answer, and how to get one. */
export interface QueryRefusal {
  status: 'refused';
  code: ToolErrorCode;
  message: string;
  /** The fields that exist. */
  fields?: QueryField[];
  /** The artifact can only be read as text. */
  isTextOnly?: true;
}

/** The deadline passed before any record was read. */
export const notRead: QueryRefusal = {
  status: 'refused',
  code: 'TIMEOUT',
  message: 'The time limit was reached before any record was read.',
};

/** Throws a `QueryArgumentError` if the records show that the question is wrong, because its answer would be misleading. */
export function requireAnswerable(
  run: QueryRun,
  { fields, others }: { fields: readonly KnownField[]; others: string | undefined },
): void {
  if (run.scanned === 0) return;
  // Any field may be tested for existence, so a note says if all records lack it.
  const lacking = run.conditions.filter(({ condition: { op, value } }) => op === 'exists' && value === false);
  const unknown = run.unseen.find(({ name }) => lacking.every(({ condition }) => condition.field !== name));
  if (unknown) {
    reject([unknownText(unknown.name, fields), others].filter(Boolean).join(' '));
  }
  const condition = run.conditions.find(({ compared, incomparable }) => incomparable > 0 && compared === 0);
  if (condition) {
    const known = fields.find(({ name }) => name === condition.condition.field);
    reject(incomparableText(condition, known?.examples ?? []));
  }
  const useless = run.aggregates.find(({ skipped, used }) => skipped > 0 && used === 0);
  if (useless) reject(wrongTypeText(useless));
}

/** Explains that no record has a field, and suggests a correction. */
function unknownText(name: string, fields: readonly KnownField[]): string {
  const wanted = aggregationIn(name);
  if (wanted) return `${unknownFieldText(name, undefined)} ${aggregateAdvice(wanted)}`;
  const spoken = plainNotation(name);
  const end = spoken.lastIndexOf('.');
  const whole = fields.find((field) => field.name === spoken.slice(0, end));
  if (whole && partNames.includes(spoken.slice(end + 1))) return noPartText(spoken, whole.examples);
  return unknownFieldText(name, similarField(fields, name));
}

export function toRefusal({ message }: QueryArgumentError, catalog: FieldCatalog): QueryRefusal {
  const fields = catalog.shortList();
  return { status: 'refused', code: 'INVALID_PARAM', message, ...(fields.length > 0 && { fields }) };
}

export function toRecordRefusal({ problem, message }: NonNullable<ReturnType<typeof recordProblem>>): QueryRefusal {
  const isAtFault = problem === 'broken' || problem === 'too large';
  return {
    status: 'refused',
    code: isAtFault ? 'EXECUTION_ERROR' : 'INVALID_PARAM',
    message,
    ...((isAtFault || problem === 'no table') && { isTextOnly: true }),
  };
}

/** Facts about the data that change the meaning of the answer. */
export function notesOf(
  run: QueryRun,
  { fields, endedEarly }: { fields: readonly KnownField[]; endedEarly: boolean },
): string[] {
  const notes: string[] = endedEarly ? [queryNotes.deadline] : [];
  if (run.scanned === 0) notes.push(queryNotes.noRecords);
  else for (const { name } of run.unseen) notes.push(unknownFieldText(name, similarField(fields, name)));
  for (const condition of run.conditions) {
    const { incomparable, cut, matchedChars, meetsTimesOfDay, lacking, cutLists } = condition;
    const { field, op, value } = condition.condition;
    if (lacking > 0 && op !== 'exists') notes.push(queryNotes.lacking(condition, run.scanned));
    if (incomparable > 0) notes.push(queryNotes.someIncomparable(condition));
    if (meetsTimesOfDay) notes.push(queryNotes.dayIsMoment(String(value)));
    if (cutLists > 0) notes.push(queryNotes.cutLists(field, condition.maxItems));
    if (cut > 0) notes.push(queryNotes.cutTexts(field, { count: cut, chars: matchedChars }));
  }
  for (const aggregate of run.aggregates) {
    const { name, field, lacking, nulls, skipped, cutLists, isEstimated } = aggregate;
    if (field !== undefined && lacking > 0) notes.push(queryNotes.leavesOut({ field, lacking, nulls }, run.matched));
    if (skipped > 0) notes.push(queryNotes.someSkipped(aggregate));
    if (cutLists > 0) notes.push(queryNotes.cutLists(name, MAX_ITEMS));
    if (isEstimated) notes.push(queryNotes.estimated(name));
  }
  const inLists = run.conditions.filter(({ isOfLists }) => isOfLists).length;
  const isMixed = inLists > 0 && run.aggregates.some(({ isOfLists }) => isOfLists);
  if (run.groups?.cutsLists) notes.push(queryNotes.cutLists(run.groupNames.join(', '), MAX_ITEMS));
  if (inLists > 1 || (isMixed && run.groupNames.length === 0)) notes.push(queryNotes.anyItem);
  run.groups?.lacking.forEach((count, index) => {
    if (count > 0) notes.push(queryNotes.missingGroup(run.groupNames[index] ?? '', count));
  });
  run.unsorted.forEach((count, index) => {
    if (count > 0) notes.push(queryNotes.unsorted(run.orders[index]?.name ?? '', count));
  });
  for (const [column, date] of datesByLetters(run)) notes.push(queryNotes.datesByLetters(column, date));
  if (run.groups && run.groups.leftOut > 0) notes.push(queryNotes.tooManyGroups(run.groups.count, run.groups.leftOut));
  if (run.groups?.room.isFull) notes.push(queryNotes.tooManyDistinct);
  if (run.groups && run.groups.room.medians.leftOut > 0) notes.push(queryNotes.tooManyMedians);
  if (run.endsSorting) notes.push(endOfSortedText(MAX_SORTED_ROWS));
  if (run.scanned > 0 && run.matched === 0) {
    const names = new Set(run.conditions.map(({ condition }) => condition.field));
    notes.push(queryNotes.noMatch(fields.filter(({ name, examples }) => names.has(name) && examples.length > 0)));
    if (run.conditions.some(({ looksForItems }) => looksForItems)) notes.push(queryNotes.wholeItems);
  }
  return [...new Set(notes)];
}

/** The columns with dates that were sorted by their letters, each with an example. */
export function datesByLetters(run: QueryRun): Map<string, string> {
  const orders = [...run.orders, ...run.aggregates.map(({ order }) => order)];
  return new Map(orders.flatMap(({ name, misplacedDate: date }) => (date === undefined ? [] : [[name, date]])));
}
