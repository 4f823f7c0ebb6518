/** Hands items from a writer to a reader, one at a time. */
export interface Channel<Item> extends AsyncIterable<Item> {
  /** Resolves when the reader is done with the item: asks for the next, or leaves. `undefined` when nobody reads any more. */
  write(item: Item): Promise<void> | undefined;
  end(): void;
  /** Nobody takes any more. */
  close(): void;
}

export function createChannel<Item>(): Channel<Item> {
  type Result = IteratorResult<Item, undefined>;
  const over: Result = { done: true, value: undefined };
  let offered: { item: Item } | undefined;
  /** Of the item that is offered, or that the reader works with. */
  let onDone: (() => void) | undefined;
  let reader: ((result: Result) => void) | undefined;
  let isEnded = false;
  let isClosed = false;

  function tellDone(): void {
    onDone?.();
    onDone = undefined;
  }

  function close(): void {
    isClosed = true;
    offered = undefined;
    tellDone();
    reader?.(over);
    reader = undefined;
  }

  return {
    write(item) {
      if (isClosed) return undefined;
      if (reader) {
        reader({ done: false, value: item });
        reader = undefined;
      } else {
        offered = { item };
      }
      return new Promise((resolve) => {
        onDone = resolve;
      });
    },
    end() {
      isEnded = true;
      reader?.(over);
      reader = undefined;
    },
    close,
    [Symbol.asyncIterator]: () => ({
      next() {
        if (offered) {
          const { item } = offered;
          offered = undefined;
          return Promise.resolve<Result>({ done: false, value: item });
        }
        tellDone();
        if (isEnded || isClosed) return Promise.resolve(over);
        return new Promise<Result>((resolve) => {
          reader = resolve;
        });
      },
      async return() {
        close();
        return over;
      },
    }),
  };
}
