import { IncompleteArtifactError } from './artifact-errors.ts';

export interface WholeStreamOptions {
  name: string;
  /** As many as must come, and no more. */
  bytes: number;
  signal: AbortSignal | undefined;
}

/**
 * The stream, ending with an error when fewer or more bytes come than there must be, and with the reason of the signal also
 * while the store stands still. Reads only when asked.
 */
export function wholeStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  { name, bytes: expected, signal }: WholeStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  let bytes = 0;
  let onAbort = () => {};
  const settled = () => signal?.removeEventListener('abort', onAbort);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        onAbort = () => {
          controller.error(signal?.reason);
          // What cancelling throws is dropped: the consumer has the reason.
          reader.cancel(signal?.reason).catch(() => {});
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (signal?.aborted) return;
        if (!done) {
          bytes += value.length;
          if (bytes <= expected) return controller.enqueue(value);
          const error = new IncompleteArtifactError(name, { bytes, expected });
          settled();
          reader.cancel(error).catch(() => {});
          throw error;
        }
        settled();
        if (bytes < expected) throw new IncompleteArtifactError(name, { bytes, expected });
        controller.close();
      },
      cancel(reason) {
        settled();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
