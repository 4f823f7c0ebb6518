import { formatCount } from '../format-size';
import type { SearchState } from './search-state';

/** What is shown of a search: how many matches, and whether that is all of them. */
export function searchWords({ request, matches, status, share, message, current }: SearchState): string {
  const isBackwards = request.before !== undefined;
  const found = matches.length === 1 ? '1 match' : `${formatCount(matches.length)} matches`;
  const place = current === undefined ? '' : `${formatCount(current + 1)} of `;
  const percent = `${isBackwards ? Math.ceil(share * 100) : Math.floor(share * 100)} %`;
  switch (status) {
    case 'running':
      return isBackwards ? `${found}, searched back to ${percent}` : `${found}, ${percent} searched`;
    case 'complete':
      return `${matches.length === 0 ? 'No match' : place + found}${partWords(request)}`;
    case 'enough':
      return isBackwards
        ? `${place}the last ${found}${partWords(request)}: earlier ones come before the first`
        : `${place}the first ${found}${partWords(request)}: next ones follow the last`;
    case 'deadline':
      return `${place}${found}, searched ${isBackwards ? 'back ' : ''}to ${percent}: that took long`;
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
function partWords({ from, before }: SearchState['request']): string {
  if (from === '1') return '';
  const line = formatCount(Number.parseInt(from ?? before, 10));
  return from === undefined ? ` before line ${line}` : ` from line ${line} on`;
}
