import { LONGEST_TIMER_MS, now, startDeadline } from '../deadlines.ts';
import { AiTruncateError } from '../errors.ts';
import { type Listener, notify, requireOption, requireOptions, requireWholeNumber } from '../options.ts';
import { type ArtifactStore, requireStore } from '../stores/artifact-store.ts';
import { parseExpiry, readInfo } from './artifact-info.ts';
import { infoKey } from './artifact-name.ts';
import { keysOf, listStored, type StoredArtifact } from './stored-artifacts.ts';

export interface SweepOptions {
  /** Older artifacts are deleted, unless they have a longer promise. @default 7 */
  retentionDays?: number | undefined;
  /** The most artifacts and orphans that one pass deletes. @default 10000 */
  maxDeletes?: number | undefined;
  /** How long one pass may take, to fit into a cron request. @default 30000 */
  maxMs?: number | undefined;
  /** The place where the last pass stopped: its `next`. @default the beginning */
  after?: string | undefined;
  abortSignal?: AbortSignal | undefined;
}

export interface SweepResult {
  /** How many artifacts and orphans were checked. */
  examined: number;
  deletedArtifacts: number;
  /** Halves of artifacts from a process that ended between two writes. */
  deletedOrphans: number;
  /** How many could not be read or deleted. They stay. */
  failed: number;
  /** Absent if everything was checked. Otherwise a limit ended the pass: pass it to the next call as `after`. */
  next?: string;
}

const SWEEP_OPTIONS: readonly (keyof SweepOptions)[] = ['retentionDays', 'maxDeletes', 'maxMs', 'after', 'abortSignal'];

export const DAY_MS = 86_400_000;
export const DEFAULT_RETENTION_DAYS = 7;
/** A hundred years. */
export const MAX_RETENTION_DAYS = 36_500;
/** A write that takes longer than this between its two halves has failed. */
const ORPHAN_AGE_MS = 3_600_000;
/** Artifacts that are checked at once and deleted in one request. */
const BATCH = 50;
/** For deletions when the time is over. */
const GRACE_MS = 5000;

/**
 * Deletes the artifacts of all scopes that are older than the retention, and orphans older than an hour. Nothing that is not
 * named like an artifact is touched. Saves to files and to memory sweep by themselves (`sweep`). For a remote store, call this
 * from a cron job.
 *
 * @example
 * let after: string | undefined;
 * do ({ next: after } = await sweepArtifacts(store, { retentionDays: 30, after })); while (after);
 */
export async function sweepArtifacts(store: ArtifactStore, options: SweepOptions = {}): Promise<SweepResult> {
  requireStore(store);
  requireOptions(options, { known: SWEEP_OPTIONS });
  const { retentionDays = DEFAULT_RETENTION_DAYS, maxDeletes = 10_000, abortSignal } = options;
  const { maxMs = 30_000, after = '' } = options;
  requireWholeNumber('retentionDays', { value: retentionDays, min: 1, max: MAX_RETENTION_DAYS });
  requireWholeNumber('maxDeletes', { value: maxDeletes, min: 1 });
  requireWholeNumber('maxMs', { value: maxMs, min: 1, max: LONGEST_TIMER_MS - GRACE_MS });
  requireOption(typeof after === 'string', {
    option: 'after',
    value: after,
    expected: 'the `next` of an earlier pass',
  });
  abortSignal?.throwIfAborted();

  const pass = createPass(store, { retentionDays, maxDeletes });
  const { signal, clear } = startDeadline(maxMs, { abortSignal, isBackground: true });
  try {
    for await (const stored of listStored(store, { prefix: '', after, abortSignal: signal })) {
      if (pass.isExhausted()) break;
      await pass.examine(stored, signal);
    }
    const isComplete = !pass.isExhausted();
    await pass.flush(signal);
    if (isComplete) return pass.result;
  } catch (error) {
    // A timeout is not a failure, because the next pass continues from here.
    if (!signal.aborted || abortSignal?.aborted) throw error;
    const grace = startDeadline(GRACE_MS, { abortSignal, isBackground: true });
    await pass.flush(grace.signal).finally(grace.clear);
  } finally {
    clear();
  }
  const next = pass.next();
  if (next !== undefined) return { ...pass.result, next };
  const message = `The sweep could not check any artifact within ${maxMs} ms. Raise \`maxMs\`, or check the store.`;
  throw new AiTruncateError(message, { code: 'STORE_TIMEOUT' });
}

/** Checks artifacts one by one, and deletes expired ones in batches. */
function createPass(
  store: ArtifactStore,
  { retentionDays, maxDeletes }: { retentionDays: number; maxDeletes: number },
) {
  const now = trustedNow();
  const result: SweepResult = { examined: 0, deletedArtifacts: 0, deletedOrphans: 0, failed: 0 };
  let found = 0;
  let batch: StoredArtifact[] = [];
  /** The last checked artifact, and the last finished one. */
  let seen: string | undefined;
  let done: string | undefined;

  async function examine(stored: StoredArtifact, signal: AbortSignal): Promise<void> {
    seen = stored.key;
    result.examined++;
    const age = now - lastChange(stored);
    if (age > (isOrphan(stored) ? ORPHAN_AGE_MS : retentionDays * DAY_MS)) batch.push(stored);
    if (batch.length === 0) done = seen;
    if (batch.length >= BATCH) await flush(signal);
  }

  async function flush(signal: AbortSignal): Promise<void> {
    const mayGo = await Promise.all(batch.map((stored) => judge(stored, signal)));
    const going = batch.filter((_, index) => mayGo[index]);
    found += going.length;
    if (going.length > 0) await deleteAll(going, signal);
    batch = [];
    done = seen;
  }

  /** A failed read preserves this artifact, but not the others. */
  async function judge(stored: StoredArtifact, signal: AbortSignal): Promise<boolean> {
    const { key, artifact } = stored;
    try {
      // A listing is not a snapshot: the other half may have been written since.
      if (isOrphan(stored)) return (await store.head(artifact ? infoKey(key) : key, { signal })) === undefined;
      const stream = await store.get(infoKey(key), { signal });
      const expiresAt = stream && parseExpiry(await readInfo(stream));
      // Artifacts of another agent may have a longer lifetime than artifacts of the sweeping agent.
      return expiresAt === undefined || expiresAt <= now;
    } catch {
      signal.throwIfAborted();
      result.failed++;
      return false;
    }
  }

  async function deleteAll(all: StoredArtifact[], signal: AbortSignal): Promise<void> {
    try {
      await store.delete(all.flatMap(keysOf), { signal });
      all.forEach(countDeleted);
    } catch {
      // An artifact that cannot be deleted must not block the others, now or in later passes.
      for (const stored of all) {
        signal.throwIfAborted();
        await store.delete(keysOf(stored), { signal }).then(
          () => countDeleted(stored),
          () => result.failed++,
        );
      }
    }
  }

  function countDeleted(stored: StoredArtifact): void {
    if (isOrphan(stored)) result.deletedOrphans++;
    else result.deletedArtifacts++;
  }

  return {
    result,
    examine,
    flush,
    isExhausted: () => found + batch.length >= maxDeletes,
    // After the whole artifact, because its side-car sorts before this key.
    next: () => (done === undefined ? undefined : `${done}~`),
  };
}

function isOrphan({ artifact, info }: StoredArtifact): boolean {
  return !artifact || !info;
}

/**
 * The lower of two clocks: the wall clock, and a clock that counts only from the start of the process. A clock that jumps ahead
 * would make everything look old, even artifacts of the last minute.
 */
export function trustedNow(): number {
  const { timeOrigin = Number.POSITIVE_INFINITY } = globalThis.performance ?? {};
  return Math.min(Date.now(), timeOrigin + now());
}

/** The youngest known time: the name has the time of the saving process, and the store has its own. */
export function lastChange({ parts, artifact, info }: StoredArtifact): number {
  return Math.max(parts.createdAt?.getTime() ?? 0, artifact?.writtenAt.getTime() ?? 0, info?.writtenAt.getTime() ?? 0);
}

/** The outcome of a background sweep. */
export type SweepOutcome = { status: 'done'; result: SweepResult } | { status: 'failed'; error: unknown };

/** Options of every function that saves. */
export interface SweepBesideSaves {
  /**
   * Whether a save starts a sweep of the store in the background. `'hourly'`: at most once an hour, counted for each store
   * object, or for all processes that share a directory. `false`: never; call `sweepArtifacts` from a cron job.
   * @default 'hourly' for `filesystemStore` and `memoryStore`, `false` for remote stores
   */
  sweep?: 'hourly' | false | undefined;
  /**
   * Called with the outcome of each of these sweeps. No save waits for them or fails with them. Without a listener, the first
   * failure of a store is printed with `console.warn`.
   */
  onSweep?: Listener<SweepOutcome> | undefined;
}

const SWEEP_EVERY_MS = 3_600_000;
/** How often a process asks a store whether a sweep is due: other processes may have ended since. */
const ASK_EVERY_MS = 60_000;

interface SweepState {
  askedAt: number;
  /** The shortest retention of all saves, because tools of one store may have different ones. */
  retentionDays: number;
  hasWarned: boolean;
  /** The place where the last pass stopped. */
  next: string | undefined;
}

const states = new WeakMap<ArtifactStore, SweepState>();

/** Starts a sweep if one is due. Never throws and never waits. */
export function sweepBesideSave(store: ArtifactStore, options: SweepBesideSaves & { retentionDays: number }): void {
  const { sweep = store.claimSweep ? 'hourly' : false } = options;
  if (sweep === false) return;
  const state = states.get(store) ?? newState();
  states.set(store, Object.assign(state, { retentionDays: Math.min(state.retentionDays, options.retentionDays) }));
  const everyMs = store.claimSweep ? ASK_EVERY_MS : SWEEP_EVERY_MS;
  // A flag for a sweep under way would stay set where a runtime ends the work of a request that left.
  if (now() - state.askedAt < everyMs) return;
  state.askedAt = now();
  void sweepIfDue(store, { ...options, state });
}

function newState(): SweepState {
  return { askedAt: -Infinity, retentionDays: MAX_RETENTION_DAYS, hasWarned: false, next: undefined };
}

async function sweepIfDue(
  store: ArtifactStore,
  { state, onSweep }: SweepBesideSaves & { state: SweepState },
): Promise<void> {
  const { retentionDays } = state;
  try {
    if (store.claimSweep && !(await store.claimSweep(SWEEP_EVERY_MS))) return;
    const result = await sweepArtifacts(store, { retentionDays, ...(state.next && { after: state.next }) });
    state.next = result.next;
    notify(onSweep, { status: 'done', result });
  } catch (error) {
    // From the beginning, because the place where this pass stopped may be gone.
    state.next = undefined;
    notify(onSweep ?? warnOnce(state), { status: 'failed', error });
  }
}

/** Without a listener, expired artifacts would accumulate unnoticed. */
function warnOnce(state: SweepState): SweepBesideSaves['onSweep'] {
  if (state.hasWarned) return undefined;
  state.hasWarned = true;
  return (outcome) =>
    console.warn(
      'ai-truncate: expired artifacts could not be deleted. `onSweep` receives each failure; this warning is printed once.',
      outcome.status === 'failed' ? outcome.error : undefined,
    );
}
