import { now, startDeadline } from '../deadlines.ts';
import { inTurn, pace } from '../pace.ts';
import { ANSWER_CHARS } from '../reader-limits.ts';
import { type Records, START_AGAIN } from '../records/record-text.ts';
import { recordProblem } from '../records/record-words.ts';
import { type CheckedQuery, checkQuery, QueryArgumentError, type RecordQuery, reject } from './arguments.ts';
import { isElsewhere, type QueryCondition } from './condition.ts';
import { FieldCatalog, type QueryField } from './field-catalog.ts';
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
import { type OpenRecords, valuesElsewhere } from './values-elsewhere.ts';

export interface QueryOptions {
  abortSignal?: AbortSignal | undefined;
  /** How long records are read. After that, the answer covers the records read so far. @default no limit */
  deadlineMs?: number | undefined;
  /** The most characters of the rows as JSON. @default 8000 */
  maxChars?: number;
  /** Needed for the operator `matches`. */
  matcher?: PatternMatcher | undefined;
  /** Needed for `in` with the values of another output. */
  open?: OpenRecords | undefined;
}

/** The answer to a question about records. */
export interface QueryAnswer {
  status: 'ok';
  /** The requested records or groups. Long texts are shortened, and missing fields are absent. */
  rows: Record<string, unknown>[];
  /** The fields of the records. If there are many, only the first. */
  fields: QueryField[];
  /** The number of all records for which every condition holds. */
  matched: number;
  scanned: number;
  /** The place of the records in a JSON document, in words; absent if the records are the items of the document. */
  place?: string;
  /** The number of all groups in a grouped query. */
  groups?: number;
  /** The offset of the first row that did not fit. */
  next?: { offset: number };
  /** Why the numbers do not cover all records, or why later rows cannot be requested by an offset. */
  incomplete?: 'deadline' | 'groups' | 'distinct' | 'sorted' | 'lists';
  /** Columns with dates that are not ISO, which are sorted by their letters. */
  datesByLetters?: string[];
  /** Facts about the data that the model should know. */
  notes?: string[];
}

const RECORDS_PER_STEP = 64;
/** A step ends after this time, because records with long lists are slow. */
const STEP_MS = 4;

/**
 * Answers one question about records in one pass and in constant memory: with rows, or with groups and their counts and sums. A
 * question that cannot be answered is refused: an unknown field, an operator that does not exist, types that cannot be compared,
 * or broken data. If records were read, the refusal names the existing fields. So an empty answer always means that nothing
 * matched.
 * - `null` is a value: `eq null` finds it, `ne` counts it as different, and aggregates leave it out. A field that a record does
 *   not have matches only `exists: false`.
 * - Numbers are compared with numbers and numeric texts, ISO dates by their time, and other texts by code unit. Dates that are
 *   not ISO are compared only with themselves. They are sorted by their letters, and the answer says so.
 * - The sort order is numbers, dates, text, booleans, `null`, missing. The last two come last in both directions.
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
    const problem = recordProblem(error);
    if (problem) return toRecordRefusal(problem);
    if (!(error instanceof QueryArgumentError)) throw error;
    return toRefusal(error, catalog);
  } finally {
    clear();
  }
}

/** The reason of a signal after its deadline. */
const timeIsUp = new Error('The time for the query is up.');

interface Work extends QueryOptions {
  query: Record<string, unknown>;
  catalog: FieldCatalog;
  abortSignal: AbortSignal;
}

async function answerQuery(records: Records, work: Work): Promise<QueryAnswer> {
  const { catalog, maxChars = ANSWER_CHARS, abortSignal } = work;
  const asked = checkQuery(work.query);
  const matcher = await compiledPatterns(asked, work);
  const checked = { ...asked, where: await withValues(asked.where, { ...work, matcher }) };
  const start = () => new QueryRun(checked, { maxChars, matcher });
  let run = start();
  if (run.names) records.use?.(run.names);
  const steps = scan(records, {
    catalog,
    run: () => run,
    startAgain: () => {
      run = start();
    },
  });
  let endedEarly = false;
  try {
    for await (const _ of pace(steps, { abortSignal }));
  } catch (error) {
    if (error !== timeIsUp || run.scanned === 0) throw error;
    endedEarly = true;
  }
  requireAnswerable(run, { fields: catalog.fields, others: records.others?.() });
  const { rows, next } = run.answer();
  const notes = [...notesOf(run, { fields: catalog.fields, endedEarly }), ...(records.notes?.() ?? [])];
  const misordered = [...datesByLetters(run).keys()];
  const incomplete = endedEarly ? 'deadline' : run.incomplete;
  const place = records.place?.();
  return {
    status: 'ok',
    rows,
    fields: catalog.shortList(),
    matched: run.matched,
    scanned: run.scanned,
    ...(place !== undefined && { place }),
    ...(run.groups && { groups: run.groups.count }),
    ...(next && { next }),
    ...(incomplete && { incomplete }),
    ...(misordered.length > 0 && { datesByLetters: misordered }),
    ...(notes.length > 0 && { notes }),
  };
}

/** The conditions, with the values of other outputs in place of their references. */
async function withValues(
  where: readonly QueryCondition[],
  { open, matcher, abortSignal }: Work & { matcher: PatternMatcher },
): Promise<QueryCondition[]> {
  const resolved: QueryCondition[] = [];
  for (const condition of where) {
    const { value } = condition;
    if (!isElsewhere(value)) resolved.push(condition);
    else if (!open) reject(argumentTexts.elsewhere);
    else resolved.push({ ...condition, value: await valuesElsewhere(value, { open, matcher, abortSignal }) });
  }
  return resolved;
}

/** Each pattern is compiled once, because a query has up to twenty, and each takes up to 10 ms. */
async function compiledPatterns({ where }: CheckedQuery, { matcher, abortSignal }: Work): Promise<PatternMatcher> {
  const compiled = new Map<string, ReturnType<PatternMatcher>>();
  const elsewhere = where.flatMap(({ value }) => (isElsewhere(value) ? (value.where ?? []) : []));
  for (const { op, value } of [...where, ...elsewhere]) {
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
  { run, startAgain, catalog }: { run: () => QueryRun; startAgain: () => void; catalog: FieldCatalog },
): AsyncGenerator<undefined> {
  for await (const batch of records) {
    if (batch === START_AGAIN) {
      startAgain();
      catalog.clear();
    }
    catalog.look(batch);
    const current = run();
    let startedAt = now();
    for (let index = 0; index < batch.length; index++) {
      // Yields before the work, because parsing the batch was already a step.
      if (current.hasLongSteps) yield;
      current.add(batch[index]);
      if (current.hasLongSteps || (index % RECORDS_PER_STEP !== 0 && now() - startedAt < STEP_MS)) continue;
      yield;
      startedAt = now();
    }
  }
}
