import { useEffect, useState, useSyncExternalStore } from 'react';
import { formatCount } from '../format-size';
import type { LineCache } from './line-cache';

/** So long nobody wonders. */
const momentMs = 700;

interface LineWaitingProps {
  cache: LineCache;
  /** The lines in view. */
  view: { first: number; last: number };
}

/** Says that lines are on their way, when that takes longer than a moment. Their numbers and their room are there already. */
export function LineWaiting({ cache, view: { first, last } }: LineWaitingProps) {
  useSyncExternalStore(cache.subscribe, cache.version, cache.version);
  const isWaiting = cache.isWaitingFor({ first, last });
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    setIsLong(false);
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsLong(true), momentMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);

  return (
    // Of no height: what comes and goes above the lines must not move them.
    <div className="pointer-events-none relative z-10 h-0">
      <p
        role="status"
        data-waiting
        className={
          isWaiting && isLong
            ? 'absolute top-3 right-6 rounded-lg border border-line bg-card px-3 py-1.5 text-muted text-sm'
            : 'sr-only'
        }
      >
        {isWaiting && isLong && `Still fetching lines ${formatCount(first)} to ${formatCount(last)}…`}
      </p>
    </div>
  );
}
