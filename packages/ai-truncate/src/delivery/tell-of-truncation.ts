import { ArtifactTooLargeError } from '../artifacts/artifacts.ts';
import type { SaveOutcome } from '../artifacts/save-output.ts';
import { InvalidOptionError } from '../errors.ts';
import { notify } from '../options.ts';
import type { Delivery } from './delivery.ts';
import { type TruncationEvent, toTruncationEvent } from './truncation-event.ts';

/** What was told of a store that keeps nothing: of itself, and of those who ask for no owner. */
const warnedOf = new WeakMap<object, Set<string>>();

/** What is told of an output that was cut, but of its call. */
export type CutOutput = Pick<
  TruncationEvent,
  'reason' | 'lines' | 'bytes' | 'keptLines' | 'keptBytes' | 'sentBytes' | 'path' | 'keepError'
> & { outcome: SaveOutcome };

/** Tells the application. */
export function tellOfTruncation(delivery: Delivery, { outcome, ...facts }: CutOutput): void {
  const { entrance, toolName, toolCallId, keeping, abortSignal, startedAt, endedAt = startedAt } = delivery;
  const { store, onTruncate } = keeping;
  if (!onTruncate && outcome.status === 'failed' && !isExpected(outcome.error, abortSignal)) {
    warnOnce(store, outcome.error);
  }
  const event = toTruncationEvent({ entrance, toolName, toolCallId, ...facts, endedAt });
  notify(onTruncate, outcome.status === 'saved' ? event : { ...event, error: outcome.error });
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
