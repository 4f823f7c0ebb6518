/**
 * Texts as a stream of bytes, made only when asked for. It opens with the first of them: what fails before that fails the
 * opening. A generator that waits cannot be closed, so a client that goes is told to `onCancel`, which has to end the wait.
 */
export async function lineStream(
  texts: AsyncGenerator<string>,
  { onCancel }: { onCancel: () => void },
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let first: IteratorResult<string> | undefined = await texts.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await texts.next());
        first = undefined;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        onCancel();
        await texts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
