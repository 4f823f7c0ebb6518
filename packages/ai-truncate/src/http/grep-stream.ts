import { InvalidOptionError } from '../errors.ts';
import { createDeadline } from '../readers/create-deadline.ts';
import { type GrepArtifactResult, streamGrepArtifact } from '../readers/grep-artifact.ts';
import type { GrepMatch } from '../readers/search-matches.ts';
import type { SearchPattern } from '../readers/search-pattern.ts';
import { isReadable } from '../readers/text-window-content.ts';
import { formatPosition, type TextPosition } from '../readers/text-window-position.ts';
import { type ArtifactErrorAnswer, type HttpRefusal, invalidParameter, notText, refusalOf } from './http-refusal.ts';
import { lineStream } from './line-stream.ts';
import type { ViewRequest } from './view-request.ts';

/** One line of the answer to `…/<name>/grep`. The last one is an `end` or an `error`; without either the answer broke off. */
export type ArtifactGrepEvent =
  | ({ type: 'match' } & Pick<GrepMatch, 'line' | 'text' | 'column' | 'at'>)
  | ({ type: 'progress' } & SearchedPart)
  | ({ type: 'end' } & SearchEnding & SearchedPart)
  | ({ type: 'error' } & ArtifactErrorAnswer);

/** At the end of the artifact, or before it: as many matches as were wanted, or the time was up. `next` goes on, as `from`. */
export type SearchEnding = { ended: 'complete' } | { ended: 'enough' | 'deadline'; next: string };

/** How far a search has come. */
export interface SearchedPart {
  /** How many matches were told until then. */
  matches: number;
  /** The byte up to which the artifact is searched, of `totalBytes`. */
  searchedTo: number;
  totalBytes: number;
}

/** The hardest pattern takes hours for a gigabyte: a client that still wants it asks anew, from `next`. */
const SEARCH_MS = 20_000;

export interface Search {
  pattern: SearchPattern;
  start: TextPosition;
  from: string;
  maxMatches: number;
  totalBytes: number;
}

/** Opened once the search has taken its first step: what fails before that has a status of its own. */
export async function searchStream(view: ViewRequest, search: Search): Promise<ReadableStream<Uint8Array>> {
  const stopped = new AbortController();
  const deadline = createDeadline(SEARCH_MS);
  const abortSignal = AbortSignal.any([view.signal, stopped.signal]);
  const lines = searchLines(view, { ...search, deadline: deadline.signal, abortSignal });
  return lineStream(ending(lines), { onCancel: () => stopped.abort() });

  async function* ending(texts: AsyncGenerator<string>): AsyncGenerator<string> {
    try {
      yield* texts;
    } finally {
      deadline.clear();
      stopped.abort();
    }
  }
}

async function* searchLines(
  { artifacts, name, report }: ViewRequest,
  search: Search & { deadline: AbortSignal; abortSignal: AbortSignal },
): AsyncGenerator<string> {
  const { pattern, start, from, maxMatches, totalBytes, deadline, abortSignal } = search;
  const limits = { maxMatches, maxChars: Number.MAX_SAFE_INTEGER, countsAll: false };
  const steps = streamGrepArtifact(artifacts, name, { pattern, start, ...limits, deadline, abortSignal });
  let matches = 0;
  const part = (scannedBytes: number): SearchedPart => ({ matches, searchedTo: start.byte + scannedBytes, totalBytes });
  let isBegun = false;
  try {
    for (;;) {
      const { done, value } = await steps.next();
      if (done) return yield toLine({ type: 'end', ...endOf(value), ...part(value.scannedBytes) });
      matches += value.matches.length;
      isBegun = true;
      const progress: ArtifactGrepEvent = { type: 'progress', ...part(value.scannedBytes) };
      yield [...value.matches.map(toMatch), progress].map(toLine).join('');
    }
  } catch (error) {
    abortSignal.throwIfAborted();
    if (InvalidOptionError.isInstance(error) && error.option === 'cursor') throw placeRefusal(from);
    if (!isBegun) throw error;
    report(error);
    const { code, message } = refusalOf(error);
    yield toLine({ type: 'error', error: { code, message } });
  }
}

function toMatch({ line, text, column, at }: GrepMatch): ArtifactGrepEvent {
  return { type: 'match', line, text, ...(column !== undefined && { column }), ...(at !== undefined && { at }) };
}

function endOf({ kind, ended, next }: GrepArtifactResult): SearchEnding {
  if (!isReadable(kind)) throw notText(kind);
  if (next === undefined) return { ended: 'complete' };
  return { ended: ended === 'deadline' ? 'deadline' : 'enough', next: formatPosition(next) };
}

function toLine(event: ArtifactGrepEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** A line that is not there, or a place of something else. */
export function placeRefusal(value: string): HttpRefusal {
  const expected = 'the number of a line of this artifact, or `next` of a search in it';
  return invalidParameter({ name: 'from', value, expected });
}
