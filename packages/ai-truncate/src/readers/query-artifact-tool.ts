import { jsonSchema } from 'ai';
import { artifactName } from '../artifacts/artifact-name.ts';
import { now } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { toSafeJson } from '../json/json-text.ts';
import type { RowsData } from '../protocol/tool-response.ts';
import { aggregations, operators, type RecordQuery } from '../query/arguments.ts';
import type { QueryField } from '../query/fields.ts';
import { type QueryAnswer, queryRecords } from '../query/query-records.ts';
import { notRead, type QueryRefusal } from '../query/refusals-and-notes.ts';
import { readRecords } from '../records/record-source.ts';
import { noTableText } from '../records/record-words.ts';
import { compileSearchPattern } from '../search/pattern.ts';
import { inSearchTurn } from '../search/search-turn.ts';
import { createReader, type FindArtifacts, ReaderRefusal, type ReaderTool } from './artifact-reader.ts';
import { givenPath } from './given-path.ts';
import { objectionToPath } from './path-objection.ts';
import { readableOnly } from './readable-only.ts';
import { readerDescriptions, readerErrors, readerWords } from './reader-words.ts';
import { resolvedPath } from './resolved-path.ts';

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

const DEADLINE_MS = 20_000;
/** With the wait for its turn: a reader that takes longer than 30 seconds is given up. */
const MAX_ANSWER_MS = 28_000;

/**
 * What a condition may compare with, or a list for `in`. Each with a type: what has none, some providers drop or refuse. `null` is
 * in the description, because older versions of Vertex AI refuse what they make of it beside `anyOf`.
 */
const anyScalar = {
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
} as const;

/** Exact answers about the records of one artifact. */
export function queryArtifactTool(find: FindArtifacts): ReaderTool<QueryArtifactInput, QueryArtifactData> {
  const names = { type: 'array', items: { type: 'string' } } as const;
  return createReader<QueryArtifactInput, QueryArtifactData>(find, {
    description: readerDescriptions.queryArtifact,
    inputSchema: jsonSchema<QueryArtifactInput>({
      type: 'object',
      properties: {
        path: { type: 'string' },
        at: { ...names, description: 'Keys to the array; found when unique' },
        where: {
          type: 'array',
          description: '`value` may be null',
          items: {
            type: 'object',
            properties: { field: { type: 'string' }, op: { type: 'string', enum: [...operators] }, value: anyScalar },
            required: ['field', 'op'],
          },
        },
        select: names,
        groupBy: names,
        aggregate: {
          type: 'array',
          items: {
            type: 'object',
            properties: { op: { type: 'string', enum: [...aggregations] }, field: { type: 'string' } },
            required: ['op'],
          },
        },
        sort: {
          type: 'array',
          items: {
            type: 'object',
            properties: { field: { type: 'string' }, direction: { type: 'string', enum: ['asc', 'desc'] } },
            required: ['field'],
          },
        },
        limit: { type: 'integer' },
        offset: { type: 'integer' },
      },
      required: ['path'],
    }),
    async run({ artifacts, input, abortSignal }) {
      const { path: asGiven, at, ...query } = input;
      const given = givenPath(asGiven);
      const objection = objectionToPath(given);
      if (objection) throw new ReaderRefusal({ ...objection, next: readerErrors.usePath });
      const keys = keysOf(at);
      const path = await resolvedPath(artifacts, given as string, { abortSignal });
      const endsAt = now() + MAX_ANSWER_MS;
      const work = async (): Promise<QueryAnswer | QueryRefusal> => {
        const bytes = readableOnly(await artifacts.readStream(path, { abortSignal }));
        const records = readRecords(bytes, { at: keys, abortSignal });
        return queryRecords(records, query, {
          abortSignal,
          deadlineMs: Math.min(DEADLINE_MS, endsAt - now()),
          matcher,
        });
      };
      const answer = (await inSearchTurn(artifacts, { signal: abortSignal, work })) ?? notRead;
      if (answer.status === 'refused') throw new ReaderRefusal(toRefusal(answer));
      return { ...toAnswer(answer), pathResolved: artifactName(path) ?? path };
    },
    show: ({ rows }) => rows.map((row) => toSafeJson(JSON.stringify(row))).join('\n'),
  });
}

const MAX_KEYS = 20;
const MAX_KEY_CHARS = 512;

function keysOf(at: unknown): string[] | undefined {
  if (at === undefined) return undefined;
  // One text is one key, or the keys between its dots.
  const keys: unknown[] = Array.isArray(at) ? at : typeof at === 'string' ? at.split('.', MAX_KEYS + 1) : [at];
  const isRight =
    keys.length <= MAX_KEYS && Array.from(keys).every((key) => typeof key === 'string' && key.length <= MAX_KEY_CHARS);
  if (isRight) return keys as string[];
  throw new InvalidOptionError({ option: 'at', value: at, expected: `a list of at most ${MAX_KEYS} keys` });
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

function toRefusal({ code, message, fields, example }: QueryRefusal): ConstructorParameters<typeof ReaderRefusal>[0] {
  const names = fields?.slice(0, MAX_FIELDS_TOLD).map(({ name, types }) => `${name} (${types.join(', ')})`);
  const next = [
    names && names.length > 0
      ? readerWords.fields(names.join(', '))
      : code === 'EXECUTION_ERROR' || message === noTableText
        ? readerErrors.readAsText
        : readerErrors.correct,
    ...(example ? [readerWords.example(JSON.stringify(example))] : []),
  ];
  return { code, message, next: next.join(' ') };
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
