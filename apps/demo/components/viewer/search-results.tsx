import { formatCount } from '../format-size';
import { ScrollRegion } from '../scroll-region';
import { shownText } from '../text-segments';
import type { ArtifactSearch } from './use-search';

/** Every match with its line; one that is chosen is shown. */
export function SearchResults({ search: { state, show } }: { search: ArtifactSearch }) {
  if (!state || state.matches.length === 0) return null;
  const { matches, current } = state;
  return (
    <ScrollRegion label="Matches" className="max-h-44 shrink-0 border-line border-t bg-card">
      <ul>
        {matches.map(({ line, column, text }, index) => (
          <li key={`${line}:${column ?? ''}`} className="off-screen-row">
            <button
              type="button"
              aria-current={index === current || undefined}
              className={`flex h-6 w-full items-baseline gap-3 px-3 text-left font-mono text-xs leading-6 hover:bg-raised ${index === current ? 'bg-accent-soft' : ''}`}
              onClick={() => show(index)}
            >
              <span className="shrink-0 text-accent tabular-nums">
                {formatCount(line)}
                {column !== undefined && `:${formatCount(column)}`}
              </span>
              <span className="truncate whitespace-pre">{shownText(text)}</span>
            </button>
          </li>
        ))}
      </ul>
    </ScrollRegion>
  );
}
