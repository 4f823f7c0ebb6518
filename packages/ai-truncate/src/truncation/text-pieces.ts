/**
 * The last place at or before `end` where `text` can be cut without dividing a surrogate pair: half a pair becomes U+FFFD
 * as soon as the piece is encoded as UTF-8.
 */
export function pieceEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const unit = text.charCodeAt(end - 1);
  const isHighSurrogate = unit >= 0xd800 && unit <= 0xdbff;
  return isHighSurrogate ? end - 1 : end;
}

/** Text in pieces of at most `maxUnits` (two or more) UTF-16 units, never cut between two surrogates. */
export function* textPieces(text: string, maxUnits: number): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = pieceEnd(text, start + maxUnits);
    yield text.slice(start, end);
    start = end;
  }
}
