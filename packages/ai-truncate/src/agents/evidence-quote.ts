import { withVisibleSequences } from '../truncation/visible-text.ts';

/** Of a quote, whoever said it. */
export const MAX_QUOTE_CHARS = 500;

/** What a page may show of a quote that nobody found: what is hidden in it becomes visible, and nothing of it is left out. */
export function evidenceQuote(quote: string): string {
  return beginningOfText(withVisibleSequences(quote), MAX_QUOTE_CHARS);
}

/** The beginning of a text, exactly: with an ellipsis it would not be a quote. Never half a surrogate pair. */
export function beginningOfText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
