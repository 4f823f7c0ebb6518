import type { EvidenceClaim } from './evidence.ts';
import type { QuotePlace } from './quote-places.ts';

/** The place of a quote, of all that were found until now. */
export interface NearestPlace {
  readonly place: QuotePlace | undefined;
  /** No other place can be nearer, when all up to this line were looked at. */
  isSettledAt(line: number): boolean;
  /** All lines around those that were named, up to this distance, were looked at. */
  isSettledWithin(lines: number): boolean;
  offer(place: QuotePlace): void;
}

/** Keeps the nearest place to the lines that were named: one among them, or else the one that is the fewest lines away. */
export function nearestPlace({ start_line: start, end_line: end }: EvidenceClaim): NearestPlace {
  let best: { place: QuotePlace; distance: number } | undefined;
  return {
    get place() {
      return best?.place;
    },
    isSettledAt: (line) => best !== undefined && line - end > best.distance,
    isSettledWithin: (lines) => best !== undefined && best.distance <= lines,
    offer(place) {
      const { startLine } = place;
      const distance = Math.max(0, start - startLine, startLine - end);
      // Of two that are as near, the one before: it is offered first.
      if (!best || distance < best.distance) best = { place, distance };
    },
  };
}
