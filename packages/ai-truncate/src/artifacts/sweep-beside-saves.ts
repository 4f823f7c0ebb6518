import { now } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { type SweepResult, sweepArtifacts } from './sweep-artifacts.ts';

/** How a sweep beside a save ended. */
export type SweepOutcome = { status: 'done'; result: SweepResult } | { status: 'failed'; error: unknown };

/** The options of every entrance that saves. */
export interface SweepBesideSaves {
  /**
   * Whether a save starts a sweep of the store beside it. `'hourly'`: at most once an hour, counted for each store object, or for
   * all processes where they share a directory. `false`: never; call `sweepArtifacts` from a cron job.
   * @default 'hourly' for `filesystemStore` and `memoryStore`, `false` for remote stores
   */
  sweep?: 'hourly' | false | undefined;
  /**
   * Called with the outcome of each of these sweeps. No save waits for them or fails with them. Without a listener, the first
   * failure of a store is printed with `console.warn`.
   */
  onSweep?: ((outcome: SweepOutcome) => void) | undefined;
}

const SWEEP_EVERY_MS = 3_600_000;
/** How often a process asks a store whether a sweep is due: other processes may have ended since. */
const ASK_EVERY_MS = 60_000;

interface SweepState {
  askedAt: number;
  hasWarned: boolean;
  /** Where the last pass stopped. */
  next: string | undefined;
}

const states = new WeakMap<ArtifactStore, SweepState>();

/** Throws for a value that could not work. */
export function requireSweepOptions({ sweep, onSweep }: SweepBesideSaves): void {
  if (sweep !== undefined && sweep !== 'hourly' && sweep !== false) {
    throw new InvalidOptionError({ option: 'sweep', value: sweep, expected: "'hourly' or false" });
  }
  if (onSweep !== undefined && typeof onSweep !== 'function') {
    throw new InvalidOptionError({ option: 'onSweep', value: onSweep, expected: 'a function' });
  }
}

/** Starts a sweep if one is due. Never throws, and there is nothing to wait for. */
export function sweepBesideSave(store: ArtifactStore, options: SweepBesideSaves & { retentionDays: number }): void {
  const { sweep = store.claimSweep ? 'hourly' : false } = options;
  if (sweep === false) return;
  const state = states.get(store) ?? { askedAt: -Infinity, hasWarned: false, next: undefined };
  const everyMs = store.claimSweep ? ASK_EVERY_MS : SWEEP_EVERY_MS;
  // A flag for a sweep under way would stay set where a runtime ends the work of a request that left.
  if (now() - state.askedAt < everyMs) return;
  states.set(store, Object.assign(state, { askedAt: now() }));
  void sweepIfDue(store, { ...options, state });
}

async function sweepIfDue(
  store: ArtifactStore,
  { state, retentionDays, onSweep }: SweepBesideSaves & { retentionDays: number; state: SweepState },
): Promise<void> {
  try {
    if (store.claimSweep && !(await store.claimSweep(SWEEP_EVERY_MS))) return;
    const result = await sweepArtifacts(store, { retentionDays, ...(state.next && { after: state.next }) });
    state.next = result.next;
    notify(onSweep, { status: 'done', result });
  } catch (error) {
    // From the beginning: where this one stopped may be out of reach.
    state.next = undefined;
    notify(onSweep ?? warnOnce(state), { status: 'failed', error });
  }
}

/** What a listener throws or rejects with would end the process as an unhandled rejection. */
function notify(listener: SweepBesideSaves['onSweep'], outcome: SweepOutcome): void {
  if (!listener) return;
  try {
    Promise.resolve(listener(outcome) as unknown).catch(() => {});
  } catch {
    // See above.
  }
}

/** Without a listener, expired artifacts would pile up unseen. */
function warnOnce(state: SweepState): SweepBesideSaves['onSweep'] {
  if (state.hasWarned) return undefined;
  state.hasWarned = true;
  return (outcome) =>
    console.warn(
      'ai-truncate: expired artifacts could not be deleted. `onSweep` receives each failure; this warning is printed once.',
      outcome.status === 'failed' ? outcome.error : undefined,
    );
}
