import type { ArtifactGrepEvent } from 'ai-truncate/http';
import type { SearchRequest } from './artifact-source';

export type SearchMatch = Extract<ArtifactGrepEvent, { type: 'match' }>;

/** What a search has found: all matches of one stretch of the artifact, in their order. */
export interface SearchState {
  request: SearchRequest;
  /** At most what the server tells of at once. */
  matches: SearchMatch[];
  status: 'running' | 'complete' | 'enough' | 'deadline' | 'cancelled' | 'failed';
  /** To which share of the artifact it has come, 0 to 1. */
  share: number;
  /** The end of the stretch, when the artifact is longer. The next search begins there. */
  next?: string | undefined;
  message?: string;
  /** The match that is shown, counted from 0. */
  current: number | undefined;
  /** The other stretches of the same search, latest first, to go back to their matches. */
  earlier: readonly Stretch[];
}

/** A stretch that was searched before the one that is shown. */
export type Stretch = Omit<SearchState, 'earlier'>;

/** How many stretches are remembered, with up to 500 matches each. The oldest one is forgotten first. */
export const MAX_STRETCHES = 20;

/** A search that has not found anything yet. Remembers what `before` has found if that is the same search in another stretch. */
export function searchBegun(request: SearchRequest, before?: SearchState): SearchState {
  const isSame = before !== undefined && request.from !== '1' && hasSameWords(request, before.request);
  const earlier = isSame ? stretchesOf(before).slice(0, MAX_STRETCHES - 1) : [];
  return { request, matches: [], status: 'running', share: 0, current: undefined, earlier };
}

function hasSameWords(one: SearchRequest, other: SearchRequest): boolean {
  return one.text === other.text && one.isRegex === other.isRegex && one.ignoreCase === other.ignoreCase;
}

/** All stretches of a search, latest first. None of them goes on once another one is shown. */
function stretchesOf({ earlier, ...latest }: SearchState): Stretch[] {
  return [latest.status === 'running' ? { ...latest, status: 'cancelled' } : latest, ...earlier];
}

/** What is known after some more events. */
export function withEvents(state: SearchState, events: readonly ArtifactGrepEvent[]): SearchState {
  const found = events.filter((event) => event.type === 'match');
  const next = { ...state, matches: [...state.matches, ...found] };
  for (const event of events) {
    if (event.type === 'progress' || event.type === 'end') {
      next.share = event.totalBytes === 0 ? 1 : event.searchedTo / event.totalBytes;
    }
    if (event.type === 'end') {
      next.status = event.ended;
      if (event.ended !== 'complete') next.next = event.next;
    }
    if (event.type === 'error') Object.assign(next, { status: 'failed', message: event.error.message });
  }
  return next;
}

/**
 * The search after this stretch. A search that was not completed continues where it stopped. After the end of the artifact, the
 * search starts again at the first line.
 */
export function searchBeyond({ request, matches, status, next }: SearchState, lines: number): SearchRequest {
  const last = matches.at(-1);
  const behind = last && (last.at ?? `${(last.line % lines) + 1}`);
  return { ...request, from: next ?? (status === 'complete' ? '1' : (behind ?? request.from)) };
}

/** Whether nothing of the artifact is outside of the stretch. */
export function isAllSearched({ request, status }: SearchState): boolean {
  return status === 'complete' && request.from === '1';
}

/**
 * Returns the state at the nearest match before a place, from all stretches that were searched, or `undefined` when no match is
 * before it. Parts of the artifact that were never searched are left out.
 */
export function matchBefore(state: SearchState | undefined, place: Place): SearchState | undefined {
  if (!state) return undefined;
  const inThis = nearestBefore(state, place);
  let nearest = inThis && { ...inThis, state };
  for (const [index, stretch] of state.earlier.entries()) {
    const found = nearestBefore(stretch, place);
    if (!found || (nearest && !isBefore(nearest.match, found.match))) continue;
    const earlier = stretchesOf(state).toSpliced(index + 1, 1);
    nearest = { ...found, state: { ...stretch, earlier } };
  }
  return nearest && { ...nearest.state, current: nearest.current };
}

function nearestBefore({ matches }: Stretch, place: Place): { current: number; match: SearchMatch } | undefined {
  const current = matches.findLastIndex((match) => isBefore(match, place));
  const match = matches[current];
  return match && { current, match };
}

type Place = Pick<SearchMatch, 'line' | 'column'>;

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && (one.column ?? 0) < (other.column ?? 0));
}
