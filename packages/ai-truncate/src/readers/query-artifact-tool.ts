import { jsonSchema } from 'ai';
import { QUERY_MS, QUERY_WITH_WAIT_MS } from '../answer-limits.ts';
import { now } from '../deadlines.ts';
import { toSafeJson } from '../json/json-text.ts';
import type { RowsData } from '../protocol/tool-response.ts';
import { aggregations, type RecordQuery } from '../query/arguments.ts';
import type { QueryField } from '../query/fields.ts';
import { operatorNames } from '../query/operators.ts';
import { type QueryAnswer, queryRecords } from '../query/query-records.ts';
import { notRead, type QueryRefusal } from '../query/refusals-and-notes.ts';
import { readRecords } from '../records/record-source.ts';
import { compileSearchPattern } from '../search/pattern.ts';
import { inSearchTurn } from '../search/search-turn.ts';
import { decodeText } from '../text/utf.ts';
import { contentKind } from '../windows/content.ts';
import { createReader, type FindArtifacts, type ReaderTool } from './create-reader.ts';
import { requirePath, resolvePath } from './paths.ts';
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
    inputSchema: jsonSchema<QueryArtifactInput>({
      type: 'object',
      properties: {
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
    }),
    async run({ artifacts, input, abortSignal }) {
      const { path: given, at, ...query } = input;
      const path = await resolvePath(artifacts, requirePath(given), { abortSignal });
      const endsAt = now() + QUERY_WITH_WAIT_MS;
      const work = async (): Promise<QueryAnswer | QueryRefusal> => {
        const bytes = readableOnly(await artifacts.readStream(path, { abortSignal }));
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

/** The same bytes; refused where their beginning tells that they are no text, of which any table would be made up. */
async function* readableOnly(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const beginning = new Uint8Array(LOOKED_AT);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const look = () => requireReadable(contentKind(decodeText(beginning.subarray(0, length))));
  for await (const chunk of bytes) {
    if (length === LOOKED_AT) {
      yield chunk;
      continue;
    }
    const part = chunk.subarray(0, LOOKED_AT - length);
    beginning.set(part, length);
    length += part.length;
    chunks.push(chunk);
    if (length < LOOKED_AT) continue;
    look();
    yield* chunks.splice(0);
  }
  if (length === LOOKED_AT) return;
  look();
  yield* chunks;
}

/** Without its exceptions, which `matches` would not expect. */
function matcher(pattern: string): (text: string) => boolean {
  const compiled = compileSearchPattern(pattern);
  if (!compiled.ok) throw new Error(compiled.message);
  return (text) => compiled.pattern.test(text);
}

/** The lesser way to sort, for who reads `data`. */
const DATES_BY_LETTERS = 'dates by letters';
const MAX_FIELDS_TOLD = 40;

function toRefusal({ code, message, fields = [], example, isTextOnly }: QueryRefusal): Refusal {
  const names = fields.slice(0, MAX_FIELDS_TOLD).map(({ name, types }) => `${name} (${types.join(', ')})`);
  const correct = isTextOnly ? readerErrors.readAsText : readerErrors.correct;
  const advice = code === 'TIMEOUT' ? readerErrors.tryAgain : correct;
  const next = names.length > 0 ? readerWords.fields(names.join(', ')) : advice;
  return { code, message, next: example ? `${next} ${readerWords.example(JSON.stringify(example))}` : next };
}

function toAnswer(answer: QueryAnswer) {
  const { rows, fields, matched, scanned, groups, next, incomplete, datesByLetters, notes = [] } = answer;
  const isCut = next !== undefined || incomplete !== undefined;
  const isPartial = isCut || datesByLetters !== undefined;
  const reason = incomplete && incomplete !== 'sorted' ? [readerWords.incomplete[incomplete]] : [];
  const state = [...reason, ...notes].join(' ') || undefined;
  return {
    data: {
      rows,
      fields,
      ...(isCut && { truncated: true }),
      ...(datesByLetters && { fallback: DATES_BY_LETTERS, fallback_fields: datesByLetters }),
    },
    happened: readerWords.rows({ rows: rows.length, matched, scanned, groups }),
    state,
    ...(isPartial && { next: nextOf({ next, isCut }) }),
    stats: { total_matched: matched, total_records: scanned, ...(groups !== undefined && { total_groups: groups }) },
  };
}

function nextOf({ next, isCut }: { next: { offset: number } | undefined; isCut: boolean }): string {
  if (next) return readerWords.queryOn(next.offset);
  return isCut ? readerWords.narrow : readerWords.findDate;
}
