/** Text as a stream that is made as fast as it is read: a tool that returns it never holds all of it. */
export function toStream(chunks: Iterator<string>): ReadableStream<string> {
  return new ReadableStream<string>(
    {
      pull(controller) {
        const { done, value } = chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 1 },
  );
}
