import { toSafeJson } from '../json/json-text.ts';
import type { RowsData } from '../protocol/tool-response.ts';
import type { RecordQuery } from '../query/arguments.ts';
import type { QueryField } from '../query/field-catalog.ts';
import { aggregations } from '../query/notations.ts';
import { operatorNames } from '../query/operators.ts';
import type { QueryAnswer } from '../query/query-records.ts';
import type { QueryRefusal } from '../query/refusals-and-notes.ts';
import { createReader, type FindArtifacts, type ReaderAnswer, type ReaderTool } from './create-reader.ts';
import { requirePath, resolvePath } from './parameters.ts';
import { queryArtifact } from './query-artifact.ts';
import { readerDescriptions, readerErrors, readerWords } from './reader-words.ts';
import { ReaderRefusal, type Refusal } from './refusals.ts';

export interface QueryArtifactInput extends RecordQuery {
  path: string;
  /** The keys that lead to the array, in JSON. */
  at?: string[];
}

export interface QueryArtifactData extends RowsData {
  rows: Record<string, unknown>[];
  fields: QueryField[];
  /** With `fallback`: the columns whose dates are not ISO, and are sorted as text. */
  fallback_fields?: string[];
}

const text = { type: 'string' } as const;

/**
 * The values of a condition, or a list for `in`. Each has a type, because some providers drop or refuse values without a type.
 * `null` is in the description, because older versions of Vertex AI refuse its form next to `anyOf`.
 */
const anyScalar = {
  anyOf: [
    ...[{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
    { type: 'object', properties: { path: text, field: text } },
  ],
} as const;
const names = { type: 'array', items: text } as const;

/** A list of objects, in a schema. */
function listOf<Properties>(properties: Properties, required: string[]) {
  return { type: 'array', items: { type: 'object', properties, required } } as const;
}

/** Exact answers about the records of one artifact. */
export function queryArtifactTool(find: FindArtifacts): ReaderTool<QueryArtifactInput, QueryArtifactData> {
  return createReader<QueryArtifactInput, QueryArtifactData>(find, {
    description: readerDescriptions.queryArtifact,
    parameters: {
      path: text,
      at: { ...names, description: 'Keys to the records; omit if unique' },
      where: {
        ...listOf({ field: text, op: { type: 'string', enum: operatorNames }, value: anyScalar }, ['field', 'op']),
        description: '`value` may be null; for `in` { path, field, where } of another output',
      },
      select: names,
      groupBy: names,
      aggregate: listOf({ op: { type: 'string', enum: [...aggregations] }, field: text }, ['op']),
      sort: listOf({ field: text, direction: { type: 'string', enum: ['asc', 'desc'] } }, ['field']),
      limit: { type: 'integer' },
      offset: { type: 'integer' },
    },
    required: ['path'],
    async run({ artifacts, input, abortSignal }) {
      const { path: given, at, ...query } = input;
      const path = await resolvePath(artifacts, requirePath(given), { abortSignal });
      const answer = await queryArtifact(artifacts, path, { at, query, abortSignal });
      if (answer.status === 'refused') throw new ReaderRefusal(toRefusal(answer));
      return { ...toAnswer(answer), path };
    },
    show: ({ rows }) => rows.map((row) => toSafeJson(JSON.stringify(row))).join('\n'),
  });
}

/** The fallback for sorting, for readers of `data`. */
const DATES_BY_LETTERS = 'dates by letters';

function toRefusal({ code, message, fields, isTextOnly }: QueryRefusal): Refusal {
  const names = fields?.map(({ name, types }) => `${name} (${types.join(', ')})`).join(', ');
  const correct = isTextOnly ? readerErrors.readAsText : readerErrors.correct;
  const advice = code === 'TIMEOUT' ? readerErrors.tryAgain : correct;
  return { code, message, next: names ? readerWords.fields(names) : advice };
}

function toAnswer(answer: QueryAnswer): Omit<ReaderAnswer<QueryArtifactData>, 'path'> {
  const { rows, fields, matched, scanned, place, groups, next, incomplete, datesByLetters, notes } = answer;
  const isCut = next !== undefined || incomplete !== undefined;
  const narrower = isCut ? readerWords.narrow : datesByLetters && readerWords.findDate;
  return {
    data: {
      rows,
      fields,
      ...(isCut && { truncated: true }),
      ...(datesByLetters && { fallback: DATES_BY_LETTERS, fallback_fields: datesByLetters }),
    },
    happened: readerWords.rows({ rows: rows.length, matched, scanned, place, groups }),
    state: notes?.join(' '),
    next: next ? readerWords.queryOn(next.offset) : narrower,
    stats: { total_matched: matched, total_records: scanned, ...(groups !== undefined && { total_groups: groups }) },
  };
}
