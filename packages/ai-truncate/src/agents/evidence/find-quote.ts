import type { Artifacts } from '../../artifacts/artifacts.ts';
import { pace } from '../../pace.ts';
import type { QuoteLookup } from './quote-lookup.ts';
import { quotedText } from './quoted-text.ts';

const MAX_WINDOW_LINES = 200;
const MAX_WINDOW_BYTES = 64 * 1024;
/** Models count badly. */
const LINES_AROUND = 5;
const MAX_LINES_OF_QUOTE = 60;

/**
 * Looks for a quote at the lines that were named. Tells whether that is the end of it: the quote is there, or it is so short that
 * it counts nowhere else. If not, what was found stands for the nearest place until now.
 */
export async function findQuote(
  artifacts: Artifacts,
  path: string,
  { claim, quote, nearest, isLong, abortSignal }: QuoteLookup & { abortSignal: AbortSignal },
): Promise<boolean> {
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
  for await (const place of pace(quote.placesIn(text), { abortSignal })) {
    if (!place) continue;
    const isNamed = place.startLine >= claim.start_line && place.startLine <= claim.end_line;
    if (isLong || isNamed) nearest.offer(place);
  }
  const isAllSeen = cut === -1 && nextLine > claim.end_line + LINES_AROUND;
  return !isLong || nearest.isSettledWithin(isAllSeen ? LINES_AROUND : 0);
}

/** Where JSON may break a line. */
const MAY_BREAK = /[\n,{}[\]]/;
