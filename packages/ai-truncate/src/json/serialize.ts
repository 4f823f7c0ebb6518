import { textPieces } from '../text/utf.ts';
import { JsonWalk, MAX_CHUNK_LENGTH } from './json-walk.ts';

/** The text of a value, in chunks that are made as they are pulled, once. */
export type SerializedOutput = {
  mediaType: 'text/plain' | 'application/json';
  chunks: Iterable<string>;
  /** After the last chunk: a list had another length at its end, or a member was gone. What changes otherwise is not seen. */
  hasChanged: () => boolean;
};

/** How the JSON of a value looks. */
export type SerializeOptions = {
  /** Spaces per level, as in `JSON.stringify`; 0 is compact. @default 0 */
  indent?: number;
};

/**
 * Turns any value into text: a string as it is, everything else as JSON. It exists because `JSON.stringify` blocks, and
 * throws on a cycle, a BigInt or a deep value. This never throws and never takes a long step between two chunks (some are
 * empty, so that a driver can pause); on plain data the text is that of `JSON.stringify(value, null, indent)`, byte for
 * byte, up to 64 indented levels. What JSON cannot carry is said in place: `"[Circular]"`, `"[Function: name]"`.
 *
 * Two steps are as long as the value makes them: listing the keys of one object (once, but JavaScript cannot do it in
 * parts: a million keys take 200 ms), and what a getter or `toJSON` does itself.
 *
 * @example
 * const { mediaType, chunks } = serialize({ rows: [1, 2, 3] });
 * for (const chunk of chunks) process.stdout.write(chunk);
 */
export function serialize(value: unknown, options: SerializeOptions = {}): SerializedOutput {
  if (typeof value === 'string') {
    return { mediaType: 'text/plain', chunks: textPieces(value, MAX_CHUNK_LENGTH), hasChanged: () => false };
  }
  const walk = new JsonWalk(options);
  return { mediaType: 'application/json', chunks: walk.chunks(value), hasChanged: () => walk.hasChanged };
}

/**
 * What the SDK sends for a value, `undefined` when it cannot: `JSON.stringify` throws, or goes on for more than `maxChars`.
 * Every visit writes a character at least, so that a Buffer or a sparse array ends it early.
 */
export function compactJson(value: unknown, maxChars: number): string | undefined {
  let visits = 0;
  try {
    // A value that JSON leaves out, `undefined` for instance, the SDK sends as null.
    return (
      JSON.stringify(value, (_, item: unknown) => {
        if (++visits > maxChars) throw new RangeError('too large');
        return item;
      }) ?? 'null'
    );
  } catch {
    return undefined;
  }
}
