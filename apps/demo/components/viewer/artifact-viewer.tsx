'use client';

import type { ArtifactLinesAnswer } from 'ai-truncate/http';
import { Download } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { artifactLabel } from '../artifact-link';
import { formatBytes, formatCount } from '../format-size';
import { type LineAddress, rangeLabel } from '../line-address';
import { type ArtifactSource, type ArtifactSummary, isShownAsText } from './artifact-source';
import { keyAction } from './key-action';
import { LineCache } from './line-cache';
import { LineFailure } from './line-failure';
import { LineList } from './line-list';
import { LineWaiting } from './line-waiting';
import { LinesWithoutScripts } from './lines-without-scripts';
import { onDemand } from './on-demand';
import { errorSearch, SearchBar } from './search-bar';
import type { SearchMatch } from './search-state';
import type { SelectionActions } from './selection-bar';
import { useLineWindow } from './use-line-window';
import { useSearch } from './use-search';
import { type LinePlace, useSelection } from './use-selection';

const AddressNotice = onDemand(async () => (await import('./address-notice')).AddressNotice);
const GiantLine = onDemand(async () => (await import('./giant-line')).GiantLine);
const PrettyView = onDemand(async () => (await import('./pretty-view')).PrettyView);
const SearchResults = onDemand(async () => (await import('./search-results')).SearchResults);
const SelectionBar = onDemand(async () => (await import('./selection-bar')).SelectionBar);
const ShortcutList = onDemand(async () => (await import('./shortcut-list')).ShortcutList);

interface ArtifactViewerProps {
  source: ArtifactSource;
  artifact: ArtifactSummary;
  /** Which lines are selected. The view goes there when it changes. */
  address: LineAddress | undefined;
  onAddress(address: LineAddress | undefined): void;
  /** Beside the download: ways out. */
  actions: ReactNode;
  onEscape?(): void;
  /** Beside something else: its name is no title of a page, and it takes the focus, since somebody has just asked for it. */
  isPanel?: boolean;
  /** Where the server has them ready. */
  firstLines?: ArtifactLinesAnswer | undefined;
}

/** A full tool output of any size: its lines, a search, and ways to take parts of it along. */
export function ArtifactViewer(props: ArtifactViewerProps) {
  const { source, artifact, address, onAddress, actions, onEscape, isPanel = false, firstLines } = props;
  const { lines, bytes, mediaType, name } = artifact;
  const isText = isShownAsText(artifact);
  const cache = useMemo(() => new LineCache(source, firstLines), [source, firstLines]);
  const view = useLineWindow(isText ? lines : 0);
  const { goToLine, isReady, first, last, scroller } = view;
  const [openLine, setOpenLine] = useState<LinePlace>();
  const searchField = useRef<HTMLInputElement>(null);
  const lineField = useRef<HTMLInputElement>(null);
  const selectionBar = useRef<SelectionActions>(null);
  const [areShortcutsShown, setShortcutsShown] = useState(false);

  const showMatch = useCallback(
    ({ line, column, at }: SearchMatch) => {
      goToLine(line);
      // In a giant line, the place is what matters, and no row shows it.
      setOpenLine(column !== undefined && at !== undefined ? { line, start: Math.max(1, column - 200) } : undefined);
    },
    [goToLine],
  );
  const search = useSearch({ source, lines, onShow: showMatch });
  const hit = search.state?.matches[search.state.current ?? -1]?.line;

  const { selected, select, selectLine, extendSelection } = useSelection({
    address,
    onAddress,
    lines,
    view,
    onCharacter: setOpenLine,
  });

  const Heading = isPanel ? 'h2' : 'h1';

  useEffect(() => () => cache.close(), [cache]);
  useEffect(() => {
    // A page of its own has nothing else to begin with; whoever is somewhere already stays there.
    if (isReady && (isPanel || document.activeElement === document.body)) {
      scroller.current?.focus({ preventScroll: true });
    }
  }, [isPanel, isReady, scroller]);

  const openGiantLine = useCallback((line: number) => setOpenLine({ line, start: 1 }), []);

  const isInView = (line: number) => line >= first && line <= last;

  /** From where on, or back from where, a visitor means: the selection, or what is seen. */
  function currentLine(by: 1 | -1): number {
    if (address && isInView(address.from)) return address.from;
    // At the very end, what is before it is seen.
    return by === -1 && last >= lines ? lines + 1 : Math.max(1, first);
  }

  function step(by: 1 | -1) {
    search.step(by, hit === undefined || isInView(hit) ? undefined : currentLine(by));
  }

  function findErrors(by: 1 | -1) {
    if (search.state?.request.text === errorSearch.text) return step(by);
    // Only errors that were found can be gone back to.
    if (by === 1) search.start({ ...errorSearch, from: String(currentLine(by)) });
  }

  function onKeyDown(event: KeyboardEvent) {
    const action = keyAction(event, {
      extendSelection,
      find: () => searchField.current?.focus(),
      goToLine: () => lineField.current?.focus(),
      copyLines: () => selectionBar.current?.copyLines(),
      copyLink: () => selectionBar.current?.copyLink(),
      showShortcuts: () => setShortcutsShown(true),
      step,
      findErrors,
    });
    if (!action) return view.onKeyDown(event);
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /** One thing at a time: what was opened last is closed first. */
  function leave() {
    if (search.state) search.clear();
    else if (address) onAddress(undefined);
    else onEscape?.();
  }

  /** From wherever in the viewer it comes: a chat beside it would end its answer. */
  function onEscapeKey(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    leave();
  }

  return (
    <section aria-label="Full output" className="flex min-h-0 min-w-0 flex-1 flex-col" onKeyDown={onEscapeKey}>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-line border-b px-3 py-2.5">
        <div className="min-w-0">
          <Heading className="truncate font-medium font-mono text-sm" title={name}>
            {artifactLabel(name)}
          </Heading>
          <p className="text-muted text-xs">
            {formatBytes(bytes)}
            {isText && ` · ${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}`} · {mediaType} · kept until{' '}
            {artifact.expiresAt.slice(0, 10)}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-1.5">
          {isText && /json/i.test(mediaType) && <PrettyView source={source} artifact={artifact} />}
          <a className="quiet-button" href={source.downloadHref} download>
            <Download aria-hidden className="size-3.5" />
            Download {formatBytes(bytes)}
          </a>
          {actions}
        </div>
      </div>
      {isText ? (
        <>
          <SearchBar
            search={search}
            searchField={searchField}
            lineField={lineField}
            lines={lines}
            onLine={selectLine}
            onStep={step}
            onErrors={() => findErrors(1)}
            onShortcuts={() => setShortcutsShown(true)}
            onLeave={() => scroller.current?.focus({ preventScroll: true })}
          />
          <div role="status" data-address-spoken>
            {address && <AddressNotice source={source} address={address} lines={lines} />}
          </div>
          <LineFailure cache={cache} view={{ first, last }} />
          {isReady && <LineWaiting cache={cache} view={{ first, last }} />}
          {firstLines && <LinesWithoutScripts lines={firstLines.lines} totalLines={firstLines.totalLines} />}
          <LineList
            lines={lines}
            window={view}
            cache={cache}
            pageHref={source.pageHref}
            selection={address}
            hitLine={hit}
            onSelect={select}
            onOpenLine={openGiantLine}
            onKeyDown={onKeyDown}
          />
          {selected && (
            <SelectionBar ref={selectionBar} source={source} range={selected} onClear={() => onAddress(undefined)} />
          )}
          {search.state && <SearchResults search={search} />}
          {openLine && <GiantLine source={source} place={openLine} onClose={() => setOpenLine(undefined)} />}
          {areShortcutsShown && <ShortcutList onClose={() => setShortcutsShown(false)} />}
        </>
      ) : (
        <p className="m-auto max-w-md p-6 text-center text-muted">
          {bytes === 0
            ? 'This tool returned nothing.'
            : `This is not text, but ${formatBytes(bytes)} of ${mediaType}. It can be downloaded.`}
        </p>
      )}
      <p role="status" className="sr-only">
        {selected && `${selected.from === selected.to ? 'Line' : 'Lines'} ${rangeLabel(selected)} selected`}
      </p>
    </section>
  );
}
