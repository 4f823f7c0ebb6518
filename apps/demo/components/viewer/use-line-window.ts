import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type LineGeometry, lineGeometry, rowHeight } from './line-geometry';

export interface LineWindow {
  /** On the element that scrolls. */
  scroller: RefObject<HTMLDivElement | null>;
  geometry: LineGeometry;
  viewHeight: number;
  /** How many pixels of the first row are above the view. */
  cut: number;
  /** The rows that are drawn; the lowest may be seen only in part. */
  first: number;
  last: number;
  /** Whether the height is known, and rows can be drawn. */
  isReady: boolean;
  goToLine(line: number): void;
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * Where in a text of any number of lines the view is. Above the height that browsers can scroll, the place is kept here and the
 * scrollbar follows it: a wheel, a finger and the keys move by pixels, the scrollbar between the ends by shares of the whole.
 */
export function useLineWindow(lines: number): LineWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const [viewHeight, setViewHeight] = useState(0);
  const [offset, setOffset] = useState(0);
  const geometry = useMemo(() => lineGeometry({ lines, viewHeight }), [lines, viewHeight]);
  // What listeners read between two drawings.
  const current = useRef({ geometry, offset });
  current.current.geometry = geometry;
  const expectedScroll = useRef(0);

  const show = useCallback((wanted: number) => {
    const { geometry } = current.current;
    const offset = geometry.clampOffset(wanted);
    current.current.offset = offset;
    setOffset(offset);
  }, []);

  /** Puts the scrollbar where the view is. The event that this causes is told from the visitor's by its place. */
  const alignScrollbar = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = current.current.geometry.toScroll(current.current.offset);
    expectedScroll.current = element.scrollTop;
  }, []);

  const goTo = useCallback(
    (wanted: number) => {
      show(wanted);
      alignScrollbar();
    },
    [show, alignScrollbar],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // It tells the first height as well, in a turn of its own: a slow phone has enough to do while the page starts.
    const observer = new ResizeObserver(() => setViewHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Another height, another scale: the lines stay and the scrollbar moves. Whoever is at the end stays there: a bar that opens
  // below must not cover the last lines.
  const maxOffset = useRef(0);
  useLayoutEffect(() => {
    const { offset } = current.current;
    const isAtEnd = maxOffset.current > 0 && offset >= maxOffset.current - 1;
    maxOffset.current = geometry.maxOffset;
    goTo(isAtEnd ? geometry.maxOffset : offset);
  }, [geometry, goTo]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let isTouched = false;

    function onScroll() {
      const { geometry, offset } = current.current;
      const scroll = element?.scrollTop ?? 0;
      const moved = scroll - expectedScroll.current;
      // Zoomed, browsers give back another fraction of a pixel than they were given.
      if (Math.abs(moved) < 1) return;
      expectedScroll.current = scroll;
      show(geometry.isScaled && isTouched ? offset + moved : geometry.toOffset(scroll));
    }

    /** Where a pixel of the scrollbar is many lines, the browser must not turn the wheel into pixels of the scrollbar. */
    function onWheel(event: WheelEvent) {
      if (!current.current.geometry.isScaled || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      const page = element?.clientHeight ?? 0;
      const unit = [1, rowHeight, page][event.deltaMode] ?? 1;
      if (element) element.scrollLeft += event.deltaX;
      goTo(current.current.offset + event.deltaY * unit);
    }

    const onTouchStart = () => {
      isTouched = true;
    };
    const onMouseDown = () => {
      isTouched = false;
    };
    /** Only now: moved under a finger, or in a fling, the page would jump. */
    const onScrollEnd = () => {
      if (isTouched) alignScrollbar();
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: false });
    element.addEventListener('touchstart', onTouchStart, { passive: true });
    element.addEventListener('mousedown', onMouseDown);
    element.addEventListener('scrollend', onScrollEnd);
    return () => {
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('touchstart', onTouchStart);
      element.removeEventListener('mousedown', onMouseDown);
      element.removeEventListener('scrollend', onScrollEnd);
    };
  }, [show, goTo, alignScrollbar]);

  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { geometry, offset } = current.current;
      const page = Math.max(rowHeight, (scroller.current?.clientHeight ?? 0) - rowHeight);
      const isBack = event.key === ' ' && event.shiftKey;
      const targets: Record<string, number> = {
        Home: 0,
        g: 0,
        End: geometry.maxOffset,
        G: geometry.maxOffset,
        PageDown: offset + page,
        ' ': offset + (isBack ? -page : page),
        PageUp: offset - page,
        ArrowDown: offset + rowHeight,
        j: offset + rowHeight,
        ArrowUp: offset - rowHeight,
        k: offset - rowHeight,
      };
      const target = Object.hasOwn(targets, event.key) ? targets[event.key] : undefined;
      if (target === undefined) return;
      event.preventDefault();
      goTo(target);
    },
    [goTo],
  );

  const goToLine = useCallback((line: number) => goTo(current.current.geometry.offsetOfLine(line)), [goTo]);
  const first = Math.floor(offset / rowHeight) + 1;
  const last = Math.min(lines, first + Math.ceil(viewHeight / rowHeight));
  return {
    scroller,
    geometry,
    viewHeight,
    cut: offset % rowHeight,
    first,
    last,
    isReady: viewHeight > 0,
    goToLine,
    onKeyDown,
  };
}
