import type { Artifacts, ReadOptions } from '../artifacts/artifacts.ts';
import { now } from '../deadlines.ts';
import { toSafeJson } from '../json/json-text.ts';
import type { RowsData } from '../protocol/tool-response.ts';
import { aggregations, type RecordQuery } from '../query/arguments.ts';
import type { QueryField } from '../query/fields.ts';
import { operatorNames } from '../query/operators.ts';
import { type QueryAnswer, queryRecords } from '../query/query-records.ts';
import { notRead, type QueryRefusal } from '../query/refusals-and-notes.ts';
import { QUERY_MS, QUERY_WITH_WAIT_MS } from '../reader-limits.ts';
import { readRecords } from '../records/record-source.ts';
import { compileSearchPattern } from '../search/pattern.ts';
import { inSearchTurn } from '../search/search-turn.ts';
import { decodeText } from '../text/utf.ts';
import { contentKind } from '../windows/text-regions.ts';
import { createReader, type FindArtifacts, type ReaderAnswer, type ReaderTool } from './create-reader.ts';
import { requirePath, resolvePath } from './parameters.ts';
import { readerDescriptions, readerErrors, readerWords } from './reader-words.ts';
import { ReaderRefusal, type Refusal, requireReadable } from './refusals.ts';

export interface QueryArtifactInput extends RecordQuery {
  path: string;
  /** The keys that lead to the array, in JSON. */
  at?: string[];
}

export interface QueryArtifactData extends RowsData {
  rows: Record<string, unknown>[];
  fields: QueryField[];
  /** With `fallback`: the columns whose dates are not ISO, and stand in the order of their letters. */
  fallback_fields?: string[];
}

/**
 * What a condition may compare with, or a list for `in`. Each with a type: what has none, some providers drop or refuse. `null` is
 * in the description, because older versions of Vertex AI refuse what they make of it beside `anyOf`.
 */
const anyScalar = {
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
} as const;

const text = { type: 'string' } as const;
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
      at: { ...names, description: 'Keys to the array; found when unique' },
      where: {
        ...listOf({ field: text, op: { type: 'string', enum: operatorNames }, value: anyScalar }, ['field', 'op']),
        description: '`value` may be null',
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
      const endsAt = now() + QUERY_WITH_WAIT_MS;
      const work = async (): Promise<QueryAnswer | QueryRefusal> => {
        const bytes = readableBytes(artifacts, path, { abortSignal });
        const deadlineMs = Math.min(QUERY_MS, endsAt - now());
        return queryRecords(readRecords(bytes, { at, abortSignal }), query, { abortSignal, deadlineMs, matcher });
      };
      const answer = (await inSearchTurn(artifacts, { signal: abortSignal, work })) ?? notRead;
      if (answer.status === 'refused') throw new ReaderRefusal(toRefusal(answer));
      return { ...toAnswer(answer), path };
    },
    show: ({ rows }) => rows.map((row) => toSafeJson(JSON.stringify(row))).join('\n'),
  });
}

const LOOKED_AT = 1024;

/**
 * The bytes of an artifact. Refused when their beginning shows that they are not text, because any table of them would be made up.
 * Opened with the first read, because a query with wrong parameters reads nothing and would leave a stream open.
 */
async function* readableBytes(artifacts: Artifacts, path: string, options: ReadOptions): AsyncGenerator<Uint8Array> {
  let isBeginning = true;
  for await (const chunk of await artifacts.readStream(path, options)) {
    if (isBeginning) requireReadable(contentKind(decodeText(chunk.subarray(0, LOOKED_AT))));
    isBeginning = false;
    yield chunk;
  }
}

/** Without its exceptions, which `matches` would not expect. */
function matcher(pattern: string): (text: string) => boolean {
  const compiled = compileSearchPattern(pattern);
  if (!compiled.ok) throw new Error(compiled.message);
  return (text) => compiled.pattern.test(text);
}

/** The lesser way to sort, for who reads `data`. */
const DATES_BY_LETTERS = 'dates by letters';

function toRefusal({ code, message, fields, isTextOnly }: QueryRefusal): Refusal {
  const names = fields?.map(({ name, types }) => `${name} (${types.join(', ')})`).join(', ');
  const correct = isTextOnly ? readerErrors.readAsText : readerErrors.correct;
  const advice = code === 'TIMEOUT' ? readerErrors.tryAgain : correct;
  return { code, message, next: names ? readerWords.fields(names) : advice };
}

function toAnswer(answer: QueryAnswer): Omit<ReaderAnswer<QueryArtifactData>, 'path'> {
  const { rows, fields, matched, scanned, groups, next, incomplete, datesByLetters, notes } = answer;
  const isCut = next !== undefined || incomplete !== undefined;
  const narrower = isCut ? readerWords.narrow : datesByLetters && readerWords.findDate;
  return {
    data: {
      rows,
      fields,
      ...(isCut && { truncated: true }),
      ...(datesByLetters && { fallback: DATES_BY_LETTERS, fallback_fields: datesByLetters }),
    },
    happened: readerWords.rows({ rows: rows.length, matched, scanned, groups }),
    state: notes?.join(' '),
    next: next ? readerWords.queryOn(next.offset) : narrower,
    stats: { total_matched: matched, total_records: scanned, ...(groups !== undefined && { total_groups: groups }) },
  };
}
