/** Hands values on from callbacks to a loop that may be slower: it gets the latest, those before it are dropped. */
export interface LatestValues<Value> {
  push(value: Value): void;
  /** The loop ends. */
  close(): void;
  values(): AsyncGenerator<Value>;
}

export function latestValues<Value>(): LatestValues<Value> {
  let waiting: { value: Value } | undefined;
  let isClosed = false;
  let wake = () => {};
  return {
    push(value) {
      waiting = { value };
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
    async *values() {
      while (true) {
        if (waiting) {
          const { value } = waiting;
          waiting = undefined;
          yield value;
        } else if (isClosed) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
