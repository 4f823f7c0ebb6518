import { ArtifactTooLargeError } from '../artifacts/artifact-errors.ts';
import type { SaveOutcome } from '../artifacts/live-save.ts';
import { InvalidOptionError } from '../errors.ts';
import type { Delivery } from './delivery.ts';
import type { TruncationEvent } from './output-keeping.ts';

/** What was told of a store that keeps nothing: of itself, and of those who ask for no owner. */
const warnedOf = new WeakMap<object, Set<string>>();

/** Tells the application. What its listener throws must not cost the result. */
export function tellOfTruncation(
  { toolName, toolCallId, keeping, abortSignal }: Delivery,
  { outcome, ...facts }: Pick<TruncationEvent, 'reason' | 'lines' | 'bytes' | 'path'> & { outcome: SaveOutcome },
): void {
  if (!keeping.onTruncate && outcome.status === 'failed' && !isExpected(outcome.error, abortSignal)) {
    warnOnce(keeping.store, outcome.error);
  }
  try {
    const event = { toolName, toolCallId, ...facts };
    const told: unknown = keeping.onTruncate?.(outcome.status === 'saved' ? event : { ...event, error: outcome.error });
    Promise.resolve(told).catch(() => {});
  } catch {
    // See above.
  }
}

/** The caller left, or set the limit. */
function isExpected(error: unknown, abortSignal: AbortSignal | undefined): boolean {
  return abortSignal?.aborted === true || ArtifactTooLargeError.isInstance(error);
}

/** An application that does not listen would never learn that nothing is kept: all else goes on as if it were. */
function warnOnce(store: object, error: unknown): void {
  const kind = InvalidOptionError.isInstance(error) ? 'options' : 'store';
  const told = warnedOf.get(store) ?? new Set();
  if (told.has(kind)) return;
  warnedOf.set(store, told.add(kind));
  console.warn(
    'ai-truncate: the full output of a tool was not kept. `onTruncate` would be told of each; this is said once.',
    error,
  );
}
