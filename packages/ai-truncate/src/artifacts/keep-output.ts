import { now, withTimeout } from '../deadlines.ts';
import { AiTruncateError, InvalidOptionError } from '../errors.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { type LiveSave, type SaveOutcome, startSave } from './live-save.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';
import type { SweepBesideSaves } from './sweep-beside-saves.ts';

/** Who owns an output: known, or to be found. */
export type Scope = string | (() => string | null | undefined | PromiseLike<string | null | undefined>);

export interface KeepOutputOptions extends SweepBesideSaves {
  store: ArtifactStore;
  scope: Scope;
  toolName: string;
  toolCallId: string;
  mediaType: string;
  maxArtifactBytes?: number | undefined;
  retentionDays?: number | undefined;
  /** How long the store may stand still. */
  saveTimeoutMs: number;
  abortSignal?: AbortSignal | undefined;
}

/** An output on its way into the store. Where that is impossible `save` is missing, and the outcome says why. */
export interface KeptOutput {
  save: LiveSave | undefined;
  finish(): Promise<SaveOutcome>;
}

/** How long a store that failed again and again is not asked: each output would wait for it anew. */
const REST_MS = 30_000;
/** One failure may be one tenant's: its quota, its slow key. */
const FAILURES_BEFORE_REST = 3;
const failing = new WeakMap<ArtifactStore, { failures: number; restsUntil: number; error: unknown }>();

/** Begins to keep an output. Never rejects: whatever fails costs the path, not the result. */
export async function keepOutput(options: KeepOutputOptions): Promise<KeptOutput> {
  const { store, toolName, toolCallId, mediaType, maxArtifactBytes, retentionDays, sweep, onSweep } = options;
  const { saveTimeoutMs, abortSignal } = options;
  try {
    requireTimers();
    const past = failing.get(store);
    if (past && past.restsUntil > now()) throw new RestingStoreError(past.error);
    const scope = await findScope(options);
    const artifacts = scopedArtifacts(store, {
      scope,
      sweep,
      onSweep,
      ...(maxArtifactBytes !== undefined && { maxArtifactBytes }),
      ...(retentionDays !== undefined && { retentionDays }),
    });
    const save = startSave(artifacts, { toolName, toolCallId, mediaType, abortSignal, stallMs: saveTimeoutMs });
    return {
      save,
      async finish() {
        const outcome = await save.finish();
        if (outcome.status === 'saved') failing.delete(store);
        else if (!isOwnAffair(outcome.error, options)) countFailure(store, outcome.error);
        return outcome;
      },
    };
  } catch (error) {
    return { save: undefined, finish: async () => ({ status: 'failed', error }) };
  }
}

/** One that hangs finds nobody, like one that fails. */
export async function findScope({
  scope,
  saveTimeoutMs,
  abortSignal,
}: Pick<KeepOutputOptions, 'scope' | 'saveTimeoutMs' | 'abortSignal'>): Promise<string> {
  abortSignal?.throwIfAborted();
  if (typeof scope === 'string') return scope;
  const found = await withTimeout(saveTimeoutMs, { work: () => scope(), abortSignal, what: '`scope`' });
  if (found == null)
    throw new InvalidOptionError({ option: 'scope', value: found, expected: 'a string for this call' });
  return found;
}

function countFailure(store: ArtifactStore, error: unknown): void {
  const failures = (failing.get(store)?.failures ?? 0) + 1;
  const restsUntil = failures < FAILURES_BEFORE_REST ? 0 : now() + REST_MS;
  failing.set(store, { failures, restsUntil, error });
}

/** Whether the output or the caller is the reason, not the store. */
function isOwnAffair(error: unknown, { abortSignal }: KeepOutputOptions): boolean {
  if (abortSignal?.aborted) return true;
  return (
    AiTruncateError.isInstance(error) &&
    ['ARTIFACT_TOO_LARGE', 'STORE_FULL', 'INVALID_OPTION', 'OUTPUT_CHANGED'].includes(error.code)
  );
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

/** The store failed a moment ago. */
class RestingStoreError extends AiTruncateError {
  constructor(cause: unknown) {
    super('The store failed several times in the last 30 seconds and is not asked again yet. Look at `cause`.', {
      code: 'STORE_RESTING',
      cause,
    });
    this.name = 'RestingStoreError';
  }
}
