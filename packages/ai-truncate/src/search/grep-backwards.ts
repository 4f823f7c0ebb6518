import type { Artifacts } from '../artifacts/artifacts.ts';
import { parsePosition, type TextPosition } from '../artifacts/text-regions.ts';
import { anySignal } from '../deadlines.ts';
import { decodeText } from '../text/utf.ts';
import { type ContentKind, contentKind, isReadable } from '../windows/content.ts';
import { findLineStart } from '../windows/place.ts';
import { type GrepProgress, streamGrepArtifact } from './grep-artifact.ts';
import type { GrepMatch } from './matches.ts';
import type { SearchPattern } from './pattern.ts';
import { LINE_COST } from './region.ts';

export interface GrepBackwardsOptions {
  pattern: SearchPattern;
  /** What is found stands before it: the start of a line, or a place in a giant one as a match told it. */
  before: TextPosition;
  maxMatches: number;
  /** Ends the search with what was found until then. */
  deadline: AbortSignal;
  /** Ends it without an answer. */
  abortSignal: AbortSignal;
}

/** How a search backwards ended. `next` goes on, as `before`; it is absent when all before was searched. */
export interface GrepBackwardsResult {
  ended?: 'deadline' | 'enough';
  next?: TextPosition;
  kind: ContentKind;
  scannedBytes: number;
}

const FIRST_WINDOW_LINES = 1000;
/** What more than one line may cost together: searched in time whatever the store, so that there is progress. */
const MAX_WINDOW_COST = 8 * 1024 * 1024;
/** The same where it takes an engine: 15 ms a step, for a coloured line two of them, are 8 of the 20 seconds a client waits. */
const MAX_WINDOW_STEPS = 256;
/** Read behind the end of a window, so that a match that begins before it is seen whole. */
const BEHIND_BYTES = 16 * 1024;
const MATCHES_PER_SEARCH = 1000;
const BEGINNING_BYTES = 1024;

/**
 * Finds what stands before a place, the nearest first: in windows of lines that go back and double, each searched forwards.
 * After each it tells what was in it. No line is cut: one that is giant is a window of its own.
 */
export async function* grepBackwards(
  artifacts: Artifacts,
  path: string,
  options: GrepBackwardsOptions,
): AsyncGenerator<GrepProgress, GrepBackwardsResult> {
  const { before, maxMatches, deadline, abortSignal } = options;
  const search: Search = { ...options, artifacts, path, signal: anySignal([deadline, abortSignal]) };
  let kind: ContentKind = 'text';
  let end = before;
  let room = maxMatches;
  const result = (ended?: 'deadline' | 'enough'): GrepBackwardsResult => ({
    ...(ended && end.byte > 0 && { ended, next: end }),
    kind,
    scannedBytes: before.byte - end.byte,
  });
  try {
    kind = await kindOf(search);
    if (!isReadable(kind)) return { kind, scannedBytes: 0 };
    for (let lines = FIRST_WINDOW_LINES; end.byte > 0; ) {
      const start = await windowStart(search, { end, lines });
      const { matches, isCut } = await lastMatches(search, { start, end, count: room });
      // Grows from what it was, which may be less than was wanted.
      lines = 2 * Math.max(1, end.line - start.line);
      room -= matches.length;
      end = isCut ? await placeOf(search, matches[0]) : start;
      yield { matches: matches.reverse(), scannedBytes: before.byte - end.byte };
      if (room === 0) return result('enough');
    }
    return result();
  } catch (error) {
    abortSignal.throwIfAborted();
    if (!deadline.aborted) throw error;
    return result('deadline');
  }
}

interface Search extends GrepBackwardsOptions {
  artifacts: Artifacts;
  path: string;
  signal: AbortSignal;
}

async function kindOf({ artifacts, path, signal }: Search): Promise<ContentKind> {
  const { bytes } = await artifacts.readBytes(path, { end: BEGINNING_BYTES, abortSignal: signal });
  return contentKind(decodeText(bytes));
}

/** The start of a line so many before the end; fewer where they are long, or hard to search. */
async function windowStart(
  search: Search,
  { end, lines }: { end: TextPosition; lines: number },
): Promise<TextPosition> {
  const { literals, window } = search.pattern;
  const maxCost = literals ? MAX_WINDOW_COST : MAX_WINDOW_STEPS * window;
  // The line of an end in the middle of it belongs to the window.
  const last = end.character > 1 ? end.line : end.line - 1;
  for (let count = lines; ; count = count >> 1) {
    const start = await lineStart(search, Math.max(1, last - count + 1));
    const cost = end.byte - start.byte + LINE_COST * (last - start.line + 1);
    if (count <= 1 || cost <= maxCost) return start;
  }
}

async function lineStart({ artifacts, path, signal: abortSignal }: Search, line: number): Promise<TextPosition> {
  const found = await findLineStart(artifacts, path, { line, abortSignal });
  if (!found) throw new RangeError(`There is no line ${line}: the search was started behind the end.`);
  return { line, character: 1, byte: found.lineStart };
}

interface SearchedWindow {
  start: TextPosition;
  end: TextPosition;
  /** How many are wanted. */
  count: number;
}

/** The last matches of a window, in their order, and whether there are others before them. */
async function lastMatches(
  { artifacts, path, pattern, deadline, abortSignal }: Search,
  { start, end, count }: SearchedWindow,
): Promise<{ matches: GrepMatch[]; isCut: boolean }> {
  const limits = { maxMatches: MATCHES_PER_SEARCH, maxChars: Number.MAX_SAFE_INTEGER, countsAll: false };
  let matches: GrepMatch[] = [];
  let isCut = false;
  for (let from: TextPosition | undefined = start; from && from.byte < end.byte; ) {
    const { byte } = from;
    const maxScanBytes = end.byte - byte + BEHIND_BYTES;
    const passed = new AbortController();
    const steps = streamGrepArtifact(artifacts, path, {
      ...limits,
      pattern,
      start: from,
      maxScanBytes,
      deadline: anySignal([deadline, passed.signal]),
      abortSignal,
    });
    let step = await steps.next();
    for (; !step.done; step = await steps.next()) {
      matches.push(...step.value.matches.filter((match) => isBefore(match, end)));
      isCut ||= matches.length > count;
      matches = matches.slice(-count);
      // It would go on to the end of what it read: of short lines that is more work than the window.
      if (byte + step.value.scannedBytes >= end.byte) passed.abort();
    }
    if (step.value.ended === 'deadline') deadline.throwIfAborted();
    from = step.value.ended === 'bound' ? undefined : step.value.next;
  }
  return { matches, isCut };
}

function isBefore({ line, at }: GrepMatch, end: TextPosition): boolean {
  return line < end.line || (line === end.line && (parsePosition(at)?.byte ?? end.byte) < end.byte);
}

/** Where a match starts; where its line does, when all of that is shown. */
async function placeOf(search: Search, match: GrepMatch | undefined): Promise<TextPosition> {
  return parsePosition(match?.at) ?? (await lineStart(search, match?.line ?? 1));
}
