import { now } from '../deadlines.ts';
import { AiTruncateError } from '../errors.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';

/** How long a store that failed again and again is left alone, because each output would wait for it. */
const REST_MS = 30_000;
/** One failure may be due to one tenant: its quota, its slow key. */
const FAILURES_BEFORE_REST = 3;
/** Failures that are due to the output or the caller, not to the store. */
const NOT_OF_THE_STORE = ['ARTIFACT_TOO_LARGE', 'STORE_FULL', 'INVALID_OPTION', 'OUTPUT_CHANGED'];

const circuits = new WeakMap<ArtifactStore, { failures: number; restsUntil: number; error: unknown }>();

/** Throws while the store rests. */
export function requireAwake(store: ArtifactStore): void {
  const circuit = circuits.get(store);
  if (!circuit || circuit.restsUntil <= now()) return;
  const message = 'The store failed several times in the last 30 seconds and is not asked again yet. Look at `cause`.';
  throw new AiTruncateError(message, { code: 'STORE_RESTING', cause: circuit.error });
}

/** The store saved something: its failures are forgotten. */
export function countSuccess(store: ArtifactStore): void {
  circuits.delete(store);
}

/** A save failed. From the third failure in a row on, the store rests. */
export function countFailure(store: ArtifactStore, error: unknown): void {
  if (AiTruncateError.isInstance(error) && NOT_OF_THE_STORE.includes(error.code)) return;
  const failures = (circuits.get(store)?.failures ?? 0) + 1;
  const restsUntil = failures < FAILURES_BEFORE_REST ? 0 : now() + REST_MS;
  circuits.set(store, { failures, restsUntil, error });
}
