import { formatCount } from '../format-size';
import type { SearchState } from './search-state';

/** The state of a search in words: the number of matches, and whether the search is complete. */
export function searchWords({ request, matches, status, share, message, current }: SearchState): string {
  const found = matches.length === 1 ? '1 match' : `${formatCount(matches.length)} matches`;
  const place = current === undefined ? '' : `${formatCount(current + 1)} of `;
  const percent = `${Math.floor(share * 100)} %`;
  switch (status) {
    case 'running':
      return `${found}, ${percent} searched`;
    case 'complete':
      return `${matches.length === 0 ? 'No match' : place + found}${partWords(request)}`;
    case 'enough':
      return `${place}${formatCount(matches.length)}+ matches${partWords(request)}`;
    case 'deadline':
      return `${place}${found}, timed out at ${percent}`;
    case 'cancelled':
      return `${place}${found}, stopped at ${percent}`;
    case 'failed':
      return message ?? 'The search failed.';
  }
}

/** The words for screen readers: the start and the end of a search, without its progress. */
export function spokenSearchWords(state: SearchState): string {
  return state.status === 'running' ? 'Searching…' : searchWords(state);
}

/** The part of the artifact that was searched. */
function partWords({ from }: SearchState['request']): string {
  return from === '1' ? '' : ` from line ${formatCount(Number.parseInt(from, 10))} on`;
}
