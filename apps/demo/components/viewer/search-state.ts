import type { ArtifactGrepEvent } from 'ai-truncate/http';
import type { SearchRequest } from './artifact-source';

export type SearchMatch = Extract<ArtifactGrepEvent, { type: 'match' }>;

/** What a search has found: all matches of one stretch of the artifact, in their order. */
export interface SearchState {
  request: SearchRequest;
  /** At most what the server tells of at once. */
  matches: SearchMatch[];
  status: 'running' | 'complete' | 'enough' | 'deadline' | 'cancelled' | 'failed';
  /** To which share of the artifact it has come, 0 to 1; backwards, from its end. */
  share: number;
  /** Where the stretch ends, when the artifact goes on: there a search forwards begins. */
  next?: string | undefined;
  /** Where it begins, when something stands before it: from there a search goes back. */
  previous?: string | undefined;
  message?: string;
  /** The match that is shown, counted from 0. */
  current: number | undefined;
}

/** Of a search that has not found anything yet. `lines`: how many the artifact has. */
export function searchBegun(request: SearchRequest, lines: number): SearchState {
  const { from, before } = request;
  return {
    request,
    matches: [],
    status: 'running',
    share: before === undefined ? 0 : 1,
    current: undefined,
    previous: from === '1' ? undefined : from,
    // Behind the last line there is no place to go on.
    next: before === String(lines + 1) ? undefined : before,
  };
}

/** What is known after some more events. */
export function withEvents(state: SearchState, events: readonly ArtifactGrepEvent[]): SearchState {
  const isBackwards = state.request.before !== undefined;
  const found = events.filter((event) => event.type === 'match');
  // Backwards, the nearest comes first.
  const matches = isBackwards ? [...found.toReversed(), ...state.matches] : [...state.matches, ...found];
  const next = { ...state, matches };
  if (isBackwards && state.current !== undefined) next.current = state.current + found.length;
  for (const event of events) {
    if (event.type === 'progress' || event.type === 'end') {
      next.share = event.totalBytes === 0 ? 1 : event.searchedTo / event.totalBytes;
    }
    if (event.type === 'end') {
      next.status = event.ended;
      if (event.ended !== 'complete') next[isBackwards ? 'previous' : 'next'] = event.next;
    }
    if (event.type === 'error') Object.assign(next, { status: 'failed', message: event.error.message });
  }
  return next;
}

/**
 * The search behind the stretch, or before it. One that was not completed goes on where it came to. Where nothing is left, it
 * begins anew at the other end of the artifact.
 */
export function searchBeyond(state: SearchState, { by, lines }: { by: 1 | -1; lines: number }): SearchRequest {
  const { matches, status, next, previous } = state;
  const { from, before, ...what } = state.request;
  const left = status === 'complete' ? undefined : by === 1 ? from : before;
  const edge = matches.at(by === 1 ? -1 : 0);
  if (by === -1)
    return { ...what, before: previous ?? (left && (edge?.at ?? `${edge?.line ?? left}`)) ?? `${lines + 1}` };
  const behind = edge && (edge.at ?? `${(edge.line % lines) + 1}`);
  return { ...what, from: next ?? (left && (behind ?? left)) ?? '1' };
}

/** Whether nothing of the artifact is outside of the stretch. */
export function isAllSearched({ status, next, previous }: SearchState): boolean {
  return status === 'complete' && next === undefined && previous === undefined;
}
