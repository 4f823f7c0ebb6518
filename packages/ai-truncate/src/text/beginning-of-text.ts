import { codePointStart } from './byte-length.ts';

/** The first characters of a text, exactly: no ellipsis, and never half a pair. */
export function beginningOfText(text: string, maxChars: number): string {
  return text.slice(0, codePointStart(text, Math.min(maxChars, text.length)));
}
