import { artifactNameOf } from '../artifacts/artifact-name.ts';
import { ArtifactNotFoundError, type Artifacts } from '../artifacts/artifacts.ts';
import { anySignal, startDeadline } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { requireOption } from '../options.ts';
import { inTurn } from '../pace.ts';
import { ANSWER_CHARS, SEARCH_MS } from '../reader-limits.ts';
import {
  BEGINNING,
  cursorError,
  formatPosition,
  idOf,
  parseCursor,
  type TextPosition,
  withId,
} from '../windows/place.ts';
import { type ContentKind, isReadable } from '../windows/text-regions.ts';
import { type GrepArtifactOptions, type GrepArtifactResult, grepArtifact, type SearchEnd } from './grep-artifact.ts';
import type { GrepMatch } from './matches.ts';
import { inSearchTurn } from './search-turn.ts';

export interface GrepArtifactsOptions extends Omit<GrepArtifactOptions, 'start'> {
  /** The artifacts to search, at most 100. @default the newest 100 of the scope, newest first */
  paths?: readonly string[] | undefined;
  /** The place to continue: `next` of an earlier answer, with the same paths and pattern. */
  cursor?: string | undefined;
}

export interface ArtifactMatch extends GrepMatch {
  file: string;
}

/** An artifact that could not be searched. The others were searched. */
export type FailedSearch = { path: string } & (
  | { reason: 'gone' }
  | { reason: 'unreadable'; kind: ContentKind }
  | { reason: 'error'; error: unknown }
);

export interface GrepArtifactsResult {
  matches: ArtifactMatch[];
  /**
   * All matches since the start of this search, including matches that are not shown. With `isComplete` false, there are at
   * least as many.
   */
  count: number;
  /** Some matches are in lines of over 4,096 characters, where matches less than 200 characters apart count as one. */
  countsStretches?: true;
  /** The artifacts with matches, each with its number of matches. */
  files: { path: string; count: number }[];
  /** How many artifacts were searched, the last one possibly only in part. */
  searched: number;
  failed: FailedSearch[];
  /** Whether all artifacts were searched to their end. */
  isComplete: boolean;
  /** The reason why they were not; absent if they were. */
  ended?: SearchEnd;
  /** The place to continue; absent if nothing is left. */
  next?: string;
  scannedBytes: number;
}

/** Searches several artifacts one after another as if they were one: with one limit, one deadline and one cursor. */
export async function grepArtifacts(artifacts: Artifacts, options: GrepArtifactsOptions): Promise<GrepArtifactsResult> {
  const { abortSignal, deadline } = options;
  const signal = anySignal([abortSignal, deadline]);
  const result = await inSearchTurn(artifacts, { signal, work: () => searchInTime(artifacts, options) });
  abortSignal?.throwIfAborted();
  return result ?? notSearched(options);
}

/** The time limit starts here, so that waiting for a turn does not shorten the search. */
async function searchInTime(artifacts: Artifacts, options: GrepArtifactsOptions): Promise<GrepArtifactsResult> {
  const { paths, cursor, abortSignal } = options;
  const timer = options.deadline ? undefined : startDeadline(SEARCH_MS);
  const deadline = options.deadline ?? timer?.signal;
  try {
    const signal = anySignal([abortSignal, deadline]);
    const targets = await searchTargets(artifacts, { paths, cursor, signal });
    return await searchAll(artifacts, { ...options, deadline }, targets);
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (!deadline?.aborted || InvalidOptionError.isInstance(error)) throw error;
    return notSearched(options);
  } finally {
    timer?.clear();
  }
}

/** The answer if not even the list of artifacts arrived in time. */
function notSearched({ cursor }: GrepArtifactsOptions): GrepArtifactsResult {
  return { ...emptyResult(), isComplete: false, ended: 'deadline', ...(cursor !== undefined && { next: cursor }) };
}

async function searchAll(
  artifacts: Artifacts,
  options: GrepArtifactsOptions,
  { paths, ...targets }: SearchTargets,
): Promise<GrepArtifactsResult> {
  const { maxMatches = 50, maxChars = ANSWER_CHARS, maxScanBytes = Number.POSITIVE_INFINITY } = options;
  const { countsAll = options.cursor === undefined } = options;
  const result = emptyResult();
  let usedChars = 0;
  let { start } = targets;
  for (const path of paths) {
    const isFull = result.next !== undefined;
    if (result.scannedBytes >= maxScanBytes || (isFull && !countsAll)) {
      result.next ??= withId(path, formatPosition(BEGINNING));
      return { ...result, isComplete: false, ended: isFull && !countsAll ? 'enough' : 'bound' };
    }
    const bounds = {
      ...options,
      start,
      countsAll,
      maxMatches: isFull ? 0 : maxMatches - result.matches.length,
      maxChars: maxChars - usedChars,
      maxScanBytes: maxScanBytes - result.scannedBytes,
    };
    // Many small searches would otherwise be one long turn of the event loop.
    const found = await inTurn(() => searchOne(artifacts, path, bounds));
    start = undefined;
    if ('reason' in found) {
      result.failed.push(found);
      continue;
    }
    usedChars += found.usedChars;
    add(result, path, found);
    if (!found.isComplete) return result;
  }
  return result;
}

async function searchOne(
  artifacts: Artifacts,
  path: string,
  options: GrepArtifactOptions,
): Promise<GrepArtifactResult | FailedSearch> {
  try {
    const found = await grepArtifact(artifacts, path, options);
    return isReadable(found.kind) ? found : { path, reason: 'unreadable', kind: found.kind };
  } catch (error) {
    options.abortSignal?.throwIfAborted();
    if (InvalidOptionError.isInstance(error)) throw error;
    return ArtifactNotFoundError.isInstance(error) ? { path, reason: 'gone' } : { path, reason: 'error', error };
  }
}

function add(result: GrepArtifactsResult, path: string, found: GrepArtifactResult): void {
  result.searched++;
  result.count += found.count;
  if (found.countsStretches) result.countsStretches = true;
  result.scannedBytes += found.scannedBytes;
  for (const match of found.matches) {
    const at = match.at && withId(path, match.at);
    result.matches.push({ file: path, ...match, ...(at && { at }) });
  }
  if (found.count > 0) result.files.push({ path, count: found.count });
  if (!found.isComplete) result.isComplete = false;
  if (found.ended) result.ended = found.ended;
  if (found.next) result.next ??= withId(path, formatPosition(found.next));
}

function emptyResult(): GrepArtifactsResult {
  return { matches: [], count: 0, files: [], searched: 0, failed: [], isComplete: true, scannedBytes: 0 };
}

/** Artifacts to search, in this order. The search of the first one starts at a given place. */
interface SearchTargets {
  paths: string[];
  start?: TextPosition;
}

const MAX_ARTIFACTS = 100;

/** The named artifacts, each once, or the newest 100 of the scope. With a cursor, only the rest of them. */
async function searchTargets(
  artifacts: Artifacts,
  { paths, cursor, signal }: Pick<GrepArtifactsOptions, 'paths' | 'cursor'> & { signal: AbortSignal },
): Promise<SearchTargets> {
  const all = paths === undefined ? await newest(artifacts, signal) : distinctPaths(paths);
  if (cursor === undefined) return { paths: all };
  const { id, position } = parseCursor(cursor);
  const at = all.findIndex((path) => idOf(path) === id);
  if (at === -1) throw cursorError(cursor, 'of an artifact in this search; search again without a cursor');
  return { paths: all.slice(at), start: position };
}

async function newest(artifacts: Artifacts, abortSignal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of artifacts.list({ abortSignal })) {
    paths.push(path);
    if (paths.length === MAX_ARTIFACTS) break;
  }
  return paths;
}

/** A path, a file name and a random part can name the same artifact. If they differ, only its file name is used. */
function distinctPaths(paths: readonly string[]): string[] {
  const isList = Array.isArray(paths) && paths.length > 0 && paths.length <= MAX_ARTIFACTS;
  const isRight = isList && paths.every((path) => typeof path === 'string');
  requireOption(isRight, { option: 'paths', value: paths, expected: `a list of 1 to ${MAX_ARTIFACTS} paths` });
  const distinct = new Map<string, string>();
  for (const path of paths) {
    const id = idOf(path) || path;
    const other = distinct.get(id) ?? path;
    distinct.set(id, other === path ? path : (artifactNameOf(path) ?? artifactNameOf(other) ?? other));
  }
  return [...distinct.values()];
}
