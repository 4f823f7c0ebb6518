import { useCallback, useEffect, useRef, useState } from 'react';
import { ArtifactFailure, isAbort } from './artifact-failure';
import type { ArtifactSource, SearchRequest } from './artifact-source';
import {
  isAllSearched,
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
   * Shows the next one or the one before, around the end; of the line in `near`, when that is somewhere else than the match that
   * is shown.
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
  const awaitedStep = useRef<1 | -1>(undefined);

  const update = useCallback((next: SearchState | undefined) => {
    latest.current.state = next;
    setState(next);
  }, []);

  const show = useCallback(
    (index: number) => {
      const { state, onShow } = latest.current;
      const match = state?.matches[index];
      if (!state || !match) return;
      awaitedStep.current = undefined;
      update({ ...state, current: index });
      onShow(match);
    },
    [update],
  );

  const start = useCallback(
    (request: SearchRequest) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      awaitedStep.current = undefined;
      update(searchBegun(request, lines));
      void run();

      async function run() {
        try {
          for await (const events of source.search(request, controller.signal)) {
            if (controller.signal.aborted || !latest.current.state) return;
            update(withEvents(latest.current.state, events));
            const { state, step } = latest.current;
            if (state.current === undefined) show(nearest(state));
            else if (awaitedStep.current && state.status !== 'failed') step?.(awaitedStep.current);
          }
          if (latest.current.state?.status === 'running') throw new ArtifactFailure('offline', 'The connection broke.');
        } catch (error) {
          if (controller.signal.aborted || isAbort(error) || !latest.current.state) return;
          update({ ...latest.current.state, status: 'failed', message: (error as Error).message });
        }
      }
    },
    [source, lines, update, show],
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
    if (state) start(searchBeyond(state, { by: state.request.before === undefined ? 1 : -1, lines }));
  }, [start, lines]);

  const step = useCallback(
    (by: 1 | -1, near?: number) => {
      const { state } = latest.current;
      if (!state) return;
      const { matches, current = by === 1 ? -1 : matches.length, status, request } = state;
      if (near !== undefined) {
        const { from: _, before: __, ...what } = request;
        if (!isAllSearched(state))
          return start({ ...what, ...(by === 1 ? { from: String(near) } : { before: String(near) }) });
        const wanted =
          by === 1 ? matches.findIndex(({ line }) => line >= near) : matches.findLastIndex(({ line }) => line < near);
        return show(wanted === -1 ? (by === 1 ? 0 : matches.length - 1) : wanted);
      }
      const wanted = current + by;
      if (wanted >= 0 && wanted < matches.length) return show(wanted);
      if (isAllSearched(state)) return show((wanted + matches.length) % matches.length);
      // What is behind the last match so far is on its way.
      const isOnItsWay = status === 'running' && (request.before === undefined ? by === 1 : by === -1);
      if (isOnItsWay) awaitedStep.current = by;
      else start(searchBeyond(state, { by, lines }));
    },
    [show, start, lines],
  );
  latest.current.step = step;

  useEffect(() => () => running.current?.abort(), []);
  return { state, start, cancel, clear, show, step, goOn };
}

/** The match that is looked at first: the one nearest to where the search began. */
function nearest({ request, matches }: SearchState): number {
  return request.before === undefined ? 0 : matches.length - 1;
}
