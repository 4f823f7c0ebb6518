import { ChevronDown, ChevronUp, CircleHelp, OctagonAlert } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { onDemand } from './on-demand';
import type { ArtifactSearch } from './use-search';

const SearchStatus = onDemand(async () => (await import('./search-status')).SearchStatus);

/** Words by which programs tell that something went wrong, also at the end of longer ones: `TypeError`. */
export const errorSearch = {
  text: '(?:error|exception|\\b(?:fatal|critical|panic|fail(?:ed|ure)?))\\b',
  isRegex: true,
  ignoreCase: true,
};

interface SearchBarProps {
  search: ArtifactSearch;
  searchField: RefObject<HTMLInputElement | null>;
  lineField: RefObject<HTMLInputElement | null>;
  lines: number;
  onLine(line: number): void;
  /** The next match or error, or back to one that was found before. */
  onStep(by: 1 | -1): void;
  onErrors(): void;
  onShortcuts(): void;
  /** Back to the lines. */
  onLeave(): void;
}

/** Find, next, previous, errors, go to line. */
export function SearchBar(props: SearchBarProps) {
  const { search, searchField, lineField, lines, onLine, onStep, onErrors, onShortcuts, onLeave } = props;
  const [ignoreCase, setIgnoreCase] = useState(true);
  const [isRegex, setIsRegex] = useState(false);
  const { state } = search;
  const spoken = useRef<HTMLParagraphElement>(null);

  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('search') ?? '');
    if (text === '') return search.clear();
    const known = state?.request;
    const isSame = known?.text === text && known.isRegex === isRegex && known.ignoreCase === ignoreCase;
    if (isSame && state?.status !== 'failed') onStep(1);
    else search.start({ text, isRegex, ignoreCase, from: '1' });
  }

  function goTo(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const line = Number(String(new FormData(event.currentTarget).get('line')).replace(/[^\d]/g, ''));
    if (Number.isSafeInteger(line) && line >= 1) onLine(line);
  }

  function leaveOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape') return;
    // Else the key would end an answer that is being written beside.
    event.preventDefault();
    onLeave();
  }

  function onFieldKey(event: KeyboardEvent) {
    if (event.key === 'Escape') search.clear();
    leaveOnEscape(event);
    if (event.key === 'Enter' && event.shiftKey) {
      event.preventDefault();
      onStep(-1);
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-1.5 border-line border-b px-3 py-2 noscript:hidden">
      <search className="min-w-48 flex-1">
        <form className="flex items-center gap-1" onSubmit={find}>
          <input
            ref={searchField}
            name="search"
            aria-label="Find in the output"
            placeholder="Find…"
            autoComplete="off"
            spellCheck={false}
            maxLength={500}
            className="viewer-field min-w-0 flex-1 font-mono"
            onKeyDown={onFieldKey}
          />
          <Toggle label="Match case" isOn={!ignoreCase} onToggle={() => setIgnoreCase(!ignoreCase)}>
            Aa
          </Toggle>
          <Toggle label="Regular expression" isOn={isRegex} onToggle={() => setIsRegex(!isRegex)}>
            .*
          </Toggle>
        </form>
      </search>
      <div className="flex items-center">
        <button
          type="button"
          className="icon-button"
          aria-label="Previous match"
          disabled={!state}
          onClick={() => onStep(-1)}
        >
          <ChevronUp aria-hidden className="size-4" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Next match"
          disabled={!state}
          onClick={() => onStep(1)}
        >
          <ChevronDown aria-hidden className="size-4" />
        </button>
        <button type="button" className="icon-button" aria-label="Next error" onClick={onErrors}>
          <OctagonAlert aria-hidden className="size-4" />
        </button>
      </div>
      <form onSubmit={goTo}>
        <input
          ref={lineField}
          name="line"
          aria-label="Go to line"
          placeholder={`Line 1–${lines}`}
          inputMode="numeric"
          pattern=".*[1-9].*"
          title={`A line number, from 1 to ${lines}`}
          autoComplete="off"
          maxLength={15}
          className="viewer-field w-36 tabular-nums"
          onKeyDown={leaveOnEscape}
        />
      </form>
      <button type="button" className="icon-button" aria-label="Keyboard shortcuts" onClick={onShortcuts}>
        <CircleHelp aria-hidden className="size-4" />
      </button>
      {/* Here before there is something to say: a status that arrives with its words is not spoken. */}
      <p ref={spoken} role="status" data-search-spoken className="sr-only" />
      {state && <SearchStatus search={search} state={state} spoken={spoken} />}
    </div>
  );
}

interface ToggleProps {
  label: string;
  isOn: boolean;
  onToggle(): void;
  children: string;
}

function Toggle({ label, isOn, onToggle, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      className={`icon-button font-mono text-xs ${isOn ? 'bg-accent-soft text-accent' : ''}`}
      onClick={onToggle}
    >
      {children}
    </button>
  );
}
