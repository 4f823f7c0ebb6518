/**
 * The stream, telling when it fails: its status is sent already, so all a client sees is a broken connection. That the client
 * itself went is no failure. Reads only when asked.
 */
export function watchedStream(
  stream: ReadableStream<Uint8Array>,
  { signal, report }: { signal: AbortSignal; report: (error: unknown) => void },
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          if (!signal.aborted) report(error);
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
