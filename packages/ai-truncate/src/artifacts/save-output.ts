import { now, watchFor } from '../deadlines.ts';
import { AiTruncateError } from '../errors.ts';
import { inTurn } from '../pace.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import type { ArtifactInfo, Artifacts, SaveOptions } from './artifacts.ts';
import { DEFAULT_SAVE_TIMEOUT_MS } from './resolve-scope.ts';
import { type OpenArtifactsOptions, openArtifacts } from './storage-options.ts';
import { withTextView } from './text-views.ts';

export interface SaveOutputOptions extends OpenArtifactsOptions {
  toolName: string;
  toolCallId: string;
  mediaType: string;
  /** The output is a value, so its lines are counted in its text view. @default false */
  isValue?: boolean | undefined;
  /** The replaced secrets in the output. They are known at its end. */
  redacted?: Readonly<Record<string, number>> | undefined;
}

/** An output that is being saved. If saving is impossible, `save` is missing, and the outcome has the reason. */
export interface OutputSave {
  save: LiveSave | undefined;
  finish(): Promise<SaveOutcome>;
}

/** Starts to save an output. Never rejects, because a failed save costs the path, not the output of the tool. */
export async function saveOutput(options: SaveOutputOptions): Promise<OutputSave> {
  const {
    store,
    toolName,
    toolCallId,
    mediaType,
    saveTimeoutMs: stallMs = DEFAULT_SAVE_TIMEOUT_MS,
    isValue,
    redacted,
    abortSignal,
  } = options;
  try {
    requireTimers();
    requireAwake(store);
    const artifacts = await openArtifacts(options);
    const save = startSave(artifacts, { toolName, toolCallId, mediaType, isValue, redacted, abortSignal, stallMs });
    return {
      save,
      async finish() {
        const outcome = await save.finish();
        if (outcome.status === 'saved') forgetFailures(store);
        else if (!abortSignal?.aborted) countFailure(store, outcome.error);
        return outcome;
      },
    };
  } catch (error) {
    return { save: undefined, finish: async () => ({ status: 'failed', error }) };
  }
}

/** How long a store that failed repeatedly is not used, because each output would wait for it. */
const REST_MS = 30_000;
/** A single failure may have its cause in one tenant: its quota, its slow key. */
const FAILURES_BEFORE_REST = 3;
/** Failures whose cause is the output or the caller, not the store. */
const NOT_OF_THE_STORE = ['ARTIFACT_TOO_LARGE', 'STORE_FULL', 'INVALID_OPTION', 'OUTPUT_CHANGED'];

const circuits = new WeakMap<ArtifactStore, { failures: number; restsUntil: number; error: unknown }>();

/** Throws while the store rests. */
export function requireAwake(store: ArtifactStore): void {
  const circuit = circuits.get(store);
  if (!circuit || circuit.restsUntil <= now()) return;
  const message = 'The store failed several times in the last 30 seconds, so this save was skipped. See `cause`.';
  throw new AiTruncateError(message, { code: 'STORE_RESTING', cause: circuit.error });
}

/** A save succeeded, so the store works. */
export function forgetFailures(store: ArtifactStore): void {
  circuits.delete(store);
}

/** A save failed. From the third failure in a row on, the store rests. */
export function countFailure(store: ArtifactStore, error: unknown): void {
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

/** A save that receives an output while it flows. Whatever the store does, a write neither fails nor waits forever. */
export interface LiveSave {
  /**
   * Resolves when the chunk is copied, so that its owner may fill the same buffer again, and a fast source waits for a slow
   * store. Resolves at once if the save has failed. Write one chunk at a time, and small ones, because a store that takes too
   * long for one chunk counts as hanging.
   */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Called after the last chunk. Waits until the store is done, but not longer than it may hang. */
  finish(): Promise<SaveOutcome>;
  /** The reason why nothing will be saved, as soon as it is known. */
  readonly failure: unknown;
  /** The output failed, so nothing is saved. Does not wait. */
  abandon(reason: unknown): void;
}

export interface LiveSaveOptions extends SaveOptions {
  /** How long the store may hang. */
  stallMs: number;
  isValue?: boolean | undefined;
}

export function startSave(artifacts: Artifacts, options: LiveSaveOptions): LiveSave {
  const { stallMs, isValue = false, abortSignal, ...saveOptions } = options;
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
      // The store requests more, so it has copied the last chunk.
      pull: () => onTaken(),
      cancel: close,
    },
    { highWaterMark: 0 },
  );
  if (isValue) withTextView(content);

  /** The store takes no more content, so the writer stops waiting for it. */
  function close(): void {
    isClosed = true;
    onTaken();
  }

  function end(outcome: SaveOutcome): void {
    if (outcome.status === 'failed') failure ??= outcome.error;
    close();
    stall.forget();
    // A store that ignores its signal would otherwise leave a listener for as long as the chat exists.
    abortSignal?.removeEventListener('abort', onAbort);
    onEnd(outcome);
  }

  /** Ends all waits. A store that ignores its signal keeps running. */
  function giveUp(error: unknown): void {
    stop.abort(error);
    end({ status: 'failed', error });
  }
  // Thousands of saves that wait for the same store are given up at the same moment, which would be one long turn.
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
  const message = `The store hung for ${stallMs} ms, so the output was not saved. Raise \`saveTimeoutMs\`, or check the store.`;
  return new AiTruncateError(message, { code: 'STORE_TIMEOUT' });
}
