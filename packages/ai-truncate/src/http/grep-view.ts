import { anySignal, startDeadline } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { STREAMED_SEARCH_MS } from '../reader-limits.ts';
import { type GrepArtifactResult, streamGrepArtifact } from '../search/grep-artifact.ts';
import type { GrepMatch } from '../search/matches.ts';
import { compileInTurn, type SearchPattern } from '../search/pattern.ts';
import { searchTurn } from '../search/search-turn.ts';
import { BEGINNING, formatPosition, parsePosition, type TextPosition } from '../windows/place.ts';
import { numberParameter, textParameter, type ViewRequest, wordParameter } from './artifact-address.ts';
import { type ArtifactErrorAnswer, HttpRefusal, invalidParameter, refusalOf, requireText } from './http-refusal.ts';
import { type HttpAnswer, untransformed } from './response-headers.ts';

const DEFAULT_MATCHES = 500;
const MAX_MATCHES = 1000;

/**
 * Where something is: NDJSON, written while the artifact is searched. A match is sent at once, how far the search has come
 * four times a second, and at the end why it ended and where to go on.
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
    // Proxies that gather an answer before they hand it on: nginx does.
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

/** One line of the answer to `…/<name>/grep`. The last one is an `end` or an `error`; without either the answer broke off. */
export type ArtifactGrepEvent =
  | ({ type: 'match' } & Pick<GrepMatch, 'line' | 'text' | 'column' | 'at'>)
  | ({ type: 'progress' } & SearchedPart)
  | ({ type: 'end' } & SearchEnding & SearchedPart)
  | ({ type: 'error' } & ArtifactErrorAnswer);

/** All was searched, or not: as many matches as were wanted, or the time was up. `next` goes on, as `from`. */
export type SearchEnding = { ended: 'complete' } | { ended: 'enough' | 'deadline'; next: string };

/** How far a search has come. */
export interface SearchedPart {
  /** How many matches were told until then. */
  matches: number;
  /** The byte up to which the artifact is searched, of `totalBytes`. */
  searchedTo: number;
  totalBytes: number;
}

interface Search {
  pattern: SearchPattern;
  /** Where it begins, and what the client wrote for that. */
  start: TextPosition;
  from: string;
  maxMatches: number;
  totalBytes: number;
}

/**
 * Searches only as far as the client reads. Opens with the first text: a failure before that fails the opening, so that it gets
 * its own status. A generator that waits cannot be closed, so a client that leaves ends the wait first.
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
      // A client that reads slowly does not keep other searches waiting.
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

/** Where a search begins: at a line of this number, or at a place that an answer gave. The search itself looks at such a place. */
async function startOf(from: string, { artifacts, name, signal: abortSignal }: ViewRequest): Promise<TextPosition> {
  const line = /^[1-9]\d{0,15}$/.test(from) ? Number(from) : Number.NaN;
  if (line === 1) return BEGINNING;
  if (!Number.isSafeInteger(line)) return parsePosition(from) ?? refusePlace(from);
  const { lines } = await artifacts.readLines(name, { start: line, count: 1, maxBytes: 1, abortSignal });
  return lines[0] ? { line, character: 1, byte: lines[0].start } : refusePlace(from);
}

/** A line that is not there, or a place of something else. */
function refusePlace(value: string): never {
  const expected = 'the number of a line of this artifact, or `next` of a search in it';
  throw invalidParameter('from', { value, expected });
}
