import { firstChars } from '../../text/utf.ts';
import { withVisibleSequences } from '../../text/visible-text.ts';

/** Of a quote, whoever said it. */
export const MAX_QUOTE_CHARS = 500;

/** What a page may show of a quote that nobody found: what is hidden in it becomes visible, and nothing of it is left out. */
export function evidenceQuote(quote: string): string {
  return firstChars(withVisibleSequences(quote), MAX_QUOTE_CHARS);
}
