import type { Artifacts } from '../../artifacts/artifacts.ts';
import { decodedView, textViewOf } from '../../artifacts/text-views.ts';
import { inTurns, pace, type Steps } from '../../pace.ts';
import { isPath, type UsableClaim } from './evidence.ts';
import { barestText, longestWords, quotePattern, quoteWordings, weightOf } from './quote-pattern.ts';
import { placesOfWording, type QuotedText, type QuotePlace, quotedText, quotedTexts } from './quote-places.ts';

/** A claim that is being looked up. */
export interface QuoteLookup {
  claim: UsableClaim;
  /** The place nearest to the named lines so far. */
  place?: QuotePlace;
  /** The number of lines between that place and the named lines. */
  distance: number;
  /** Whether the quote is long enough to count outside of the named lines. */
  isLong: boolean;
  /** A fast check that excludes most texts: the longest words of the quote must all be in the text. */
  mayBeIn(text: QuotedText): boolean;
  /** All places that do not overlap. Yields `undefined` where a pause is possible. */
  placesIn(text: QuotedText): Iterable<QuotePlace | undefined>;
}

/** Shorter quotes are somewhere in any artifact, so finding them proves nothing. */
const MIN_WEIGHT = 8;
const MAX_LINES_OF_SHORT = 10;

/** The lookup of a claim; `undefined` for a claim that cannot be true. */
export function quoteLookup(claim: UsableClaim): QuoteLookup | undefined {
  const patterns = quoteWordings(claim.quote, claim).map(quotePattern);
  const barest = barestText(patterns);
  const isLong = weightOf(barest) >= MIN_WEIGHT;
  const isNarrow = claim.endLine - claim.startLine < MAX_LINES_OF_SHORT;
  if (patterns.length === 0 || !isPath(claim.path) || !(isLong || isNarrow)) return undefined;
  const words = longestWords(barest);
  return {
    claim,
    distance: Number.POSITIVE_INFINITY,
    isLong,
    mayBeIn: ({ raw }) => words.every((forms) => forms.some((form) => raw.includes(form))),
    *placesIn(text) {
      for (const each of patterns) yield* placesOfWording(text, each);
    },
  };
}

/** Remembers the place if it is the nearest to the named lines so far. */
function offer(lookup: QuoteLookup, place: QuotePlace): void {
  const { startLine, endLine } = lookup.claim;
  const distance = Math.max(0, startLine - place.startLine, place.startLine - endLine);
  // If two places are equally near, the first one wins.
  if (distance < lookup.distance) Object.assign(lookup, { place, distance });
}

const MAX_WINDOW_LINES = 200;
const MAX_WINDOW_BYTES = 64 * 1024;
/** Lines that are searched before and after the named ones, because models count badly. */
const LINES_AROUND = 5;
const MAX_LINES_OF_QUOTE = 60;
/** The places in JSON where a layout may break the line. */
const MAY_BREAK = /[\n,{}[\]]/;

/**
 * Looks for a quote at the named lines. Resolves with `true` when the claim is decided: the quote is there, or it is too short to
 * count elsewhere. Otherwise the lookup holds the nearest place so far.
 */
export async function findAtNamedLines(
  artifacts: Artifacts,
  path: string,
  { lookup, abortSignal }: { lookup: QuoteLookup; abortSignal: AbortSignal },
): Promise<boolean> {
  const { claim, isLong } = lookup;
  const start = Math.max(1, claim.startLine - LINES_AROUND);
  // In the artifact, a quote can have more lines than in the claim, even when it begins on the last one.
  const after = LINES_AROUND + Math.min(MAX_LINES_OF_QUOTE, claim.quote.split(MAY_BREAK).length);
  const count = Math.min(claim.endLine - start + 1 + after, MAX_WINDOW_LINES);
  const range = { start, count, maxBytes: MAX_WINDOW_BYTES, abortSignal };
  const { lines, nextLine = Number.POSITIVE_INFINITY } = await artifacts.readLines(path, range);
  const cut = lines.findIndex(({ bytes, shownBytes }) => shownBytes < bytes);
  const whole = cut === -1 ? lines : lines.slice(0, cut + 1);
  const [first] = whole;
  if (!first) return !isLong;
  const stored = whole.map(({ text }) => text).join('\n');
  const text = quotedText(stored, { firstLine: first.number, isBegun: true, isEnded: cut === -1 });
  // Twenty claims are looked up at once. They take small steps in turns, so that together they use one time slice.
  await inTurns(steps());
  const isAllSeen = cut === -1 && nextLine > claim.endLine + LINES_AROUND;
  return !isLong || lookup.distance <= (isAllSeen ? LINES_AROUND : 0);

  function* steps(): Steps<void> {
    for (const place of lookup.placesIn(text)) {
      abortSignal.throwIfAborted();
      const isNamed = place && place.startLine >= claim.startLine && place.startLine <= claim.endLine;
      if (place && (isLong || isNamed)) offer(lookup, place);
      yield;
    }
  }
}

/** The bytes that may still be read from all artifacts together. */
export interface SearchBudget {
  bytes: number;
}

interface EverywhereOptions {
  lookups: readonly QuoteLookup[];
  budget: SearchBudget;
  abortSignal: AbortSignal;
}

/**
 * Looks for all quotes of one artifact in one pass, so that missing quotes cost the others no time. Resolves with `false` when the
 * budget ended the search early, so that missing quotes may still be in the rest.
 */
export async function findEverywhere(
  artifacts: Artifacts,
  path: string,
  { lookups, budget, abortSignal }: EverywhereOptions,
): Promise<boolean> {
  let open = sameQuotes(lookups);
  const stream = await artifacts.readStream(path, { abortSignal });
  for await (const _ of pace(steps(), { abortSignal }));
  return budget.bytes > 0;

  /** Yields where a pause is possible. */
  async function* steps(): AsyncGenerator<void> {
    const chunks = withinBudget(stream, budget);
    for await (const text of quotedTexts(textViewOf(stream) ? decodedView(chunks) : chunks)) {
      open = open.filter((same) => same.some((lookup) => mayBeNearer(lookup, text.firstLine)));
      if (open.length === 0) return;
      for (const same of open) {
        yield;
        const [lookup] = same;
        if (!lookup?.mayBeIn(text)) continue;
        for (const place of lookup.placesIn(text)) {
          if (place) for (const each of same) offer(each, place);
          else yield;
        }
      }
    }
  }
}

/** Groups lookups of the same quote, so that it is searched once. */
function sameQuotes(lookups: readonly QuoteLookup[]): QuoteLookup[][] {
  const groups = new Map<string, QuoteLookup[]>();
  for (const lookup of lookups) {
    const key = `${lookup.claim.isCut} ${lookup.claim.quote}`;
    groups.set(key, [...(groups.get(key) ?? []), lookup]);
  }
  return [...groups.values()];
}

/** Whether a place from this line on can be nearer than the place that was found. */
function mayBeNearer({ claim, distance }: QuoteLookup, line: number): boolean {
  return line - claim.endLine <= distance;
}

async function* withinBudget(stream: AsyncIterable<Uint8Array>, budget: SearchBudget): AsyncGenerator<Uint8Array> {
  if (budget.bytes <= 0) return;
  for await (const chunk of stream) {
    budget.bytes -= chunk.length;
    yield chunk;
    if (budget.bytes <= 0) return;
  }
}
