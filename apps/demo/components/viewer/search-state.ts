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
  /** Where the stretch ends, when the artifact goes on: there the next search begins. */
  next?: string | undefined;
  message?: string;
  /** The match that is shown, counted from 0. */
  current: number | undefined;
  /** The stretch that was searched before this one, to go back to its matches. */
  earlier?: SearchState | undefined;
}

/** A search that has not found anything yet. */
export function searchBegun(request: SearchRequest, earlier?: SearchState): SearchState {
  return { request, matches: [], status: 'running', share: 0, current: undefined, earlier };
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
 * The search behind the stretch. One that was not completed goes on where it came to. Where nothing is left, it begins anew at
 * the first line.
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
 * Goes back to the last match before a place, of those that were found in this stretch or in an earlier one; `undefined` when
 * there is none. Earlier matches that were never found are not looked for.
 */
export function matchBefore(state: SearchState | undefined, place: Place): SearchState | undefined {
  for (let each = state; each; each = each.earlier) {
    const current = each.matches.findLastIndex((match) => isBefore(match, place));
    if (current !== -1) return { ...each, current };
  }
  return undefined;
}

type Place = Pick<SearchMatch, 'line' | 'column'>;

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && (one.column ?? 0) < (other.column ?? 0));
}
