import { anySignal, startDeadline } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { STREAMED_SEARCH_MS } from '../reader-limits.ts';
import { type GrepArtifactResult, streamGrepArtifact } from '../search/grep-artifact.ts';
import type { GrepMatch } from '../search/matches.ts';
import { searchTurn } from '../search/search-turn.ts';
import { compileInTurn, type SearchPattern } from '../text/pattern.ts';
import { BEGINNING, formatPosition, parsePosition, type TextPosition } from '../windows/place.ts';
import { numberParameter, textParameter, type ViewRequest, wordParameter } from './artifact-address.ts';
import { type ArtifactErrorAnswer, HttpRefusal, invalidParameter, refusalOf, requireText } from './http-refusal.ts';
import { type HttpAnswer, untransformed } from './response-headers.ts';

const DEFAULT_MATCHES = 500;
const MAX_MATCHES = 1000;

/**
 * A search, as NDJSON that is written while the artifact is read. A match is sent at once. Progress is sent four times a
 * second. The last line says why the search ended and where to continue.
 */
export async function grepView(view: ViewRequest): Promise<HttpAnswer> {
  const { artifacts, name, parameters, signal: abortSignal } = view;
  const pattern = await patternOf(parameters);
  const from = textParameter(parameters, 'from') ?? '1';
  const maxMatches = numberParameter(parameters, 'max', { max: MAX_MATCHES, fallback: DEFAULT_MATCHES });
  const { bytes: totalBytes } = await artifacts.info(name, { abortSignal });
  const start = await startOf(from, view);
  return {
    status: 200,
    // For proxies that buffer an answer before they forward it, such as nginx.
    headers: { ...untransformed, 'Content-Type': 'application/x-ndjson; charset=utf-8', 'X-Accel-Buffering': 'no' },
    body: () => searchStream(view, { pattern, start, from, maxMatches, totalBytes }),
  };
}

async function patternOf(parameters: URLSearchParams): Promise<SearchPattern> {
  const literal = wordParameter(parameters, 'mode', ['literal', 'regex']) === 'literal';
  const ignoreCase = wordParameter(parameters, 'case', ['sensitive', 'ignore']) === 'ignore';
  const compiled = await compileInTurn(textParameter(parameters, 'q') ?? '', { literal, ignoreCase });
  if (compiled.ok) return compiled.pattern;
  throw new HttpRefusal('INVALID_PARAM', { message: `\`q\`: ${compiled.message}` });
}

/**
 * One line of the answer to `…/<name>/grep`. The last line is an `end` or an `error`. If both are missing, the answer broke
 * off.
 */
export type ArtifactGrepEvent =
  | ({ type: 'match' } & Pick<GrepMatch, 'line' | 'text' | 'column' | 'at'>)
  | ({ type: 'progress' } & SearchedPart)
  | ({ type: 'end' } & SearchEnding & SearchedPart)
  | ({ type: 'error' } & ArtifactErrorAnswer);

/**
 * Whether the whole artifact was searched, or the search ended early with the requested number of matches or at the deadline.
 * Use `next` as `from` to continue.
 */
export type SearchEnding = { ended: 'complete' } | { ended: 'enough' | 'deadline'; next: string };

/** The progress of a search. */
export interface SearchedPart {
  /** How many matches were sent so far. */
  matches: number;
  /** How many of `totalBytes` bytes have been searched. */
  searchedTo: number;
  totalBytes: number;
}

interface Search {
  pattern: SearchPattern;
  /** The start of the search, and how the client wrote it. */
  start: TextPosition;
  from: string;
  maxMatches: number;
  totalBytes: number;
}

/**
 * Searches only as far as the client reads. It awaits the first text before it returns the stream, so that an earlier failure
 * gets its own status. A generator that waits cannot be closed, so a client that disconnects ends the wait first.
 */
async function searchStream(view: ViewRequest, search: Search): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const stopped = new AbortController();
  const texts = searchTexts(view, { ...search, stopped });
  let first: IteratorResult<string> | undefined = await texts.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await texts.next());
        first = undefined;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        stopped.abort();
        await texts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* searchTexts(
  { artifacts, name, report, signal }: ViewRequest,
  { from, totalBytes, stopped, ...search }: Search & { stopped: AbortController },
): AsyncGenerator<string> {
  const deadline = startDeadline(STREAMED_SEARCH_MS);
  const abortSignal = anySignal([signal, stopped.signal]);
  const limits = { maxChars: Number.MAX_SAFE_INTEGER, countsAll: false, deadline: deadline.signal, abortSignal };
  const steps = streamGrepArtifact(artifacts, name, { ...search, ...limits });
  const turn = searchTurn(artifacts);
  const waiting = anySignal([deadline.signal, abortSignal]);
  let matches = 0;
  let isBegun = false;
  try {
    for (;;) {
      await turn.take(waiting);
      const { done, value } = await steps.next();
      // A client that reads slowly must not block other searches.
      turn.end();
      if (!done) matches += value.matches.length;
      const part: SearchedPart = { matches, searchedTo: search.start.byte + value.scannedBytes, totalBytes };
      if (done) return yield toLine({ type: 'end', ...endOf(value), ...part });
      isBegun = true;
      yield [...value.matches.map(toMatch), { type: 'progress' as const, ...part }].map(toLine).join('');
    }
  } catch (error) {
    abortSignal.throwIfAborted();
    if (InvalidOptionError.isInstance(error) && error.option === 'cursor') refusePlace(from);
    if (!isBegun) throw error;
    report(error);
    const { code, message } = refusalOf(error);
    yield toLine({ type: 'error', error: { code, message } });
  } finally {
    turn.end();
    deadline.clear();
    stopped.abort();
  }
}

function toMatch({ line, text, column, at }: GrepMatch): ArtifactGrepEvent {
  return { type: 'match', line, text, ...(column !== undefined && { column }), ...(at !== undefined && { at }) };
}

function endOf({ kind, ended, next }: GrepArtifactResult): SearchEnding {
  requireText(kind);
  if (next === undefined) return { ended: 'complete' };
  return { ended: ended === 'deadline' ? 'deadline' : 'enough', next: formatPosition(next) };
}

function toLine(event: ArtifactGrepEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** The start of a search: a line number, or a place from an earlier answer. The search itself checks the place. */
async function startOf(from: string, { artifacts, name, signal: abortSignal }: ViewRequest): Promise<TextPosition> {
  const line = /^[1-9]\d{0,15}$/.test(from) ? Number(from) : Number.NaN;
  if (line === 1) return BEGINNING;
  if (!Number.isSafeInteger(line)) return parsePosition(from) ?? refusePlace(from);
  const { lines } = await artifacts.readLines(name, { start: line, count: 1, maxBytes: 1, abortSignal });
  return lines[0] ? { line, character: 1, byte: lines[0].start } : refusePlace(from);
}

/** The line does not exist, or the place belongs to another artifact. */
function refusePlace(value: string): never {
  const expected = 'the number of a line of this artifact, or `next` of a search in it';
  throw invalidParameter('from', { value, expected });
}
