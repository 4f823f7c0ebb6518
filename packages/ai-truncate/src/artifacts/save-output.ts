import { now, watchFor } from '../deadlines.ts';
import { AiTruncateError } from '../errors.ts';
import { inTurn } from '../pace.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import type { ArtifactInfo, Artifacts, SaveOptions } from './artifacts.ts';
import { DEFAULT_SAVE_TIMEOUT_MS } from './resolve-scope.ts';
import { type OpenArtifactsOptions, openArtifacts } from './storage-options.ts';

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
  const {
    store,
    toolName,
    toolCallId,
    mediaType,
    saveTimeoutMs: stallMs = DEFAULT_SAVE_TIMEOUT_MS,
    abortSignal,
  } = options;
  try {
    requireTimers();
    requireAwake(store);
    const artifacts = await openArtifacts(options);
    const save = startSave(artifacts, { toolName, toolCallId, mediaType, abortSignal, stallMs });
    return {
      save,
      async finish() {
        const outcome = await save.finish();
        if (outcome.status === 'saved') circuits.delete(store);
        else if (!abortSignal?.aborted) countFailure(store, outcome.error);
        return outcome;
      },
    };
  } catch (error) {
    return { save: undefined, finish: async () => ({ status: 'failed', error }) };
  }
}

/** How long a store that failed again and again is left alone, because each output would wait for it. */
const REST_MS = 30_000;
/** One failure may be due to one tenant: its quota, its slow key. */
const FAILURES_BEFORE_REST = 3;
/** Failures that are due to the output or the caller, not to the store. */
const NOT_OF_THE_STORE = ['ARTIFACT_TOO_LARGE', 'STORE_FULL', 'INVALID_OPTION', 'OUTPUT_CHANGED'];

const circuits = new WeakMap<ArtifactStore, { failures: number; restsUntil: number; error: unknown }>();

/** Throws while the store rests. */
function requireAwake(store: ArtifactStore): void {
  const circuit = circuits.get(store);
  if (!circuit || circuit.restsUntil <= now()) return;
  const message = 'The store failed several times in the last 30 seconds and is not asked again yet. Look at `cause`.';
  throw new AiTruncateError(message, { code: 'STORE_RESTING', cause: circuit.error });
}

/** A save failed. From the third failure in a row on, the store rests. */
function countFailure(store: ArtifactStore, error: unknown): void {
  if (AiTruncateError.isInstance(error) && NOT_OF_THE_STORE.includes(error.code)) return;
  const failures = (circuits.get(store)?.failures ?? 0) + 1;
  const restsUntil = failures < FAILURES_BEFORE_REST ? 0 : now() + REST_MS;
  circuits.set(store, { failures, restsUntil, error });
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
  const stop = new AbortController();
  let failure: unknown;
  let isClosed = false;
  let onTaken = () => {};
  let onEnd: (outcome: SaveOutcome) => void;
  const ended = new Promise<SaveOutcome>((resolve) => {
    onEnd = resolve;
  });
  let feed: ReadableStreamDefaultController<string | Uint8Array>;
  const content = new ReadableStream<string | Uint8Array>(
    {
      start(controller) {
        feed = controller;
      },
      // The store asks for more, so it has copied the last chunk.
      pull: () => onTaken(),
      cancel: close,
    },
    { highWaterMark: 0 },
  );

  /** The store takes no more content, so the writer stops waiting for it. */
  function close(): void {
    isClosed = true;
    onTaken();
  }

  function end(outcome: SaveOutcome): void {
    if (outcome.status === 'failed') failure ??= outcome.error;
    close();
    stall.forget();
    // A store that does not even end with its signal would otherwise leave a listener for as long as the chat lives.
    abortSignal?.removeEventListener('abort', onAbort);
    onEnd(outcome);
  }

  /** Ends everything that waits. A store that ignores its signal is left running. */
  function giveUp(error: unknown): void {
    stop.abort(error);
    end({ status: 'failed', error });
  }
  // Thousands that wait for the same store are given up in the same moment: together that is one long turn.
  const stall = watchFor(stallMs, () => void inTurn(() => stall.isLate() && giveUp(stoodStill(stallMs))));
  const onAbort = () => giveUp(abortSignal?.reason);
  if (abortSignal?.aborted) onAbort();
  else abortSignal?.addEventListener('abort', onAbort, { once: true });
  artifacts.save(content, { ...saveOptions, abortSignal: stop.signal }).then(
    (info) => end({ status: 'saved', info }),
    (error: unknown) => end({ status: 'failed', error }),
  );

  return {
    get failure() {
      return failure;
    },
    async write(chunk) {
      if (isClosed) return;
      stall.begin();
      await new Promise<void>((resolve) => {
        onTaken = resolve;
        feed.enqueue(chunk);
      });
      stall.end();
    },
    finish() {
      if (!isClosed) feed.close();
      stall.begin();
      return ended;
    },
    abandon: giveUp,
  };
}

function stoodStill(stallMs: number): AiTruncateError {
  const message = `The store stood still for ${stallMs} ms, so the output was not saved. Raise \`saveTimeoutMs\`, or look at the store.`;
  return new AiTruncateError(message, { code: 'STORE_TIMEOUT' });
}
