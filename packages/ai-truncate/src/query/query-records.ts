import { startDeadline } from '../deadlines.ts';
import { inTurn, pace } from '../pace.ts';
import { ANSWER_CHARS } from '../reader-limits.ts';
import type { Records } from '../records/record-text.ts';
import { RecordError } from '../records/record-words.ts';
import { type CheckedQuery, checkQuery, QueryArgumentError, type RecordQuery, reject } from './arguments.ts';
import { FieldCatalog, type QueryField } from './fields.ts';
import type { PatternMatcher } from './operators.ts';
import { argumentTexts } from './query-words.ts';
import {
  datesByLetters,
  notesOf,
  notRead,
  type QueryRefusal,
  requireAnswerable,
  toRecordRefusal,
  toRefusal,
} from './refusals-and-notes.ts';
import { QueryRun } from './run.ts';

export interface QueryOptions {
  abortSignal?: AbortSignal | undefined;
  /** How long records are read before the answer is given from those that were. @default for ever */
  deadlineMs?: number | undefined;
  /** How many characters the rows may have as JSON. @default 8000 */
  maxChars?: number;
  /** For the operator `matches`. */
  matcher?: PatternMatcher | undefined;
}

/** What the records say. */
export interface QueryAnswer {
  status: 'ok';
  /** The records, or the groups, that were asked for. Long texts are shortened; what a record does not have is not there. */
  rows: Record<string, unknown>[];
  /** The fields of the records, not all when there are many. */
  fields: QueryField[];
  /** Records for which all conditions hold, all of them counted. */
  matched: number;
  scanned: number;
  /** Of a grouped query: groups in all. */
  groups?: number;
  /** Where the rows that did not fit start. */
  next?: { offset: number };
  /** Why the numbers are not about all records, or the rows behind cannot be had by an offset. */
  incomplete?: 'deadline' | 'groups' | 'distinct' | 'sorted';
  /** Columns whose dates are not ISO and stand in the order of their letters. */
  datesByLetters?: string[];
  /** What the model should know of the data. */
  notes?: string[];
}

const RECORDS_PER_STEP = 64;

/**
 * Answers one question about records, in one pass and with constant memory: rows, or groups with counts and sums. A question
 * that cannot be answered (an unknown field, an operator that does not exist, types that cannot be compared, broken data) is
 * refused, with the existing fields if records were read, so that an empty answer always means that nothing matched.
 *
 * - `null` is a value: `eq null` finds it, `ne` counts it as different, aggregates leave it out. A field that a record
 *   does not have matches nothing but `exists: false`.
 * - Numbers compare with numbers and with text that is a number, ISO dates as moments, other text by code unit; dates that
 *   are not ISO only with themselves. Sorted, these stand by their letters, and the answer says so.
 * - What sorts: numbers, dates, text, booleans, `null`, missing; the last two stand last in both directions.
 *
 * @example
 * const records = readRecords(bytes, { at: ['features'] });
 * await queryRecords(records, { where: [{ field: 'properties.mag', op: 'gte', value: 5 }] });
 */
export async function queryRecords(
  records: Records,
  query: Record<string, unknown> | RecordQuery,
  options: QueryOptions = {},
): Promise<QueryAnswer | QueryRefusal> {
  const { abortSignal, deadlineMs = Number.POSITIVE_INFINITY } = options;
  // The deadline also ends the wait for a store that does not answer.
  const { signal, clear } = startDeadline(deadlineMs, { abortSignal, toReason: () => timeIsUp });
  const catalog = new FieldCatalog();
  try {
    return await answerQuery(records, { ...options, query: { ...query }, catalog, abortSignal: signal });
  } catch (error) {
    if (error === timeIsUp) return notRead;
    if (error instanceof RecordError) return toRecordRefusal(error);
    if (!(error instanceof QueryArgumentError)) throw error;
    return toRefusal(error, catalog);
  } finally {
    clear();
  }
}

/** The reason of a signal whose time is up. */
const timeIsUp = new Error('The time for the query is up.');

interface Work extends QueryOptions {
  query: Record<string, unknown>;
  catalog: FieldCatalog;
  abortSignal: AbortSignal;
}

async function answerQuery(records: Records, work: Work): Promise<QueryAnswer> {
  const { catalog, maxChars = ANSWER_CHARS, abortSignal } = work;
  const checked = checkQuery(work.query);
  const run = new QueryRun(checked, { maxChars, matcher: await compiledPatterns(checked, work) });
  let endedEarly = false;
  try {
    for await (const _ of pace(scan(records, { run, catalog }), { abortSignal }));
  } catch (error) {
    if (error !== timeIsUp || run.scanned === 0) throw error;
    endedEarly = true;
  }
  requireAnswerable(run, catalog.fields);
  const { rows, next } = run.answer();
  const notes = [...notesOf(run, { fields: catalog.fields, endedEarly }), ...(records.notes?.() ?? [])];
  const misordered = [...datesByLetters(run).keys()];
  const incomplete = endedEarly ? 'deadline' : run.incomplete;
  return {
    status: 'ok',
    rows,
    fields: catalog.shortList(),
    matched: run.matched,
    scanned: run.scanned,
    ...(run.groups && { groups: run.groups.count }),
    ...(next && { next }),
    ...(incomplete && { incomplete }),
    ...(misordered.length > 0 && { datesByLetters: misordered }),
    ...(notes.length > 0 && { notes }),
  };
}

/** Each pattern once. A query has up to twenty, and each of them takes up to 10 ms. */
async function compiledPatterns({ where }: CheckedQuery, { matcher, abortSignal }: Work): Promise<PatternMatcher> {
  const compiled = new Map<string, ReturnType<PatternMatcher>>();
  for (const { op, value } of where) {
    const pattern = String(value);
    if (op !== 'matches' || compiled.has(pattern)) continue;
    if (!matcher) reject(argumentTexts.noMatcher);
    abortSignal.throwIfAborted();
    try {
      compiled.set(pattern, await inTurn(() => matcher(pattern)));
    } catch (error) {
      reject(error instanceof Error ? error.message : String(error));
    }
  }
  return (pattern) => compiled.get(pattern) ?? (() => false);
}

async function* scan(
  records: Records,
  { run, catalog }: { run: QueryRun; catalog: FieldCatalog },
): AsyncGenerator<undefined> {
  for await (const batch of records) {
    catalog.look(batch);
    for (let index = 0; index < batch.length; index++) {
      // Before it: what was just parsed was a step of its own.
      if (run.hasLongSteps) yield;
      run.add(batch[index]);
      if (!run.hasLongSteps && index % RECORDS_PER_STEP === 0) yield;
    }
  }
}
