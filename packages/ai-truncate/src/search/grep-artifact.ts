import type { Artifacts } from '../artifacts/artifacts.ts';
import { anySignal, now, startDeadline } from '../deadlines.ts';
import { requireWholeNumber } from '../options.ts';
import { pace } from '../pace.ts';
import { ANSWER_CHARS, SEARCH_MS } from '../reader-limits.ts';
import { BEGINNING, cursorError, formatPosition, readAt, type TextPosition } from '../windows/place.ts';
import { type ContentKind, contentKind, isReadable, positionAt, textRegions } from '../windows/text-regions.ts';
import { createMatchList, type GrepMatch, type MatchLimits, type MatchList } from './matches.ts';
import type { SearchPattern } from './pattern.ts';
import { searchRegion } from './search-region.ts';

export interface GrepArtifactOptions {
  pattern: SearchPattern;
  /** Lines shown before and after each match, 0 to 20. @default 0 */
  before?: number;
  after?: number;
  /** At most 1,000. @default 50 */
  maxMatches?: number;
  /** What the texts of the answer may have together. @default 8000 */
  maxChars?: number;
  /** Where to go on, as an answer before told. @default the beginning */
  start?: TextPosition | undefined;
  /** Whether matches that have no room are counted to the end. @default only without `start`: they are counted already */
  countsAll?: boolean;
  /** What may be read of the artifact. @default all */
  maxScanBytes?: number;
  /** Ends the search with what was found until then. @default 2 s after the call */
  deadline?: AbortSignal | undefined;
  /** Ends it without an answer. */
  abortSignal?: AbortSignal | undefined;
}

/** Why a search ended before all was searched: the time was up, what has room was found, or all was read that may be. */
export type SearchEnd = 'deadline' | 'enough' | 'bound';

export interface GrepArtifactResult {
  matches: GrepMatch[];
  /** All matches from the start of this search on, also those that are not shown; with `isComplete` false: at least. */
  count: number;
  /** Whether the search came to the end of the artifact. */
  isComplete: boolean;
  /** Why it did not; absent when it did. */
  ended?: SearchEnd;
  /** Where to go on: at the first match that is not shown, or where the time was up. Absent when nothing is left. */
  next?: TextPosition;
  /** Anything but `text` and `html` is not searched. */
  kind: ContentKind;
  scannedBytes: number;
  usedChars: number;
}

/** What was found since the last time it was told. */
export interface GrepProgress {
  /** Those of them that have room. Lines after a match may still be added to the last one. */
  matches: GrepMatch[];
  scannedBytes: number;
}

const PROGRESS_MS = 250;
const MAX_MATCHES = 1000;
const MAX_CONTEXT_LINES = 20;
/** Read before a start in the middle, for the lines that stand there. */
const LEAD_BYTES = 16 * 1024;

/**
 * Finds the lines of an artifact that match: true line numbers, lines around them, a count of all, and where to go on. It
 * reads the artifact as a stream, in bounded memory; when the time is up it gives what it has.
 *
 * Lines are searched one by one, without their line break (also CRLF). A line of more than 4,096 characters is searched
 * window by window: see `findInLongLine` for what is not found there.
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

/** The same search, told while it runs: at once when something is found, else four times a second. */
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
    // A search that its caller gave up has no answer; one that only took too long has what it found.
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
    isComplete: progress.isComplete,
    ...(!progress.isComplete && progress.ended && { ended: progress.ended }),
    ...(next ? { next } : {}),
    kind: progress.kind,
    scannedBytes: end.byte - start.byte,
    usedChars: list.usedChars,
  };
}

/** How far a search has come, also when it is stopped between two steps. */
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
    if (isFirst) progress.kind = contentKind(region.text);
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
    else if (region.byte + region.bytes.length - start.byte >= maxScanBytes) progress.ended = 'bound';
    if (progress.ended) return;
    yield;
  }
}

/** A cursor is a model's word: it may have been made up, or be of another artifact. */
async function requirePlace(
  artifacts: Artifacts,
  path: string,
  { start, abortSignal }: { start: TextPosition; abortSignal: AbortSignal },
): Promise<void> {
  if (await readAt(artifacts, path, { position: start, bytes: 0, abortSignal })) return;
  throw cursorError(formatPosition(start), 'a place of this artifact, as an answer gave it');
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
