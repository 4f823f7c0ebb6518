/** An agent that is called may call another one; that one may not. */
export const MAX_TASK_DEPTH = 2;

/** What of `AsyncLocalStorage` is used. */
interface Storage {
  getStore(): number | undefined;
  run<Result>(depth: number, work: () => Result): Result;
}

/**
 * How deep the running code is, whoever called it and however: neither a model nor a signal that the SDK joins with another can
 * lose it. Asked for at run time, as the SDK does: browsers have none, and there every call counts as one of the main agent.
 */
const storage = createStorage();

function createStorage(): Storage | undefined {
  const { AsyncLocalStorage, process } = globalThis as {
    AsyncLocalStorage?: new () => Storage;
    process?: { getBuiltinModule?: (name: string) => { AsyncLocalStorage: new () => Storage } | undefined };
  };
  const Found = AsyncLocalStorage ?? process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
  return Found && new Found();
}

/** 0 in the main agent, 1 in one that it called. */
export function currentDepth(): number {
  return storage?.getStore() ?? 0;
}

/** Runs each step of a source, and all that comes of it, at this depth. */
export function atDepth<Value>(depth: number, open: () => AsyncIterable<Value>): AsyncIterable<Value> {
  const inside = <Result>(work: () => Result) => (storage ? storage.run(depth, work) : work());
  return {
    [Symbol.asyncIterator]() {
      const iterator = inside(() => open()[Symbol.asyncIterator]());
      return {
        // A generator runs where its next step is asked for, not where it was made.
        next: () => inside(() => iterator.next()),
        return: async () => inside(() => iterator.return?.(undefined)) ?? { done: true, value: undefined },
      };
    },
  };
}
