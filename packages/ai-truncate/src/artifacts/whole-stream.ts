import { AiTruncateError } from '../errors.ts';

/**
 * The stream of a store. It ends with an error when it has fewer or more bytes than expected, and with the reason of the signal
 * even while the store does not answer. It reads only when its consumer does.
 */
export function wholeStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  { name, bytes: expected, signal }: { name: string; bytes: number; signal: AbortSignal | undefined },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  let bytes = 0;
  /** Also ends a pending read. */
  function close(reason?: unknown): Promise<void> {
    signal?.removeEventListener('abort', onAbort);
    return reader.cancel(reason);
  }
  // Errors of cancelling are ignored, because the consumer has the reason.
  const onAbort = () => void close(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', onAbort, { once: true });
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        signal?.throwIfAborted();
        bytes += value?.length ?? 0;
        if (!done && bytes <= expected) return controller.enqueue(value);
        close().catch(() => {});
        if (bytes !== expected) throw incompleteRead(name, { bytes, expected });
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

/** The value was changed, or something other than the store answered. */
function incompleteRead(name: string, { bytes, expected }: { bytes: number; expected: number }): AiTruncateError {
  const message = `The store sent ${bytes} bytes instead of ${expected} bytes of \`${name}\`: it was cut off or changed. Read it again.`;
  return new AiTruncateError(message, { code: 'INCOMPLETE_READ' });
}
