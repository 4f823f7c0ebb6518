import type { Artifacts } from '../../artifacts/artifacts.ts';
import { pace } from '../../pace.ts';
import { codePointStart } from '../../text/utf.ts';
import { escapeSequencesIn, MAX_CUT_SEQUENCE } from '../../text/visible-text.ts';
import type { QuoteLookup } from './quote-lookup.ts';
import { REACH_CHARS } from './quote-places.ts';
import { type QuotedText, quotedText } from './quoted-text.ts';

/** What may still be read, of all artifacts together. */
export interface SearchBudget {
  bytes: number;
}

/** What is decoded at a time: most windows are known at a glance to have no quote. */
const WINDOW_CHARS = 64 * 1024;
/** Of a window, again with the next one: twice what a quote can have, as colours take room too, and one that is cut off. */
const OVERLAP_CHARS = 2 * REACH_CHARS + MAX_CUT_SEQUENCE;
const PIECE_BYTES = 64 * 1024;

/**
 * Looks for quotes in a whole artifact, for all of them in one pass, so that those that are nowhere cost the others no time. Each
 * finds its nearest place. Tells whether it came to the end: if not, what was not found may still be there.
 */
export async function searchQuotes(
  artifacts: Artifacts,
  path: string,
  { lookups, budget, abortSignal }: { lookups: readonly QuoteLookup[]; budget: SearchBudget; abortSignal: AbortSignal },
): Promise<boolean> {
  let open = sameQuotes(lookups);
  const stream = await artifacts.readStream(path, { abortSignal });
  const windows = textWindows(withinBudget(stream, budget));
  for await (const _ of pace(steps(), { abortSignal }));
  return budget.bytes > 0;

  /** Yields wherever a pause may be made. */
  async function* steps(): AsyncGenerator<void> {
    for await (const text of windows) {
      open = open.filter((same) => !same.every(({ nearest }) => nearest.isSettledAt(text.firstLine)));
      if (open.length === 0) return;
      for (const same of open) {
        yield;
        const quote = same[0]?.quote;
        if (!quote?.mayStandIn(text)) continue;
        for (const place of quote.placesIn(text)) {
          if (place) for (const { nearest } of same) nearest.offer(place);
          else yield;
        }
      }
    }
  }
}

/** A quote that is claimed of many places is looked for once. */
function sameQuotes(lookups: readonly QuoteLookup[]): QuoteLookup[][] {
  const groups = new Map<string, QuoteLookup[]>();
  for (const lookup of lookups) {
    const key = `${lookup.claim.isCut} ${lookup.claim.quote}`;
    groups.set(key, [...(groups.get(key) ?? []), lookup]);
  }
  return [...groups.values()];
}

async function* withinBudget(stream: AsyncIterable<Uint8Array>, budget: SearchBudget): AsyncGenerator<Uint8Array> {
  if (budget.bytes <= 0) return;
  for await (const chunk of stream) {
    budget.bytes -= chunk.length;
    yield chunk;
    if (budget.bytes <= 0) return;
  }
}

/** The text of an artifact in windows that overlap, so that nothing short is cut in all of them. */
async function* textWindows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<QuotedText> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let stored = '';
  let firstLine = 1;
  let isBegun = true;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      stored += decoder.decode(chunk.subarray(at, at + PIECE_BYTES), { stream: true });
      if (stored.length < WINDOW_CHARS) continue;
      yield quotedText(stored, { firstLine, isBegun, isEnded: false });
      const cut = startOutsideSequence(stored, codePointStart(stored, stored.length - OVERLAP_CHARS));
      firstLine += newlinesBefore(stored, cut);
      stored = stored.slice(cut);
      isBegun = false;
    }
  }
  yield quotedText(stored + decoder.decode(), { firstLine, isBegun, isEnded: true });
}

/** The same place, or the start of the sequence around it: the rest of one would be shown as text. */
function startOutsideSequence(text: string, at: number): number {
  const from = Math.max(0, at - MAX_CUT_SEQUENCE);
  const around = escapeSequencesIn(text.slice(from, at + MAX_CUT_SEQUENCE)).find(
    ({ start, end }) => from + start < at && at < from + end,
  );
  return around ? from + around.start : at;
}

function newlinesBefore(text: string, end: number): number {
  let count = 0;
  for (let feed = text.indexOf('\n'); feed !== -1 && feed < end; feed = text.indexOf('\n', feed + 1)) count++;
  return count;
}
