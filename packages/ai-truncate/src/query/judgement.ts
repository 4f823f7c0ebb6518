import { isoInstant } from '../records/date.ts';
import { MAX_SORTED_ROWS, type Operator } from './arguments.ts';
import type { KnownField } from './catalog.ts';
import type { Condition } from './condition.ts';
import { similarField } from './example.ts';
import { type Incomparable, incomparableText, queryNotes, unknownFieldText, wrongTypeText } from './query-words.ts';
import type { QueryRun } from './run.ts';
import { kindOf } from './value.ts';

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
  const [unknown] = run.unknownFields;
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
  const { name, aggregate, facts } = useless;
  return {
    message: wrongTypeText(name, { op: aggregate.op, example: facts.skippedExample }),
    field: aggregate.field,
  };
}

/** What of the data makes the answer other than it seems. */
export function notesOf(
  run: QueryRun,
  { fields, endedEarly }: { fields: readonly KnownField[]; endedEarly: boolean },
): string[] {
  const notes: string[] = endedEarly ? [queryNotes.deadline] : [];
  if (run.scanned === 0) notes.push(queryNotes.noRecords);
  if (run.scanned > 0)
    for (const name of run.absentFields) notes.push(queryNotes.absentField(name, similarField(fields, name)));
  for (const condition of run.conditions) {
    const { incomparable, cut } = condition;
    if (incomparable > 0) notes.push(queryNotes.someIncomparable(described(condition, fields), incomparable));
    if (condition.meetsTimesOfDay) notes.push(queryNotes.dayIsMoment(String(condition.condition.value)));
    if (condition.cutLists > 0) notes.push(queryNotes.cutLists(condition.condition.field, condition.cutLists));
    if (cut > 0)
      notes.push(queryNotes.cutTexts(condition.condition.field, { count: cut, chars: condition.matchedChars }));
  }
  for (const { name, facts } of run.aggregates) if (facts.skipped > 0) notes.push(queryNotes.someSkipped(name, facts));
  for (const [column, date] of datesByLetters(run)) notes.push(queryNotes.datesByLetters(column, date));
  for (const { name, mixture } of run.orders) if (mixture.length > 0) notes.push(queryNotes.mixedOrder(name, mixture));
  if (run.groups && run.groups.leftOut > 0) notes.push(queryNotes.tooManyGroups(run.groups.count, run.groups.leftOut));
  if (run.groups?.isDistinctFull) notes.push(queryNotes.tooManyDistinct);
  if (run.endsSorting) notes.push(queryNotes.endOfSorted(MAX_SORTED_ROWS));
  if (run.isBehindTheEnd) notes.push(queryNotes.behindTheEnd(run.offset, run.groups?.count ?? run.matched));
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
  const ofExtremes = run.aggregates.map(({ facts }) => facts.order);
  const misplaced = [...run.orders, ...ofExtremes].flatMap((order) =>
    order.misplacedDate === undefined ? [] : ([[order.name, order.misplacedDate]] as const),
  );
  return new Map(misplaced);
}
