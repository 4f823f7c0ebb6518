import { bytePieces, codePointBorder, decodeText } from '../text/utf.ts';

/** Records in batches of a few hundred. If they cannot be read to their end, reading ends with a `RecordError`. */
export interface Records extends AsyncIterable<unknown[]> {
  /** Names the fields that will be read, before the first record is read. Without this call, all fields are read. */
  use?(names: readonly string[]): void;
  /** The place of the records in a JSON document, in words, after they were read. */
  place?(): string | undefined;
  /** A sentence about other places with records. */
  others?(): string | undefined;
  /** Facts for the model about the records read so far. */
  notes?(): string[];
}

/** Replaces a batch if the previous records came from the wrong place. The correct records follow. */
export const START_AGAIN: unknown[] = [];

/** Opens the bytes of an artifact, all or a range of them. */
export type OpenBytes = (range?: { start: number; end: number }) => AsyncIterable<Uint8Array>;

/** The bytes that one step decodes, scans and parses: about 300 records. */
const PIECE_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Bytes as text, in pieces that each take one short step, without the byte order mark of UTF-8. Each piece is decoded separately,
 * so that ASCII takes one byte per character. With `stream: true`, it takes two.
 */
export async function* textsOf(
  bytes: AsyncIterable<Uint8Array>,
  { onMark }: { onMark?: () => void } = {},
): AsyncGenerator<string> {
  /** The last character unless it is ASCII, because its end may be in the next piece. */
  let rest: Uint8Array = new Uint8Array();
  let isFirst = true;
  const withoutMark = (text: string): string => {
    const start = isFirst && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    if (start > 0) onMark?.();
    isFirst = false;
    return text.slice(start);
  };
  for await (const chunk of bytes) {
    for (const piece of bytePieces(chunk, PIECE_BYTES)) {
      const joined = rest.length === 0 ? piece : joinBytes(rest, piece);
      const last = joined.length - 1;
      const end = (joined[last] as number) < 0x80 ? joined.length : codePointBorder(joined, last);
      // Copied because the source may fill the same chunk again.
      rest = joined.slice(end);
      const text = decodeText(joined.subarray(0, end));
      if (text !== '') yield withoutMark(text);
    }
  }
  if (rest.length > 0) yield withoutMark(decodeText(rest));
}

function joinBytes(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}
