import { LONGEST_CODE_POINT, LONGEST_ESCAPE, ViewDecoder, type ViewOffsets } from '../json/text-view.ts';

/**
 * Metadata of an object that contains JSON whose lines are the lines of its text view: content to save, or bytes read from an
 * artifact. `offsets` says where the decoded lines of a window are stored.
 */
export interface TextView {
  offsets?: ViewOffsets;
}

const views = new WeakMap<object, TextView>();

/**
 * Stores the view outside of the object. Applications can see everything in the object, and they cannot mark content
 * themselves. So only values that this library has written get a view, and never foreign text.
 */
export function withTextView<Read extends object>(read: Read, view: TextView = {}): Read {
  views.set(read, view);
  return read;
}

/** The view of the object; `undefined` if lines are counted in the stored bytes. */
export function textViewOf(read: object): TextView | undefined {
  return views.get(read);
}

/** The text view of an artifact that is read from its beginning. */
export async function* decodedView(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const decoder = new ViewDecoder();
  for await (const chunk of chunks) {
    // An escape that started in the previous chunk is decoded with this one.
    const view = new Uint8Array(chunk.length + LONGEST_ESCAPE + LONGEST_CODE_POINT);
    const { written } = decoder.decodeInto(chunk, view);
    decoder.offsets.forget(decoder.length);
    yield view.subarray(0, written);
  }
}
