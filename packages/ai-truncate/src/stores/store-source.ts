/** The body of a `put`, read chunk by chunk and counted. */
export interface Source {
  /** `undefined` at the end. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** How many have come so far. */
  bytes: number;
  isDone: boolean;
  /** What the body threw: some clients hide it behind an error of their own. */
  failure: { error: unknown } | undefined;
  /** Tells a body that was not read to its end that nobody will. */
  close(): void;
}

export function openSource(body: AsyncIterable<Uint8Array<ArrayBuffer>>): Source {
  const chunks = chunksOf(body);
  const source: Source = {
    bytes: 0,
    isDone: false,
    failure: undefined,
    async next() {
      try {
        const { done, value } = await chunks.next();
        if (done) source.isDone = true;
        else source.bytes += value.length;
        return done ? undefined : value;
      } catch (error) {
        source.failure = { error };
        throw error;
      }
    },
    close() {
      // Not awaited: it may wait for a chunk that never comes.
      chunks.return(undefined).catch(() => {});
    },
  };
  return source;
}

/** Always a generator: an iterator need not have a `return`, or may throw there. */
async function* chunksOf(
  body: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  yield* body;
}
