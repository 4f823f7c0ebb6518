import type { Artifacts } from '../../artifacts/artifacts.ts';
import { inTurns, pace, type Steps } from '../../pace.ts';
import { isPath, type UsableClaim } from './evidence.ts';
import { barestText, longestWords, quotePattern, quoteWordings, weightOf } from './quote-pattern.ts';
import { placesOfWording, type QuotedText, type QuotePlace, quotedText, quotedTexts } from './quote-places.ts';

/** A claim that is being looked up. */
export interface QuoteLookup {
  claim: UsableClaim;
  /** The nearest to the named lines, of all places that were found until now. */
  place?: QuotePlace;
  /** How many lines it is away from them. */
  distance: number;
  /** Whether it may count outside of the lines that were named. */
  isLong: boolean;
  /** Quick, and says no to most texts that do not have the quote: its longest words are not all there. */
  mayBeIn(text: QuotedText): boolean;
  /** All places, not those that lie in others. Nothing, where a pause may be made. */
  placesIn(text: QuotedText): Iterable<QuotePlace | undefined>;
}

/** Shorter ones stand somewhere in any artifact: it proves nothing that they do. */
const MIN_WEIGHT = 8;
const MAX_LINES_OF_SHORT = 10;

/** Begins to look a claim up; nothing, for what cannot be true wherever one looks. */
export function quoteLookup(claim: UsableClaim): QuoteLookup | undefined {
  const patterns = quoteWordings(claim.quote, claim).map(quotePattern);
  const barest = barestText(patterns);
  const isLong = weightOf(barest) >= MIN_WEIGHT;
  const isNarrow = claim.end_line - claim.start_line < MAX_LINES_OF_SHORT;
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

/** Remembers the place if it is the nearest: one among the named lines, or else the one that is the fewest lines away. */
function offer(lookup: QuoteLookup, place: QuotePlace): void {
  const { start_line, end_line } = lookup.claim;
  const distance = Math.max(0, start_line - place.startLine, place.startLine - end_line);
  // Of two that are as near, the one before: it is offered first.
  if (distance < lookup.distance) Object.assign(lookup, { place, distance });
}

const MAX_WINDOW_LINES = 200;
const MAX_WINDOW_BYTES = 64 * 1024;
/** Models count badly. */
const LINES_AROUND = 5;
const MAX_LINES_OF_QUOTE = 60;
/** Where JSON may break a line. */
const MAY_BREAK = /[\n,{}[\]]/;

/**
 * Looks for a quote at the lines that were named. Tells whether that is the end of it: the quote is there, or it is so short that
 * it counts nowhere else. If not, what was found stands for the nearest place until now.
 */
export async function findAtNamedLines(
  artifacts: Artifacts,
  path: string,
  { lookup, abortSignal }: { lookup: QuoteLookup; abortSignal: AbortSignal },
): Promise<boolean> {
  const { claim, isLong } = lookup;
  const start = Math.max(1, claim.start_line - LINES_AROUND);
  // A quote can stand on more lines than it is written in, also when it begins on the last one.
  const behind = LINES_AROUND + Math.min(MAX_LINES_OF_QUOTE, claim.quote.split(MAY_BREAK).length);
  const count = Math.min(claim.end_line - start + 1 + behind, MAX_WINDOW_LINES);
  const range = { start, count, maxBytes: MAX_WINDOW_BYTES, abortSignal };
  const { lines, nextLine = Number.POSITIVE_INFINITY } = await artifacts.readLines(path, range);
  const cut = lines.findIndex(({ bytes, shownBytes }) => shownBytes < bytes);
  const whole = cut === -1 ? lines : lines.slice(0, cut + 1);
  const [first] = whole;
  if (!first) return !isLong;
  const stored = whole.map(({ text }) => text).join('\n');
  const text = quotedText(stored, { firstLine: first.number, isBegun: true, isEnded: cut === -1 });
  // Twenty claims are looked up at once, and each of them in small steps: together they may not take more than one slice.
  await inTurns(steps());
  const isAllSeen = cut === -1 && nextLine > claim.end_line + LINES_AROUND;
  return !isLong || lookup.distance <= (isAllSeen ? LINES_AROUND : 0);

  function* steps(): Steps<void> {
    for (const place of lookup.placesIn(text)) {
      abortSignal.throwIfAborted();
      const isNamed = place && place.startLine >= claim.start_line && place.startLine <= claim.end_line;
      if (place && (isLong || isNamed)) offer(lookup, place);
      yield;
    }
  }
}

/** What may still be read, of all artifacts together. */
export interface SearchBudget {
  bytes: number;
}

interface EverywhereOptions {
  lookups: readonly QuoteLookup[];
  budget: SearchBudget;
  abortSignal: AbortSignal;
}

/**
 * Looks for quotes in a whole artifact, for all of them in one pass, so that those that are nowhere cost the others no time.
 * Tells whether it came to the end: if not, what was not found may still be there.
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

  /** Yields wherever a pause may be made. */
  async function* steps(): AsyncGenerator<void> {
    for await (const text of quotedTexts(withinBudget(stream, budget))) {
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

/** A quote that is claimed of many places is searched once. */
function sameQuotes(lookups: readonly QuoteLookup[]): QuoteLookup[][] {
  const groups = new Map<string, QuoteLookup[]>();
  for (const lookup of lookups) {
    const key = `${lookup.claim.isCut} ${lookup.claim.quote}`;
    groups.set(key, [...(groups.get(key) ?? []), lookup]);
  }
  return [...groups.values()];
}

/** Whether a place from this line on can be nearer than the one that was found. */
function mayBeNearer({ claim, distance }: QuoteLookup, line: number): boolean {
  return line - claim.end_line <= distance;
}

async function* withinBudget(stream: AsyncIterable<Uint8Array>, budget: SearchBudget): AsyncGenerator<Uint8Array> {
  if (budget.bytes <= 0) return;
  for await (const chunk of stream) {
    budget.bytes -= chunk.length;
    yield chunk;
    if (budget.bytes <= 0) return;
  }
}
