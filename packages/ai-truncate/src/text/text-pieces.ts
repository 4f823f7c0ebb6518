import { codePointStart } from './byte-length.ts';

/** Text in pieces of at most `maxUnits` (two or more) UTF-16 units, never cut between two surrogates. */
export function* textPieces(text: string, maxUnits: number): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = codePointStart(text, Math.min(start + maxUnits, text.length));
    yield text.slice(start, end);
    start = end;
  }
}
