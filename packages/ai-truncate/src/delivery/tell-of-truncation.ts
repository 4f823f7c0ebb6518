import type { SaveOutcome } from '../artifacts/live-save.ts';
import type { Delivery } from './delivery.ts';
import type { TruncationEvent } from './output-keeping.ts';

/** Tells the application. What its listener throws must not cost the result. */
export function tellOfTruncation(
  { toolName, toolCallId, keeping }: Delivery,
  { outcome, ...facts }: Pick<TruncationEvent, 'reason' | 'lines' | 'bytes' | 'path'> & { outcome: SaveOutcome },
): void {
  try {
    const event = { toolName, toolCallId, ...facts };
    const told: unknown = keeping.onTruncate?.(outcome.status === 'saved' ? event : { ...event, error: outcome.error });
    Promise.resolve(told).catch(() => {});
  } catch {
    // See above.
  }
}
