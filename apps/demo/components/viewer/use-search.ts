import type { ArtifactGrepEvent } from 'ai-truncate/http';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ArtifactFailure, isAbort } from './artifact-failure';
import type { ArtifactSource, SearchRequest } from './artifact-source';

export type SearchMatch = Extract<ArtifactGrepEvent, { type: 'match' }>;

export interface SearchState {
  request: SearchRequest;
  /** At most what the server tells of at once. */
  matches: SearchMatch[];
  status: 'running' | 'complete' | 'enough' | 'deadline' | 'cancelled' | 'failed';
  /** How much of the artifact was looked at, 0 to 1. */
  share: number;
  /** Where to go on, when the search ended before the artifact did. */
  next?: string;
  message?: string;
  /** The match that is shown, counted from 0. */
  current: number | undefined;
}

export interface ArtifactSearch {
  state: SearchState | undefined;
  start(request: SearchRequest): void;
  cancel(): void;
  clear(): void;
  /** Shows a match; `step` the next one or the one before, around the end. */
  show(index: number): void;
  step(by: 1 | -1): void;
}

/** A search that shows what it has found while it runs. `onShow` is told of every match that is to be looked at. */
export function useSearch(source: ArtifactSource, onShow: (match: SearchMatch) => void): ArtifactSearch {
  const [state, setState] = useState<SearchState>();
  const running = useRef<AbortController>(undefined);
  const latest = useRef({ state, onShow });
  latest.current.onShow = onShow;

  const update = useCallback((next: SearchState | undefined) => {
    latest.current.state = next;
    setState(next);
  }, []);

  const show = useCallback(
    (index: number) => {
      const { state, onShow } = latest.current;
      const match = state?.matches[index];
      if (!state || !match) return;
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
      update({ request, matches: [], status: 'running', share: 0, current: undefined });
      void run();

      async function run() {
        try {
          for await (const events of source.search(request, controller.signal)) {
            if (controller.signal.aborted || !latest.current.state) return;
            update(withEvents(latest.current.state, events));
            if (latest.current.state.current === undefined) show(0);
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

  const step = useCallback(
    (by: 1 | -1) => {
      const { state } = latest.current;
      if (!state || state.matches.length === 0) return;
      const { matches, current, next, request } = state;
      const wanted = (current ?? -1) + by;
      // Behind the last one that was told of, the search goes on; behind the last of all, it begins again.
      if (wanted >= matches.length && next !== undefined) return start({ ...request, from: next });
      show((wanted + matches.length) % matches.length);
    },
    [show, start],
  );

  useEffect(() => () => running.current?.abort(), []);
  return { state, start, cancel, clear, show, step };
}

/** What is known after some more events. */
export function withEvents(state: SearchState, events: readonly ArtifactGrepEvent[]): SearchState {
  const next = { ...state, matches: [...state.matches] };
  for (const event of events) {
    if (event.type === 'match') next.matches.push(event);
    if (event.type === 'progress' || event.type === 'end') {
      next.share = event.totalBytes === 0 ? 1 : event.searchedTo / event.totalBytes;
    }
    if (event.type === 'end') {
      next.status = event.ended;
      if (event.ended !== 'complete') next.next = event.next;
    }
    if (event.type === 'error') Object.assign(next, { status: 'failed', message: event.error.message });
  }
  return next;
}
