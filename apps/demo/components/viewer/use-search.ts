import { useCallback, useEffect, useRef, useState } from 'react';
import { ArtifactFailure, isAbort } from './artifact-failure';
import type { ArtifactSource, SearchRequest } from './artifact-source';
import {
  isAllSearched,
  matchBefore,
  type SearchMatch,
  type SearchState,
  searchBegun,
  searchBeyond,
  withEvents,
} from './search-state';

export interface ArtifactSearch {
  state: SearchState | undefined;
  start(request: SearchRequest): void;
  cancel(): void;
  clear(): void;
  /** Shows a match. */
  show(index: number): void;
  /**
   * Shows the next one, or goes back to one that was found before; seen from the line in `near`, when that is somewhere else
   * than the match that is shown. After a search of everything, it goes around the end.
   */
  step(by: 1 | -1, near?: number): void;
  /** Where the stretch that is known ends, the search goes on. */
  goOn(): void;
}

interface SearchOptions {
  source: ArtifactSource;
  /** How many the artifact has. */
  lines: number;
  /** Told of every match that is to be looked at. */
  onShow(match: SearchMatch): void;
}

/** What a search that runs needs of the drawing that came last. */
interface Latest extends Pick<SearchOptions, 'onShow'>, Partial<Pick<ArtifactSearch, 'step'>> {
  state: SearchState | undefined;
}

/** A search that shows what it has found while it runs. */
export function useSearch({ source, lines, onShow }: SearchOptions): ArtifactSearch {
  const [state, setState] = useState<SearchState>();
  const running = useRef<AbortController>(undefined);
  const latest = useRef<Latest>({ state, onShow });
  latest.current.onShow = onShow;
  // A step to a match that is still on its way: taken when it comes, or when it is known that there is none.
  const isStepAwaited = useRef(false);

  const update = useCallback((next: SearchState | undefined) => {
    latest.current.state = next;
    setState(next);
  }, []);

  /** Shows the current match of a search, which may be an earlier one. */
  const showIn = useCallback(
    (state: SearchState) => {
      const match = state.matches[state.current ?? -1];
      if (!match) return;
      isStepAwaited.current = false;
      // What another stretch would still find is not waited for.
      if (state.request !== latest.current.state?.request) running.current?.abort();
      update(state);
      latest.current.onShow(match);
    },
    [update],
  );

  const show = useCallback(
    (index: number) => {
      const { state } = latest.current;
      if (state) showIn({ ...state, current: index });
    },
    [showIn],
  );

  const start = useCallback(
    (request: SearchRequest) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      isStepAwaited.current = false;
      update(searchBegun(request, latest.current.state));
      void run();

      async function run() {
        try {
          for await (const events of source.search(request, controller.signal)) {
            if (controller.signal.aborted || !latest.current.state) return;
            update(withEvents(latest.current.state, events));
            const { state, step } = latest.current;
            if (state.current === undefined) show(0);
            else if (isStepAwaited.current && state.status !== 'failed') step?.(1);
          }
          if (latest.current.state?.status === 'running') throw new ArtifactFailure('offline', 'The connection broke.');
        } catch (error) {
          if (controller.signal.aborted || isAbort(error) || !latest.current.state) return;
          update({ ...latest.current.state, status: 'failed', message: (error as Error).message });
        }
      }
    },
    [source, update, show],
  );

  const cancel = useCallback(() => {
    running.current?.abort();
    if (latest.current.state?.status === 'running') update({ ...latest.current.state, status: 'cancelled' });
  }, [update]);

  const clear = useCallback(() => {
    running.current?.abort();
    update(undefined);
  }, [update]);

  const goOn = useCallback(() => {
    const { state } = latest.current;
    if (state) start(searchBeyond(state, lines));
  }, [start, lines]);

  const step = useCallback(
    (by: 1 | -1, near?: number) => {
      const { state } = latest.current;
      if (!state) return;
      const { matches, current = -1, status, request } = state;
      const isAll = isAllSearched(state);
      if (by === -1) {
        const shown = matches[current] ?? { line: Number.POSITIVE_INFINITY };
        const back = matchBefore(state, near === undefined ? shown : { line: near });
        if (back) showIn(back);
        else if (isAll) show(matches.length - 1);
        return;
      }
      if (near !== undefined && !isAll) return start({ ...request, from: String(near) });
      const wanted = near === undefined ? current + 1 : matches.findIndex(({ line }) => line >= near);
      if (matches[wanted]) show(wanted);
      else if (isAll) show(0);
      // What is behind the last match so far is on its way.
      else if (status === 'running') isStepAwaited.current = true;
      else start(searchBeyond(state, lines));
    },
    [show, showIn, start, lines],
  );
  latest.current.step = step;

  useEffect(() => () => running.current?.abort(), []);
  return { state, start, cancel, clear, show, step, goOn };
}
