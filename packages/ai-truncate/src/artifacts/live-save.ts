import { AiTruncateError } from '../errors.ts';
import type { ArtifactInfo } from './artifact-info.ts';
import type { Artifacts, SaveOptions } from './artifacts.ts';

export type SaveOutcome = { status: 'saved'; info: ArtifactInfo } | { status: 'failed'; error: unknown };

/** A save that is fed while an output flows. Whatever the store does, feeding it neither fails nor waits for ever. */
export interface LiveSave {
  /** Resolves when the store has taken the chunk, so that a fast source waits for it; at once when the save has failed. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** After the last chunk: waits until the store is done, but not longer than it may stand still. */
  finish(): Promise<SaveOutcome>;
  /** Why nothing will be kept, as soon as that is known. */
  readonly failure: unknown;
  /** The output failed: nothing of it is kept, and nobody waits for that. */
  abandon(reason: unknown): void;
}

export interface LiveSaveOptions extends SaveOptions {
  /** How long the store may stand still. */
  stallMs: number;
}

export function startSave(artifacts: Artifacts, options: LiveSaveOptions): LiveSave {
  const { stallMs, abortSignal, ...saveOptions } = options;
  const controller = new AbortController();
  const channel = createChannel<string | Uint8Array>();
  const outcome = artifacts.save(channel, { ...saveOptions, abortSignal: controller.signal }).then(
    (info): SaveOutcome => {
      settled();
      return { status: 'saved', info };
    },
    (error: unknown): SaveOutcome => {
      settled();
      reason ??= error;
      channel.close();
      return { status: 'failed', error };
    },
  );

  /** Gives up a store that stands still; `save` then ends with this reason. */
  async function unlessStalled(work: Promise<unknown>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stalled = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        giveUp(new SaveTimeoutError(stallMs));
        resolve();
      }, stallMs);
    });
    await Promise.race([work, stalled, givenUp]);
    clearTimeout(timer);
  }

  let reason: unknown;
  let tellGivenUp = () => {};
  const givenUp = new Promise<void>((resolve) => {
    tellGivenUp = resolve;
  });
  function giveUp(why: unknown): void {
    reason ??= why;
    controller.abort(why);
    channel.close();
    tellGivenUp();
    // A store that does not even end with its signal would otherwise leave a listener for as long as the chat lives.
    settled();
  }

  const onAbort = () => giveUp(abortSignal?.reason);
  const settled = () => abortSignal?.removeEventListener('abort', onAbort);
  if (abortSignal?.aborted) onAbort();
  else abortSignal?.addEventListener('abort', onAbort, { once: true });

  return {
    get failure() {
      return reason;
    },
    async write(chunk) {
      const taken = channel.write(chunk);
      if (taken) await unlessStalled(taken);
    },
    async finish() {
      channel.end();
      let settled: SaveOutcome | undefined;
      await unlessStalled(
        outcome.then((result) => {
          settled = result;
        }),
      );
      // A store that does not even end with its signal is left to itself.
      return settled ?? { status: 'failed', error: reason };
    },
    abandon: giveUp,
  };
}

interface Channel<Item> extends AsyncIterable<Item> {
  /** Resolves when the item was taken; `undefined` when it was taken at once, or nobody takes any more. */
  write(item: Item): Promise<void> | undefined;
  end(): void;
  /** Nobody takes any more. */
  close(): void;
}

/** Hands items from one who writes to one who reads, one at a time. */
function createChannel<Item>(): Channel<Item> {
  type Result = IteratorResult<Item, undefined>;
  const over: Result = { done: true, value: undefined };
  let offered: { item: Item; taken: () => void } | undefined;
  let reader: ((result: Result) => void) | undefined;
  let isEnded = false;
  let isClosed = false;

  function close(): void {
    isClosed = true;
    offered?.taken();
    offered = undefined;
    reader?.(over);
    reader = undefined;
  }

  return {
    write(item) {
      if (isClosed) return undefined;
      if (reader) {
        reader({ done: false, value: item });
        reader = undefined;
        return undefined;
      }
      return new Promise((taken) => {
        offered = { item, taken };
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
          const { item, taken } = offered;
          offered = undefined;
          taken();
          return Promise.resolve<Result>({ done: false, value: item });
        }
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

/** The store stood still for longer than it may. */
class SaveTimeoutError extends AiTruncateError {
  constructor(stallMs: number) {
    super(
      `The store stood still for ${stallMs} ms, so the output was not kept. Raise \`saveTimeoutMs\`, or look at the store.`,
      {
        code: 'STORE_TIMEOUT',
      },
    );
    this.name = 'SaveTimeoutError';
  }
}
