import { requireWholeNumber } from '../errors.ts';
import { type ArtifactStore, MAX_DELETE_KEYS } from '../stores/artifact-store.ts';
import { listStored, type StoredArtifact } from './stored-artifacts.ts';

export interface SweepOptions {
  /** Artifacts that are older are deleted. @default 7 */
  retentionDays?: number;
  /** Artifacts and orphans that one pass deletes at most. @default 10000 */
  maxDeletes?: number;
  /** How long one pass may take, to fit into a cron request. @default 30000 */
  maxMs?: number;
  abortSignal?: AbortSignal | undefined;
}

export interface SweepResult {
  /** How many artifacts and orphans were looked at. */
  examined: number;
  deletedArtifacts: number;
  /** Halves of artifacts: left by a process that ended between two writes. */
  deletedOrphans: number;
  /** Whether everything was looked at; if not, a limit ended the pass and the next one goes on. */
  isComplete: boolean;
}

/** How a sweep went that nobody waited for. */
export type SweepOutcome = { status: 'done'; result: SweepResult } | { status: 'failed'; error: unknown };

export const defaultRetentionDays = 7;
export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A write that takes longer than this between its two halves has failed. */
const ORPHAN_AGE_MS = HOUR_MS;
const BATCH_KEYS = MAX_DELETE_KEYS / 2;

/**
 * Deletes the artifacts of all scopes that are older than the retention, and orphans older than an hour. Nothing that is not
 * named like an artifact is touched. Saving sweeps by itself, at most hourly; call this from a cron job where processes are
 * too short-lived for that.
 *
 * @example
 * const { deletedArtifacts, isComplete } = await sweepArtifacts(store, { retentionDays: 30, maxMs: 50_000 });
 */
export async function sweepArtifacts(store: ArtifactStore, options: SweepOptions = {}): Promise<SweepResult> {
  const { retentionDays = defaultRetentionDays, maxDeletes = 10_000, maxMs = 30_000, abortSignal } = options;
  for (const [option, value] of Object.entries({ retentionDays, maxDeletes, maxMs })) {
    requireWholeNumber(option, { value, min: 1 });
  }
  const now = trustedNow();
  const startedAt = performance.now();
  const result: SweepResult = { examined: 0, deletedArtifacts: 0, deletedOrphans: 0, isComplete: false };
  let keys: string[] = [];

  for await (const stored of listStored(store, '')) {
    abortSignal?.throwIfAborted();
    const isExhausted = result.deletedArtifacts + result.deletedOrphans >= maxDeletes;
    if (isExhausted || performance.now() - startedAt > maxMs) {
      await deleteBatch();
      return result;
    }
    result.examined++;
    const age = now - lastChange(stored);
    const isOrphan = !stored.artifact || !stored.info;
    if (age <= (isOrphan ? ORPHAN_AGE_MS : retentionDays * DAY_MS)) continue;
    if (isOrphan) result.deletedOrphans++;
    else result.deletedArtifacts++;
    // The side-car first: without it the rest is no artifact any more.
    for (const entry of [stored.info, stored.artifact]) if (entry) keys.push(entry.key);
    if (keys.length >= BATCH_KEYS) await deleteBatch();
  }
  await deleteBatch();
  return { ...result, isComplete: true };

  async function deleteBatch(): Promise<void> {
    if (keys.length > 0) await store.delete(keys);
    keys = [];
  }
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

const lastSweeps = new WeakMap<ArtifactStore, number>();

/** Starts a sweep unless this store was swept within the hour. Nobody waits for it, and it fails nobody. */
export function sweepLazily(
  store: ArtifactStore,
  options: { retentionDays: number; onSweep: ((outcome: SweepOutcome) => void) | undefined },
): void {
  const last = lastSweeps.get(store);
  if (last !== undefined && performance.now() - last < HOUR_MS) return;
  lastSweeps.set(store, performance.now());
  const { retentionDays, onSweep } = options;
  void sweepArtifacts(store, { retentionDays })
    .then(
      (result) => onSweep?.({ status: 'done', result }),
      (error: unknown) => onSweep?.({ status: 'failed', error }),
    )
    // What the callback itself throws: as an unhandled rejection it would end the process.
    .catch(() => {});
}
