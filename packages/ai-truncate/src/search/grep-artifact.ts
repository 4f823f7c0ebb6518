import type { Artifacts } from '../artifacts/artifacts.ts';
import { anySignal, now, startDeadline } from '../deadlines.ts';
import { requireWholeNumber } from '../options.ts';
import { pace } from '../pace.ts';
import { ANSWER_CHARS, SEARCH_MS } from '../reader-limits.ts';
import type { SearchPattern } from '../text/pattern.ts';
import { BEGINNING, cursorError, formatPosition, readAt, type TextPosition } from '../windows/place.ts';
import { type ContentKind, isReadable, positionAt, regionKind, textRegions } from '../windows/text-regions.ts';
import { createMatchList, type GrepMatch, type MatchLimits, type MatchList } from './matches.ts';
import { searchRegion } from './search-region.ts';

export interface GrepArtifactOptions {
  pattern: SearchPattern;
  /** Lines shown before and after each match, 0 to 20. @default 0 */
  before?: number;
  after?: number;
  /** The most matches to show, up to 1,000. @default 50 */
  maxMatches?: number;
  /** The most characters for the texts of the answer. @default 8000 */
  maxChars?: number;
  /** The place to continue, from an earlier answer. @default the beginning */
  start?: TextPosition | undefined;
  /**
   * Whether matches are still counted when the answer is full. @default only without `start`, because otherwise they were
   * already counted
   */
  countsAll?: boolean;
  /** The most bytes to read from the artifact. @default all */
  maxScanBytes?: number;
  /** Ends the search with the matches so far. @default 2 s after the call */
  deadline?: AbortSignal | undefined;
  /** Ends the search without an answer. */
  abortSignal?: AbortSignal | undefined;
}

/** Why a search ended early: its time was up, its answer was full, or it had read the most bytes. */
export type SearchEnd = 'deadline' | 'enough' | 'bound';

export interface GrepArtifactResult {
  matches: GrepMatch[];
  /**
   * All matches since the start of this search, including matches that are not shown. With `isComplete` false, there are at
   * least as many.
   */
  count: number;
  /** Some matches are in lines of over 4,096 characters, where matches less than 200 characters apart count as one. */
  countsStretches?: true;
  /** Whether the search reached the end of the artifact. */
  isComplete: boolean;
  /** The reason why it did not; absent if it did. */
  ended?: SearchEnd;
  /** The place to continue: the first match that is not shown, or the place where the time was up. Absent if nothing is left. */
  next?: TextPosition;
  /** Only `text` and `html` are searched. */
  kind: ContentKind;
  scannedBytes: number;
  usedChars: number;
}

/** The matches since the last report. */
export interface GrepProgress {
  /** The matches that fit. Lines after a match may still be added to the last one. */
  matches: GrepMatch[];
  scannedBytes: number;
}

const PROGRESS_MS = 250;
const MAX_MATCHES = 1000;
const MAX_CONTEXT_LINES = 20;
/** Bytes to read before a start in the middle, for the lines before a match. */
const LEAD_BYTES = 16 * 1024;

/**
 * Finds the matching lines of an artifact, with their true line numbers, the lines around them, the number of all matches, and
 * the place to continue. It reads the artifact as a stream, in bounded memory. When its time is up, it returns the matches so
 * far.
 *
 * Lines are searched one by one, without their line break, which may be CRLF. A line of more than 4,096 characters is searched
 * window by window: `findInLongLine` describes the matches that it cannot find.
 */
export async function grepArtifact(
  artifacts: Artifacts,
  path: string,
  options: GrepArtifactOptions,
): Promise<GrepArtifactResult> {
  const search = streamGrepArtifact(artifacts, path, options);
  for (;;) {
    const step = await search.next();
    if (step.done) return step.value;
  }
}

/** The same search with reports while it runs: at once for a match, otherwise four times a second. */
export async function* streamGrepArtifact(
  artifacts: Artifacts,
  path: string,
  options: GrepArtifactOptions,
): AsyncGenerator<GrepProgress, GrepArtifactResult> {
  const { abortSignal, start = BEGINNING } = options;
  const list = createMatchList(limitsOf(options));
  const progress: Progress = { position: () => start, kind: 'text', isComplete: false };
  const timer = options.deadline ? undefined : startDeadline(SEARCH_MS);
  const deadline = options.deadline ?? timer?.signal;
  const signal = anySignal([abortSignal, deadline]);
  let told = 0;
  let toldAt = now();
  const untold = (): GrepProgress => {
    const matches = list.matches.slice(told);
    told += matches.length;
    toldAt = now();
    return { matches, scannedBytes: progress.position().byte - start.byte };
  };
  try {
    const steps = searchSteps(artifacts, path, { ...options, start, signal, list, progress });
    for await (const _ of pace(steps, { abortSignal: signal })) {
      if (list.matches.length > told || now() - toldAt >= PROGRESS_MS) yield untold();
    }
  } catch (error) {
    // An aborted search has no answer. A search that only took too long has the matches so far.
    abortSignal?.throwIfAborted();
    if (!deadline?.aborted) throw error;
    progress.ended = 'deadline';
    list.endHere();
  } finally {
    timer?.clear();
  }
  if (list.matches.length > told) yield untold();
  const end = progress.position();
  const next = list.next ?? (progress.isComplete || !isReadable(progress.kind) ? undefined : end);
  return {
    matches: list.matches,
    count: list.count,
    ...(list.countsStretches && { countsStretches: true }),
    isComplete: progress.isComplete,
    ...(!progress.isComplete && progress.ended && { ended: progress.ended }),
    ...(next ? { next } : {}),
    kind: progress.kind,
    scannedBytes: end.byte - start.byte,
    usedChars: list.usedChars,
  };
}

/** The progress of a search, even if it is stopped between two steps. */
interface Progress {
  position(): TextPosition;
  kind: ContentKind;
  isComplete: boolean;
  ended?: SearchEnd;
}

interface SearchTask extends GrepArtifactOptions {
  start: TextPosition;
  signal: AbortSignal;
  list: MatchList;
  progress: Progress;
}

async function* searchSteps(artifacts: Artifacts, path: string, task: SearchTask): AsyncGenerator<void> {
  const { pattern, start, signal, list, progress } = task;
  const { maxScanBytes = Number.POSITIVE_INFINITY, countsAll = start.byte === 0 } = task;
  if (start.byte > 0) await requirePlace(artifacts, path, { start, abortSignal: signal });
  const byte = Math.max(0, start.byte - LEAD_BYTES);
  const stream = await artifacts.readStream(path, { start: byte, abortSignal: signal });
  let isFirst = start.byte === 0;
  let skip = 0;
  let line = start.line;
  const from = { byte, leadBytes: start.byte - byte, character: start.character - 1 };
  for await (const region of textRegions(stream, from)) {
    if (isFirst) progress.kind = regionKind(region);
    if (!isReadable(progress.kind)) return;
    isFirst = false;
    let index = region.from + skip;
    const firstLine = line;
    progress.position = () => positionAt(region, { index, line: firstLine });
    list.enter(region, line);
    const search = searchRegion(region, { pattern, skip, onHit: list.add, wantsPlace: list.wantsPlace });
    let step = search.next();
    for (; !step.done; step = search.next()) {
      index = step.value;
      yield;
    }
    skip = step.value;
    index = region.to + skip;
    line = list.leave();
    progress.isComplete = region.isLast;
    if (list.next && !countsAll) progress.ended = 'enough';
    else if (region.endByte - start.byte >= maxScanBytes) progress.ended = 'bound';
    if (progress.ended) return;
    yield;
  }
}

/** A cursor comes from a model, so it may be invented, or belong to another artifact. */
async function requirePlace(
  artifacts: Artifacts,
  path: string,
  { start, abortSignal }: { start: TextPosition; abortSignal: AbortSignal },
): Promise<void> {
  if (await readAt(artifacts, path, { position: start, bytes: 0, abortSignal })) return;
  throw cursorError(formatPosition(start), 'a place in this artifact from an earlier answer');
}

function limitsOf({
  before = 0,
  after = 0,
  maxMatches = 50,
  maxChars = ANSWER_CHARS,
}: GrepArtifactOptions): MatchLimits {
  requireWholeNumber('before', { value: before, min: 0, max: MAX_CONTEXT_LINES });
  requireWholeNumber('after', { value: after, min: 0, max: MAX_CONTEXT_LINES });
  requireWholeNumber('maxMatches', { value: maxMatches, min: 0, max: MAX_MATCHES });
  requireWholeNumber('maxChars', { value: maxChars, min: 0 });
  return { before, after, maxMatches, maxChars };
}
