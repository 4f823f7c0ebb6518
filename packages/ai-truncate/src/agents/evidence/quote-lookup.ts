import { isPath, type UsableClaim } from './claim.ts';
import { type NearestPlace, nearestPlace } from './nearest-place.ts';
import { type SoughtQuote, soughtQuote } from './sought-quote.ts';

/** A claim that is being looked up. */
export interface QuoteLookup {
  claim: UsableClaim;
  quote: SoughtQuote;
  nearest: NearestPlace;
  /** Whether it may count outside of the lines that were named. */
  isLong: boolean;
}

/** Shorter ones stand somewhere in any artifact: it proves nothing that they do. */
const MIN_WEIGHT = 8;
const MAX_LINES_OF_SHORT = 10;

/** Begins to look a claim up; nothing, for what cannot be true wherever one looks. */
export function quoteLookup(claim: UsableClaim): QuoteLookup | undefined {
  const quote = soughtQuote(claim.quote, { isCut: claim.isCut });
  const isLong = quote.weight >= MIN_WEIGHT;
  const isNarrow = claim.end_line - claim.start_line < MAX_LINES_OF_SHORT;
  if (!isPath(claim.path) || !(isLong || isNarrow)) return undefined;
  return { claim, quote, nearest: nearestPlace(claim), isLong };
}
