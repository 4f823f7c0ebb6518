import { formatPosition, type TextPosition } from '../artifacts/text-regions.ts';
import { anySignal, startDeadline } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { type GrepProgress, streamGrepArtifact } from '../search/grep-artifact.ts';
import { grepBackwards } from '../search/grep-backwards.ts';
import type { GrepMatch } from '../search/matches.ts';
import type { SearchPattern } from '../search/pattern.ts';
import { searchTurn } from '../search/search-turn.ts';
import { type ContentKind, isReadable } from '../windows/content.ts';
import { type GrepPlace, grepPlaceRefusal } from './grep-place.ts';
import { type ArtifactErrorAnswer, notText, refusalOf } from './http-refusal.ts';
import { lineStream } from './line-stream.ts';
import type { ViewRequest } from './view-request.ts';

/** One line of the answer to `…/<name>/grep`. The last one is an `end` or an `error`; without either the answer broke off. */
export type ArtifactGrepEvent =
  | ({ type: 'match' } & Pick<GrepMatch, 'line' | 'text' | 'column' | 'at'>)
  | ({ type: 'progress' } & SearchedPart)
  | ({ type: 'end' } & SearchEnding & SearchedPart)
  | ({ type: 'error' } & ArtifactErrorAnswer);

/** All was searched, or not: as many matches as were wanted, or the time was up. `next` goes on, as `from` or as `before`. */
export type SearchEnding = { ended: 'complete' } | { ended: 'enough' | 'deadline'; next: string };

/** How far a search has come. */
export interface SearchedPart {
  /** How many matches were told until then. */
  matches: number;
  /** The byte up to which the artifact is searched, of `totalBytes`; of a search backwards, down to which. */
  searchedTo: number;
  totalBytes: number;
}

/** The hardest pattern takes hours for a gigabyte: a client that still wants it asks anew, from `next`. */
const SEARCH_MS = 20_000;

export interface Search {
  pattern: SearchPattern;
  /** Where it begins, and what the client wrote for that. */
  start: TextPosition;
  place: GrepPlace;
  maxMatches: number;
  totalBytes: number;
}

/** Opened once the search has taken its first step: what fails before that has a status of its own. */
export async function searchStream(view: ViewRequest, search: Search): Promise<ReadableStream<Uint8Array>> {
  const stopped = new AbortController();
  const deadline = startDeadline(SEARCH_MS);
  const abortSignal = anySignal([view.signal, stopped.signal]);
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
  const { pattern, start, place, maxMatches, totalBytes, deadline, abortSignal } = search;
  const isBackwards = place.parameter === 'before';
  const limits = { pattern, maxMatches, deadline, abortSignal };
  const steps: AsyncGenerator<GrepProgress, FoundAtLast> = isBackwards
    ? grepBackwards(artifacts, name, { ...limits, before: start })
    : streamGrepArtifact(artifacts, name, { ...limits, start, maxChars: Number.MAX_SAFE_INTEGER, countsAll: false });
  let matches = 0;
  const part = (scannedBytes: number): SearchedPart => {
    return { matches, searchedTo: start.byte + (isBackwards ? -scannedBytes : scannedBytes), totalBytes };
  };
  const turn = searchTurn(artifacts);
  const waiting = anySignal([deadline, abortSignal]);
  let isBegun = false;
  try {
    for (;;) {
      await turn.take(waiting);
      const { done, value } = await steps.next();
      // A client that reads slowly does not keep other searches waiting.
      turn.end();
      if (done) return yield toLine({ type: 'end', ...endOf(value), ...part(value.scannedBytes) });
      matches += value.matches.length;
      isBegun = true;
      const progress: ArtifactGrepEvent = { type: 'progress', ...part(value.scannedBytes) };
      yield [...value.matches.map(toMatch), progress].map(toLine).join('');
    }
  } catch (error) {
    abortSignal.throwIfAborted();
    if (InvalidOptionError.isInstance(error) && error.option === 'cursor') throw grepPlaceRefusal(place);
    if (!isBegun) throw error;
    report(error);
    const { code, message } = refusalOf(error);
    yield toLine({ type: 'error', error: { code, message } });
  } finally {
    turn.end();
  }
}

function toMatch({ line, text, column, at }: GrepMatch): ArtifactGrepEvent {
  return { type: 'match', line, text, ...(column !== undefined && { column }), ...(at !== undefined && { at }) };
}

/** What a search gives in either direction, when it is over. */
interface FoundAtLast {
  kind: ContentKind;
  ended?: 'deadline' | 'enough' | 'bound';
  next?: TextPosition;
  scannedBytes: number;
}

function endOf({ kind, ended, next }: FoundAtLast): SearchEnding {
  if (!isReadable(kind)) throw notText(kind);
  if (next === undefined) return { ended: 'complete' };
  return { ended: ended === 'deadline' ? 'deadline' : 'enough', next: formatPosition(next) };
}

function toLine(event: ArtifactGrepEvent): string {
  return `${JSON.stringify(event)}\n`;
}
