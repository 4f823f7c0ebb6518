/** So much is scanned and parsed in one step: about 300 records. */
const PIECE_BYTES = 64 * 1024;

/** Bytes in pieces that are one short step each, however large the chunks of the source are. */
export async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

const MARK = [0xef, 0xbb, 0xbf];

/** Without the mark that may stand before UTF-8. It can come byte by byte. */
export async function* withoutByteOrderMark(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of bytes) {
    if (seen === MARK.length) {
      yield chunk;
      continue;
    }
    let at = 0;
    while (seen < MARK.length && at < chunk.length && chunk[at] === MARK[seen]) {
      at++;
      seen++;
    }
    if (at === chunk.length) continue;
    // It began like the mark and is none: what was held back belongs to the text.
    if (seen < MARK.length && seen > at) yield Uint8Array.from(MARK.slice(0, seen - at));
    if (seen < MARK.length) yield chunk;
    else yield chunk.subarray(at);
    seen = MARK.length;
  }
  if (seen > 0 && seen < MARK.length) yield Uint8Array.from(MARK.slice(0, seen));
}
