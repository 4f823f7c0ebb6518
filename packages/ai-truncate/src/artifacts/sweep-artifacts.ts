import { requireWholeNumber } from '../errors.ts';
import { type ArtifactStore, MAX_DELETE_KEYS } from '../stores/artifact-store.ts';
import { parseInfo } from './artifact-info.ts';
import { requireStore } from './require-store.ts';
import { listStored, type StoredArtifact } from './stored-artifacts.ts';

export interface SweepOptions {
  /** Artifacts that are older are deleted, unless they were promised for longer. @default 7 */
  retentionDays?: number;
  /** Artifacts and orphans that one pass deletes at most. @default 10000 */
  maxDeletes?: number;
  /** How long one pass may take, to fit into a cron request. @default 30000 */
  maxMs?: number;
  /** Where the last pass stopped: its `next`. @default the beginning */
  after?: string;
  abortSignal?: AbortSignal | undefined;
}

export interface SweepResult {
  /** How many artifacts and orphans were looked at. */
  examined: number;
  deletedArtifacts: number;
  /** Halves of artifacts: left by a process that ended between two writes. */
  deletedOrphans: number;
  /** What the store could not delete. */
  failed: number;
  /** Absent when everything was looked at. Otherwise a limit ended the pass: give it to the next one as `after`. */
  next?: string;
}

/** How a sweep went that nobody waited for. */
export type SweepOutcome = { status: 'done'; result: SweepResult } | { status: 'failed'; error: unknown };

export const DAY_MS = 86_400_000;
export const defaultRetentionDays = 7;
/** A hundred years. */
export const MAX_RETENTION_DAYS = 36_500;
const HOUR_MS = 3_600_000;
/** A write that takes longer than this between its two halves has failed. */
const ORPHAN_AGE_MS = HOUR_MS;
/** Artifacts that are deleted in one request. */
const BATCH = MAX_DELETE_KEYS / 2;

/**
 * Deletes the artifacts of all scopes that are older than the retention, and orphans older than an hour. Nothing that is not
 * named like an artifact is touched. Saving sweeps by itself, at most hourly; call this from a cron job where processes are
 * too short-lived for that.
 *
 * @example
 * let after: string | undefined;
 * do ({ next: after } = await sweepArtifacts(store, { retentionDays: 30, ...(after && { after }) })); while (after);
 */
export async function sweepArtifacts(store: ArtifactStore, options: SweepOptions = {}): Promise<SweepResult> {
  const { retentionDays = defaultRetentionDays, maxDeletes = 10_000, maxMs = 30_000, after, abortSignal } = options;
  requireStore(store);
  requireWholeNumber('retentionDays', { value: retentionDays, min: 1, max: MAX_RETENTION_DAYS });
  requireWholeNumber('maxDeletes', { value: maxDeletes, min: 1 });
  requireWholeNumber('maxMs', { value: maxMs, min: 1, max: 2 ** 31 - 1 });
  abortSignal?.throwIfAborted();

  const pass = createPass(store, { retentionDays, maxDeletes });
  const deadline = new AbortController();
  const timer: { unref?: () => unknown } | number = setTimeout(() => deadline.abort(), maxMs);
  // A process that has nothing else to do need not wait for it.
  if (typeof timer === 'object') timer.unref?.();
  const either = abortSignal ? AbortSignal.any([abortSignal, deadline.signal]) : deadline.signal;
  try {
    for await (const stored of listStored(store, { prefix: '', after, abortSignal: either })) {
      await pass.examine(stored, either);
      if (pass.isExhausted()) break;
    }
    if (!pass.isExhausted()) return await pass.finish({ isComplete: true });
  } catch (error) {
    // Over time is no failure: what was found so far is deleted, and the next pass goes on from here.
    if (!deadline.signal.aborted || abortSignal?.aborted) throw error;
  } finally {
    clearTimeout(timer as number);
  }
  return pass.finish({ isComplete: false });
}

function createPass(
  store: ArtifactStore,
  { retentionDays, maxDeletes }: { retentionDays: number; maxDeletes: number },
) {
  const now = trustedNow();
  const result: SweepResult = { examined: 0, deletedArtifacts: 0, deletedOrphans: 0, failed: 0 };
  let found = 0;
  let last: string | undefined;
  let batch: StoredArtifact[] = [];

  async function examine(stored: StoredArtifact, abortSignal: AbortSignal): Promise<void> {
    const age = now - lastChange(stored);
    const mayGo = isOrphan(stored)
      ? age > ORPHAN_AGE_MS
      : age > retentionDays * DAY_MS && !(await isPromisedLonger(stored, abortSignal));
    // Only now: a pass that ended meanwhile has not looked at it.
    last = stored.key;
    result.examined++;
    if (!mayGo) return;
    found++;
    batch.push(stored);
    if (batch.length >= BATCH) await deleteBatch();
  }

  /** Another agent may keep its artifacts for longer than who sweeps. */
  async function isPromisedLonger({ name, info }: StoredArtifact, signal: AbortSignal): Promise<boolean> {
    const stream = info && (await store.get(info.key, { signal }));
    if (!stream) return false;
    const text = await new Response(stream).text();
    try {
      return parseInfo(text, name).expiresAt.getTime() > now;
    } catch {
      // Without what was promised, the retention holds.
      return false;
    }
  }

  async function deleteBatch(): Promise<void> {
    const all = batch;
    batch = [];
    try {
      if (all.length > 0) await store.delete(all.flatMap(keysOf));
      for (const stored of all) countDeleted(stored);
    } catch {
      // One that cannot go must not keep the others, now and in every pass to come.
      for (const stored of all) await store.delete(keysOf(stored)).then(() => countDeleted(stored), countFailed);
    }
  }

  function countDeleted(stored: StoredArtifact): void {
    if (isOrphan(stored)) result.deletedOrphans++;
    else result.deletedArtifacts++;
  }

  function countFailed(): void {
    result.failed++;
  }

  return {
    examine,
    isExhausted: () => found >= maxDeletes,
    async finish({ isComplete }: { isComplete: boolean }): Promise<SweepResult> {
      await deleteBatch();
      // The whole of an artifact: its side-car sorts after it.
      return isComplete || last === undefined ? result : { ...result, next: `${last}~` };
    },
  };
}

function isOrphan({ artifact, info }: StoredArtifact): boolean {
  return !artifact || !info;
}

/** The side-car first: without it the rest is no artifact any more. */
function keysOf({ artifact, info }: StoredArtifact): string[] {
  return [info, artifact].flatMap((entry) => (entry ? [entry.key] : []));
}

/**
 * The lower of two clocks: the one on the wall, and the one that only counts from the start of the process. A clock that jumps
 * ahead makes everything look old, also what was saved a minute ago.
 */
function trustedNow(): number {
  return Math.min(Date.now(), performance.timeOrigin + performance.now());
}

/** The youngest that anything says of it: the name tells the time of who saved it, the store its own. */
function lastChange({ parts, artifact, info }: StoredArtifact): number {
  return Math.max(parts.createdAt.getTime(), artifact?.writtenAt.getTime() ?? 0, info?.writtenAt.getTime() ?? 0);
}

/** When a store was last swept beside a save, and where that stopped. */
const lastSweeps = new WeakMap<ArtifactStore, { startedAt: number; next?: string | undefined }>();

/** Starts a sweep unless this store was swept within the hour. Nobody waits for it, and it fails nobody. */
export function sweepLazily(
  store: ArtifactStore,
  options: { retentionDays: number; onSweep: ((outcome: SweepOutcome) => void) | undefined },
): void {
  const last = lastSweeps.get(store);
  if (last && performance.now() - last.startedAt < HOUR_MS) return;
  const sweep = { startedAt: performance.now(), next: last?.next };
  lastSweeps.set(store, sweep);
  const { retentionDays, onSweep } = options;
  void sweepArtifacts(store, { retentionDays, ...(sweep.next && { after: sweep.next }) })
    .then(
      (result) => {
        sweep.next = result.next;
        onSweep?.({ status: 'done', result });
      },
      (error: unknown) => onSweep?.({ status: 'failed', error }),
    )
    // What the callback itself throws: as an unhandled rejection it would end the process.
    .catch(() => {});
}
