import { IncompleteArtifactError } from './artifact-errors.ts';

/** The stream, ending with an error when it ends before as many bytes have come as there must be. */
export function wholeStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  { name, bytes: expected }: { name: string; bytes: number },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.length;
      controller.enqueue(chunk);
    },
    flush() {
      if (bytes < expected) throw new IncompleteArtifactError(name, { bytes, expected });
    },
  });
  return stream.pipeThrough(counter);
}
