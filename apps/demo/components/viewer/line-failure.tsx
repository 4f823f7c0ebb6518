import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { LineCache } from './line-cache';

interface LineFailureProps {
  cache: LineCache;
  /** The lines that are asked for again. */
  view: { first: number; last: number };
}

/** Says why lines are missing, and asks for them again where that can help; by itself when the server said when. */
export function LineFailure({ cache, view }: LineFailureProps) {
  useSyncExternalStore(cache.subscribe, cache.version, cache.version);
  const { failure } = cache;
  // Who scrolls meanwhile does not wait longer.
  const latest = useRef(view);
  latest.current = view;
  useEffect(() => {
    if (failure?.retryAfterSeconds === undefined) return;
    const timer = setTimeout(() => cache.retry(latest.current), failure.retryAfterSeconds * 1000);
    return () => clearTimeout(timer);
  }, [cache, failure]);

  if (!failure) return null;
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 bg-failure-soft px-3 py-2 text-failure text-sm">
      {failure.message}
      {failure.retryAfterSeconds !== undefined && ' This page does so by itself.'}
      {failure.kind !== 'gone' && (
        <button type="button" className="quiet-button" onClick={() => cache.retry(view)}>
          Retry
        </button>
      )}
    </p>
  );
}
