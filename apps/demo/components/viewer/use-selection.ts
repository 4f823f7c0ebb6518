import { type MouseEvent, useCallback, useEffect, useRef } from 'react';
import type { LineAddress, LineRange } from '../line-address';
import type { LineWindow } from './use-line-window';

/** A character of a giant line, both counted from 1. */
export interface LinePlace {
  line: number;
  start: number;
}

interface SelectionOptions {
  address: LineAddress | undefined;
  onAddress(address: LineAddress | undefined): void;
  /** How many the artifact has. */
  lines: number;
  view: LineWindow;
  /** Told where in a line the address leads. */
  onCharacter(place: LinePlace): void;
}

interface Selection {
  /** What of the address there is. */
  selected: LineRange | undefined;
  /** A click on a number: with Shift it selects from the one before. */
  select(line: number, event: MouseEvent): void;
  selectLine(line: number): void;
  /** Moves the end that is not the one it began with. */
  extendSelection(by: 1 | -1): void;
}

/** The selected lines, which are the address: the view goes there when it changes, and changes it. */
export function useSelection({ address, onAddress, lines, view, onCharacter }: SelectionOptions): Selection {
  const { goToLine, isReady, first, last, scroller } = view;
  const anchor = useRef<number>(undefined);

  // The address as text: a new object that says the same must not move the view.
  const place = address && `${address.from}-${address.to}-${address.character ?? ''}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the place, not the object.
  useEffect(() => {
    if (!isReady || !address) return;
    // One that is the end of no selection is of another place.
    if (anchor.current !== address.to) anchor.current = address.from;
    const isSeen = [address.from, address.to].some((line) => line > first && line < last - 1);
    if (!isSeen) goToLine(Math.min(address.from, lines));
    if (address.character) onCharacter({ line: address.from, start: address.character });
  }, [isReady, place, goToLine]);

  const select = useCallback(
    (number: number, event: MouseEvent) => {
      // With these, a link does what links do.
      if (event.ctrlKey || event.metaKey || event.button !== 0) return;
      event.preventDefault();
      const from = event.shiftKey ? (anchor.current ?? number) : number;
      if (!event.shiftKey) anchor.current = number;
      onAddress({ from: Math.min(from, number), to: Math.max(from, number) });
      scroller.current?.focus({ preventScroll: true });
    },
    [onAddress, scroller],
  );

  function selectLine(line: number) {
    anchor.current = line;
    onAddress({ from: line, to: line });
    goToLine(Math.min(line, lines));
    scroller.current?.focus({ preventScroll: true });
  }

  function extendSelection(by: 1 | -1) {
    if (!address) return;
    const fixed = anchor.current ?? address.from;
    const moved = Math.max(1, Math.min(lines, (address.from === fixed ? address.to : address.from) + by));
    onAddress({ from: Math.min(fixed, moved), to: Math.max(fixed, moved) });
    if (moved <= first || moved >= last - 1) goToLine(moved);
  }

  const selected =
    address && address.from <= lines ? { from: address.from, to: Math.min(address.to, lines) } : undefined;
  return { selected, select, selectLine, extendSelection };
}
