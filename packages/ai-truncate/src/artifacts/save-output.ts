import { watchFor } from '../deadlines.ts';
import { AiTruncateError } from '../errors.ts';
import { inTurn } from '../pace.ts';
import type { ArtifactInfo } from './artifact-info.ts';
import type { Artifacts, SaveOptions } from './artifacts.ts';
import { createChannel } from './channel.ts';
import { type OpenArtifactsOptions, openArtifacts } from './storage-options.ts';
import { countFailure, countSuccess, requireAwake } from './store-circuit.ts';

export interface SaveOutputOptions extends OpenArtifactsOptions {
  toolName: string;
  toolCallId: string;
  mediaType: string;
}

/** An output on its way into the store. Where that is impossible `save` is missing, and the outcome says why. */
export interface OutputSave {
  save: LiveSave | undefined;
  finish(): Promise<SaveOutcome>;
}

/** Begins to save an output. Never rejects, because a failed save costs the path, not the result of the tool. */
export async function saveOutput(options: SaveOutputOptions): Promise<OutputSave> {
  const { store, toolName, toolCallId, mediaType, saveTimeoutMs, abortSignal } = options;
  try {
    requireTimers();
    requireAwake(store);
    const artifacts = await openArtifacts(options);
    const save = startSave(artifacts, { toolName, toolCallId, mediaType, abortSignal, stallMs: saveTimeoutMs });
    return {
      save,
      async finish() {
        const outcome = await save.finish();
        if (outcome.status === 'saved') countSuccess(store);
        else if (!abortSignal?.aborted) countFailure(store, outcome.error);
        return outcome;
      },
    };
  } catch (error) {
    return { save: undefined, finish: async () => ({ status: 'failed', error }) };
  }
}

/** A save without a time limit could hang its tool. The virtual machine of a durable workflow has no timers. */
function requireTimers(): void {
  try {
    void new AbortController();
    clearTimeout(setTimeout(() => {}));
  } catch (cause) {
    throw new AiTruncateError(
      'Nothing can be saved in a runtime without timers and `AbortController`. In a workflow, truncate inside a step.',
      { code: 'STORE_UNREACHABLE', cause },
    );
  }
}

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
  /** Why nothing will be saved, as soon as that is known. */
  readonly failure: unknown;
  /** The output failed: nothing of it is saved, and nobody waits for that. */
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
  const stall = watchFor(stallMs, () => void inTurn(() => stall.isLate() && giveUp(stoodStill(stallMs))));

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

function stoodStill(stallMs: number): AiTruncateError {
  const message = `The store stood still for ${stallMs} ms, so the output was not saved. Raise \`saveTimeoutMs\`, or look at the store.`;
  return new AiTruncateError(message, { code: 'STORE_TIMEOUT' });
}
