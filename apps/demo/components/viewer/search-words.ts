import { formatCount } from '../format-size';
import type { SearchState } from './search-state';

/** What is shown of a search: how many matches, and whether that is all of them. */
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

/** What is read out of it: that it began and how it ended. Every per cent of it would be more than anybody hears out. */
export function spokenSearchWords(state: SearchState): string {
  return state.status === 'running' ? 'Searching…' : searchWords(state);
}

/** Of which part of the artifact that is said. */
function partWords({ from }: SearchState['request']): string {
  return from === '1' ? '' : ` from line ${formatCount(Number.parseInt(from, 10))} on`;
}
