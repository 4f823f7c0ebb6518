import { formatCount } from '../format-size';
import type { SearchState } from './use-search';

/** What is said of a search, to eyes and ears: how many matches, and whether that is all of them. */
export function searchWords({ matches, status, share, message, current }: SearchState): string {
  const found = matches.length === 1 ? '1 match' : `${formatCount(matches.length)} matches`;
  const place = current === undefined ? '' : `${formatCount(current + 1)} of `;
  const percent = `${Math.floor(share * 100)} %`;
  switch (status) {
    case 'running':
      return `${found}, ${percent} searched`;
    case 'complete':
      return matches.length === 0 ? 'No match' : `${place}${found}`;
    case 'enough':
      return `${place}the first ${found}: next ones follow the last`;
    case 'deadline':
      return `${place}${found} in the first ${percent}: that took long`;
    case 'cancelled':
      return `${place}${found}, stopped at ${percent}`;
    case 'failed':
      return message ?? 'The search failed.';
  }
}
