import { quotePattern } from './quote-pattern.ts';
import { placesOfWording, type QuotePlace } from './quote-places.ts';
import { barestText, quoteWordings } from './quote-wordings.ts';
import type { QuotedText } from './quoted-text.ts';

/** A quote that can be looked for. */
export interface SoughtQuote {
  /** Quick, and says no to most texts that do not have it: its longest words are not all there. */
  mayStandIn(text: QuotedText): boolean;
  /** All places, not those that lie in others. Nothing, where a pause may be made: so far no step was long. */
  placesIn(text: QuotedText): Iterable<QuotePlace | undefined>;
  /** How much it says: in letters, of which those of Chinese, Japanese and Korean count twice. */
  weight: number;
}

/** Prepares a quote, once for all the texts in which it is looked for. */
export function soughtQuote(quote: string, options: { isCut: boolean }): SoughtQuote {
  const wordings = quoteWordings(quote, options);
  const patterns = wordings.map((wording) => ({ wording, pattern: quotePattern(wording) }));
  const barest = barestText(wordings);
  const words = wordsToLookFor(barest);
  return {
    weight: weightOf(barest),
    mayStandIn: ({ raw }) => patterns.length > 0 && words.every((forms) => forms.some((form) => raw.includes(form))),
    *placesIn(text) {
      for (const { wording, pattern } of patterns) yield* placesOfWording(text, { wording, pattern });
    },
  };
}

const MAX_WORDS = 4;

/** The longest words, as they may be stored. Whoever writes them apart, or in colours, writes no words. */
function wordsToLookFor(quote: string): string[][] {
  const plain = quote.replace(/\\u\{[0-9a-f]+\}|&lt;/g, ' ');
  const words = plain.match(/[a-z0-9]+/gi) ?? plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const longest = [...words].sort((one, other) => other.length - one.length).slice(0, MAX_WORDS);
  return longest.map((word) => [...new Set([word, word.normalize('NFD')])]);
}

function weightOf(quote: string): number {
  const letters = quote.replace(/\s+/g, '');
  return letters.length + (letters.match(WIDE)?.length ?? 0);
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
