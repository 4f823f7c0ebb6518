import { watchFor } from '../deadlines.ts';
import { AiTruncateError } from '../errors.ts';
import { inTurn } from '../pace.ts';
import type { ArtifactInfo } from './artifact-info.ts';
import type { Artifacts, SaveOptions } from './artifacts.ts';

export type SaveOutcome = { status: 'saved'; info: ArtifactInfo } | { status: 'failed'; error: unknown };

/** A save that is fed while an output flows. Whatever the store does, feeding it neither fails nor waits for ever. */
export interface LiveSave {
  /**
   * Resolves when the chunk is copied, so that its owner may fill the same buffer anew, and a fast source waits for a slow store;
   * at once when the save has failed. One at a time, and small ones: a store that needs longer for one is taken to stand still.
   */
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

  let reason: unknown;
  let tellGivenUp = () => {};
  const givenUp = new Promise<void>((resolve) => {
    tellGivenUp = resolve;
  });
  /** Ends all that waits; `save` then ends with this reason. */
  function giveUp(why: unknown): void {
    reason ??= why;
    controller.abort(why);
    channel.close();
    stall.forget();
    tellGivenUp();
    // A store that does not even end with its signal would otherwise leave a listener for as long as the chat lives.
    settled();
  }
  // Thousands that wait for the same store are given up in the same moment: together that is one long turn.
  const stall = watchFor(stallMs, () => void inTurn(() => stall.isLate() && giveUp(new SaveTimeoutError(stallMs))));

  const onAbort = () => giveUp(abortSignal?.reason);
  const settled = () => abortSignal?.removeEventListener('abort', onAbort);
  if (abortSignal?.aborted) onAbort();
  else abortSignal?.addEventListener('abort', onAbort, { once: true });

  return {
    get failure() {
      return reason;
    },
    async write(chunk) {
      const copied = channel.write(chunk);
      if (!copied) return;
      stall.begin();
      // Also when it was given up: a channel that is closed keeps nobody waiting.
      await copied;
      stall.end();
    },
    async finish() {
      channel.end();
      stall.begin();
      const result = await Promise.race([outcome, givenUp]);
      stall.forget();
      // A store that does not even end with its signal is left to itself.
      return result ?? { status: 'failed', error: reason };
    },
    abandon: giveUp,
  };
}

interface Channel<Item> extends AsyncIterable<Item> {
  /** Resolves when the reader is done with the item: asks for the next, or leaves. `undefined` when nobody reads any more. */
  write(item: Item): Promise<void> | undefined;
  end(): void;
  /** Nobody takes any more. */
  close(): void;
}

/** Hands items from one who writes to one who reads, one at a time. */
function createChannel<Item>(): Channel<Item> {
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
