import { type CSSProperties, type MouseEvent, useEffect, useSyncExternalStore } from 'react';
import { formatLineAddress, type LineRange } from '../line-address';
import type { LineCache } from './line-cache';
import { LineRow } from './line-row';
import type { LineWindow } from './use-line-window';

interface LineListProps {
  lines: number;
  window: LineWindow;
  cache: LineCache;
  pageHref: string;
  selection: LineRange | undefined;
  hitLine: number | undefined;
  onSelect(number: number, event: MouseEvent): void;
  onOpenLine(number: number): void;
  onKeyDown(event: React.KeyboardEvent): void;
}

/** Drawn before anybody knows how many the view has room for: enough for most, few enough for a slow phone. */
const rowsBeforeScripts = 40;

/** The lines in view, and no others. */
export function LineList(props: LineListProps) {
  const { lines, window, cache, pageHref, selection, hitLine, onSelect, onOpenLine, onKeyDown } = props;
  const { scroller, geometry, viewHeight, cut, first, last, isReady } = window;
  useSyncExternalStore(cache.subscribe, cache.version, cache.version);
  useEffect(() => {
    if (isReady) cache.show({ first, last });
  }, [cache, isReady, first, last]);

  const end = isReady ? last : cache.line(1) ? Math.min(lines, rowsBeforeScripts) : 0;
  const numbers = Array.from({ length: Math.max(0, end - first + 1) }, (_, index) => first + index);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group has no element of its own that scrolls.
    <div
      ref={scroller}
      role="group"
      aria-label="Lines of the output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      data-scroller
      className="artifact-scroller m-0.5 noscript:hidden min-h-0 flex-1 outline-offset-0 bg-sunken font-mono text-xs"
      style={{ '--digits': String(lines).length } as CSSProperties}
      onKeyDown={(event) => event.target === event.currentTarget && onKeyDown(event)}
    >
      <div style={{ height: geometry.elementHeight, minHeight: '100%' }}>
        <div className="artifact-layer" style={isReady ? { height: viewHeight } : {}}>
          <ul aria-label="Lines" style={{ transform: `translateY(${-cut}px)` }}>
            {numbers.map((number) => (
              <LineRow
                key={number}
                number={number}
                totalLines={lines}
                line={cache.line(number)}
                isSelected={selection !== undefined && number >= selection.from && number <= selection.to}
                isHit={number === hitLine}
                href={`${pageHref}${formatLineAddress({ from: number, to: number })}`}
                onSelect={onSelect}
                onOpenLine={onOpenLine}
              />
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}
