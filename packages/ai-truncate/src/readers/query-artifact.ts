import type { Artifacts, ReadOptions, ReadStreamOptions } from '../artifacts/artifacts.ts';
import { now } from '../deadlines.ts';
import type { RecordQuery } from '../query/arguments.ts';
import { type QueryAnswer, queryRecords } from '../query/query-records.ts';
import { notRead, type QueryRefusal } from '../query/refusals-and-notes.ts';
import type { OpenRecords } from '../query/values-elsewhere.ts';
import { QUERY_MS, QUERY_WITH_WAIT_MS } from '../reader-limits.ts';
import { readRecords } from '../records/record-source.ts';
import type { OpenBytes, Records } from '../records/record-text.ts';
import { inSearchTurn } from '../search/search-turn.ts';
import { compileSearchPattern } from '../text/pattern.ts';
import { decodeText } from '../text/utf.ts';
import { contentKind } from '../windows/text-regions.ts';
import { requirePath, resolvePath } from './parameters.ts';
import { requireReadable } from './refusals.ts';

export interface QueryArtifactOptions extends ReadOptions {
  /** The keys that lead to the records, and the names of lists within them. */
  at?: string[] | undefined;
  query: RecordQuery | Record<string, unknown>;
}

/** Answers one question about the records of an artifact. It waits for its turn among the searches of the store. */
export async function queryArtifact(
  artifacts: Artifacts,
  path: string,
  { at, query, abortSignal }: QueryArtifactOptions,
): Promise<QueryAnswer | QueryRefusal> {
  const endsAt = now() + QUERY_WITH_WAIT_MS;
  const recordsOf = (name: string, place: string[] | undefined): Records => {
    const openBytes: OpenBytes = (range) => readableBytes(artifacts, name, { ...range, abortSignal });
    return readRecords(openBytes, { at: place, abortSignal });
  };
  // Another output of the same owner. No path leads to another scope.
  const open: OpenRecords = async (other) =>
    recordsOf(await resolvePath(artifacts, requirePath(other.path), { abortSignal }), other.at);
  const work = async (): Promise<QueryAnswer | QueryRefusal> => {
    const deadlineMs = Math.min(QUERY_MS, endsAt - now());
    return queryRecords(recordsOf(path, at), query, { abortSignal, deadlineMs, matcher, open });
  };
  return (await inSearchTurn(artifacts, { signal: abortSignal, work })) ?? notRead;
}

const LOOKED_AT = 1024;

/**
 * The bytes of an artifact. Refused if their beginning shows that they are not text, because any table of them would be wrong.
 * Opened with the first read, because a query with wrong parameters reads nothing and would leave a stream open.
 */
async function* readableBytes(
  artifacts: Artifacts,
  path: string,
  options: ReadStreamOptions,
): AsyncGenerator<Uint8Array> {
  let isBeginning = options.start === undefined;
  for await (const chunk of await artifacts.readStream(path, options)) {
    if (isBeginning) requireReadable(contentKind(decodeText(chunk.subarray(0, LOOKED_AT))));
    isBeginning = false;
    yield chunk;
  }
}

/** Without exceptions, which `matches` would not expect. */
function matcher(pattern: string): (text: string) => boolean {
  const compiled = compileSearchPattern(pattern);
  if (!compiled.ok) throw new Error(compiled.message);
  return (text) => compiled.pattern.test(text);
}
