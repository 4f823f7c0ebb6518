import { decodeText } from '../text/utf.ts';
import { contentKind, isReadable } from '../windows/content.ts';
import { ReaderRefusal } from './artifact-reader.ts';
import { readerErrors } from './reader-words.ts';

const LOOKED_AT = 1024;

/** The same bytes; refused where their beginning tells that they are no text, of which any table would be made up. */
export async function* readableOnly(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let beginning: Uint8Array[] | undefined = [];
  let length = 0;
  for await (const chunk of bytes) {
    if (!beginning) {
      yield chunk;
      continue;
    }
    beginning.push(chunk);
    length += chunk.length;
    if (length < LOOKED_AT) continue;
    requireReadable(beginning);
    yield* beginning;
    beginning = undefined;
  }
  if (!beginning) return;
  requireReadable(beginning);
  yield* beginning;
}

function requireReadable(beginning: readonly Uint8Array[]): void {
  const first = new Uint8Array(LOOKED_AT);
  let length = 0;
  for (const chunk of beginning) {
    const part = chunk.subarray(0, LOOKED_AT - length);
    first.set(part, length);
    length += part.length;
  }
  const kind = contentKind(decodeText(first.subarray(0, length)));
  if (isReadable(kind)) return;
  throw new ReaderRefusal({ code: 'BINARY_FILE', message: readerErrors.binary(kind), next: readerErrors.askPerson });
}
