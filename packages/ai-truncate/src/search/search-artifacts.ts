import type { Artifacts } from '../artifacts/artifacts.ts';
import { ArtifactNotFoundError } from '../artifacts/artifacts.ts';
import type { TextPosition } from '../artifacts/text-regions.ts';
import { anySignal, startDeadline } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { inTurn } from '../pace.ts';
import { type ContentKind, isReadable } from '../windows/content.ts';
import { type GrepArtifactOptions, type GrepArtifactResult, grepArtifact, type SearchEnd } from './grep-artifact.ts';
import type { GrepMatch } from './matches.ts';
import { inSearchTurn, SEARCH_MS } from './search-turn.ts';
import { formatCursor, type SearchTargets, searchTargets, withId } from './targets.ts';

export interface SearchArtifactsOptions extends Omit<GrepArtifactOptions, 'start'> {
  /** Which artifacts, at most 100. @default all of the scope, the newest 100, newest first */
  paths?: readonly string[] | undefined;
  /** Where to go on: `next` of an answer before, with the same paths and pattern. */
  cursor?: string | undefined;
}

export interface ArtifactMatch extends GrepMatch {
  file: string;
}

/** An artifact that could not be searched; the others were. */
export type FailedSearch = { path: string } & (
  | { reason: 'gone' }
  | { reason: 'unreadable'; kind: ContentKind }
  | { reason: 'error'; error: unknown }
);

export interface SearchArtifactsResult {
  matches: ArtifactMatch[];
  /** All matches from where this search began, also those that are not shown; with `isComplete` false: at least. */
  count: number;
  /** The artifacts with matches, and how many each has. */
  files: { path: string; count: number }[];
  /** How many artifacts were searched, the last one perhaps not to its end. */
  searched: number;
  failed: FailedSearch[];
  /** Whether all artifacts were searched to their end. */
  isComplete: boolean;
  /** Why they were not; absent when they were. */
  ended?: SearchEnd;
  /** Where to go on; absent when nothing is left. */
  next?: string;
  scannedBytes: number;
}

const BEGINNING: TextPosition = { line: 1, character: 1, byte: 0 };

/** Searches several artifacts one after the other as if they were one: one limit, one deadline, one cursor. */
export async function searchArtifacts(
  artifacts: Artifacts,
  options: SearchArtifactsOptions,
): Promise<SearchArtifactsResult> {
  const { abortSignal, deadline } = options;
  const signal = anySignal([abortSignal, deadline]);
  const result = await inSearchTurn(artifacts, { signal, work: () => searchInTime(artifacts, options) });
  abortSignal?.throwIfAborted();
  return result ?? notSearched(options);
}

/** The time limit counts from here, so that the wait for a turn does not shorten the search. */
async function searchInTime(artifacts: Artifacts, options: SearchArtifactsOptions): Promise<SearchArtifactsResult> {
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

/** Not even the list of artifacts was there in time. */
function notSearched({ cursor }: SearchArtifactsOptions): SearchArtifactsResult {
  return { ...emptyResult(), isComplete: false, ended: 'deadline', ...(cursor !== undefined && { next: cursor }) };
}

async function searchAll(
  artifacts: Artifacts,
  options: SearchArtifactsOptions,
  targets: SearchTargets,
): Promise<SearchArtifactsResult> {
  const { maxMatches = 50, maxChars = 8000, maxScanBytes = Number.POSITIVE_INFINITY } = options;
  const { countsAll = options.cursor === undefined } = options;
  const result = emptyResult();
  let usedChars = 0;
  let start = targets.start;
  for (const path of targets.paths) {
    const isFull = result.next !== undefined;
    if (result.scannedBytes >= maxScanBytes || (isFull && !countsAll)) {
      result.next ??= formatCursor(path, BEGINNING);
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

function add(result: SearchArtifactsResult, path: string, found: GrepArtifactResult): void {
  result.searched++;
  result.count += found.count;
  result.scannedBytes += found.scannedBytes;
  for (const match of found.matches) {
    const at = match.at && withId(path, match.at);
    result.matches.push({ file: path, ...match, ...(at && { at }) });
  }
  if (found.count > 0) result.files.push({ path, count: found.count });
  if (!found.isComplete) result.isComplete = false;
  if (found.ended) result.ended = found.ended;
  if (found.next) result.next ??= formatCursor(path, found.next);
}

function emptyResult(): SearchArtifactsResult {
  return { matches: [], count: 0, files: [], searched: 0, failed: [], isComplete: true, scannedBytes: 0 };
}
