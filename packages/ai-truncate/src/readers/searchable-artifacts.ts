import { ArtifactNotFoundError, type Artifacts, type ReadOptions } from '../artifacts/artifacts.ts';
import { artifactOwner, scopedArtifacts, withOwner } from '../artifacts/scoped-artifacts.ts';
import { AiTruncateError, InvalidOptionError } from '../errors.ts';
import { requireOptions } from '../options.ts';
import type { RecordQuery } from '../query/arguments.ts';
import type { QueryAnswer } from '../query/query-records.ts';
import { type FailedSearch, grepArtifacts } from '../search/grep-artifacts.ts';
import type { GrepMatch } from '../search/matches.ts';
import { compileInTurn, type SearchPattern } from '../text/pattern.ts';
import { queryArtifact } from './query-artifact.ts';
import { ReaderRefusal } from './refusals.ts';

/** The artifacts of one scope, with the searches that the readers use. */
export interface ScopedArtifacts extends Artifacts {
  /**
   * The lines that match a pattern in RE2 syntax, in each artifact. Leave the loop when you have enough. Artifacts that are not
   * text are skipped. If `path` names such an artifact, the loop ends with an error.
   *
   * @example
   * for await (const { path, line, text } of artifacts.grep('ERROR|FATAL')) console.log(`${path}:${line} ${text}`);
   */
  grep(pattern: string, options?: GrepOptions): AsyncIterable<ArtifactMatch>;
  /**
   * Filters, groups, sorts and counts the records of one artifact: JSON, NDJSON, CSV or TSV. A question that cannot be answered
   * rejects with an `InvalidOptionError`.
   *
   * @example
   * const { rows } = await artifacts.query(path, { where: [{ field: 'status', op: 'eq', value: 'refunded' }] });
   */
  query(path: string, query?: ArtifactQuery): Promise<RecordsAnswer>;
}

export interface GrepOptions extends ReadOptions {
  /** One artifact or several. @default every artifact of the scope, newest first */
  path?: string | readonly string[] | undefined;
  /** The pattern is plain text. @default false */
  literal?: boolean | undefined;
  /** @default false */
  ignoreCase?: boolean | undefined;
  /** Lines to include before each match, at most 20. @default 0 */
  before?: number | undefined;
  /** Lines to include after each match, at most 20. @default 0 */
  after?: number | undefined;
}

/** A line that matches. A line with more than 4,096 characters gives a match for each stretch of 200 that matches. */
export interface ArtifactMatch extends Omit<GrepMatch, 'at'> {
  /** The artifact. */
  path: string;
}

/** A question about records. Each part may also be `undefined`, as in an application that passes on what it has. */
export type ArtifactQuery = { [NAME in keyof RecordQuery]?: RecordQuery[NAME] | undefined } & ReadOptions & {
    /** The keys that lead to the array of records. @default the only array of objects within three keys */
    at?: string[] | undefined;
  };

/** The answer to a query. */
export type RecordsAnswer = Omit<QueryAnswer, 'status'>;

const GREP_OPTIONS = ['path', 'literal', 'ignoreCase', 'before', 'after', 'abortSignal'];
const QUERY_OPTIONS = ['at', 'where', 'select', 'groupBy', 'aggregate', 'sort', 'limit', 'offset', 'abortSignal'];

/**
 * The saved outputs of one owner, in any store: save, list, read, search and delete them. Creating this object reads and writes
 * nothing.
 *
 * @example
 * const artifacts = scopedArtifacts(store, { scope: chatId });
 * const { path } = await artifacts.save(log, { toolName: 'readServerLogs', toolCallId: 'call_1' });
 * const { lines } = await artifacts.readLines(path, { start: 120, count: 40 });
 */
export function searchableArtifacts(...[store, options]: Parameters<typeof scopedArtifacts>): ScopedArtifacts {
  const artifacts = scopedArtifacts(store, options);
  const searchable: ScopedArtifacts = {
    ...artifacts,
    grep(pattern, grepOptions = {}) {
      requireOptions(grepOptions as unknown, { known: GREP_OPTIONS });
      return allMatches(artifacts, pattern, grepOptions);
    },
    async query(path, queryOptions = {}) {
      requireOptions(queryOptions as unknown, { known: QUERY_OPTIONS, at: 'query' });
      const { at, abortSignal, ...query } = queryOptions;
      const answer = await queryArtifact(artifacts, path, { at, query, abortSignal }).catch((error) => {
        throw error instanceof ReaderRefusal ? unreadable(error.message) : error;
      });
      if (answer.status === 'ok') {
        const { status: _, ...rest } = answer;
        return rest;
      }
      const { code, message } = answer;
      if (code === 'INVALID_PARAM') throw new InvalidOptionError({ option: 'query', message });
      throw code === 'TIMEOUT' ? timedOut() : unreadable(message);
    },
  };
  withOwner(searchable, artifactOwner(artifacts));
  return searchable;
}

async function* allMatches(
  artifacts: Artifacts,
  source: string,
  options: GrepOptions,
): AsyncGenerator<ArtifactMatch, void> {
  const { literal, ignoreCase, path, abortSignal } = options;
  const compiled = await compileInTurn(source, { literal: literal === true, ignoreCase: ignoreCase === true });
  if (!compiled.ok) throw new InvalidOptionError({ option: 'pattern', message: compiled.message });
  const named = path === undefined ? undefined : [path].flat();
  for await (const paths of batches(named ?? listedPaths(artifacts, abortSignal))) {
    yield* matchesIn(artifacts, { ...options, pattern: compiled.pattern, paths, isNamed: named !== undefined });
  }
}

/** A search takes so many paths. */
const BATCH = 100;
const PAGE = { maxMatches: 500, maxChars: 256 * 1024, countsAll: false };

async function* matchesIn(
  artifacts: Artifacts,
  { pattern, paths, isNamed, before = 0, after = 0, abortSignal }: GrepOptions & Batch,
): AsyncGenerator<ArtifactMatch, void> {
  let cursor: string | undefined;
  do {
    const search = { ...PAGE, pattern, paths, before, after, cursor, abortSignal };
    const { matches, failed, isComplete, next } = await grepArtifacts(artifacts, search);
    for (const { file, at: _, ...match } of matches) yield { path: file, ...match };
    for (const each of failed) requireSearched(each, { isNamed });
    // Without this, a store that never answers in time would look like one without matches, or block the loop forever.
    if (!isComplete && (next === undefined || next === cursor)) throw timedOut();
    cursor = next;
  } while (cursor !== undefined);
}

interface Batch {
  pattern: SearchPattern;
  paths: string[];
  /** The application named the artifacts. */
  isNamed: boolean;
}

function requireSearched(failed: FailedSearch, { isNamed }: { isNamed: boolean }): void {
  if (failed.reason === 'error') throw failed.error;
  if (!isNamed) return;
  throw failed.reason === 'gone'
    ? new ArtifactNotFoundError(failed.path)
    : unreadable(`\`${failed.path}\` is not text.`);
}

async function* listedPaths(artifacts: Artifacts, abortSignal: AbortSignal | undefined): AsyncGenerator<string> {
  for await (const { path } of artifacts.list({ abortSignal })) yield path;
}

async function* batches(paths: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const path of paths) {
    batch.push(path);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function unreadable(message: string): AiTruncateError {
  return new AiTruncateError(message, { code: 'ARTIFACT_UNREADABLE' });
}

function timedOut(): AiTruncateError {
  const message = 'The time limit was reached before any output was searched. The store is slow or busy, so try again.';
  return new AiTruncateError(message, { code: 'SEARCH_TIMEOUT' });
}
