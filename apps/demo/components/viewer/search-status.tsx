import { X } from 'lucide-react';
import type { RefObject } from 'react';
import { createPortal } from 'react-dom';
import type { SearchState } from './search-state';
import { searchWords, spokenSearchWords } from './search-words';
import type { ArtifactSearch } from './use-search';

interface SearchStatusProps {
  search: ArtifactSearch;
  state: SearchState;
  /** Whose text is read out when it changes. */
  spoken: RefObject<Element | null>;
}

/** How far a search is, and ways to end it or to go on. */
export function SearchStatus({ search, state, spoken }: SearchStatusProps) {
  return (
    <p className="flex w-full flex-wrap items-center gap-2 text-muted text-xs">
      <span aria-hidden data-search-status>
        {searchWords(state)}
      </span>
      {spoken.current && createPortal(spokenSearchWords(state), spoken.current)}
      {(state.status === 'deadline' || state.status === 'enough') && (
        <button type="button" className="quiet-button" onClick={search.goOn}>
          Search on from here
        </button>
      )}
      {state.status === 'running' ? (
        <button type="button" className="quiet-button" onClick={search.cancel}>
          Stop
        </button>
      ) : (
        <button type="button" className="icon-button" aria-label="Clear the search" onClick={search.clear}>
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </p>
  );
}
