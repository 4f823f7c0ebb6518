import { now } from '../deadlines.ts';
import type { Delivery } from './delivery.ts';
import { keepText } from './keep-text.ts';
import { measureOutput } from './measure-output.ts';
import { toTruncatedOutput } from './to-truncated-output.ts';
import { isInterruption, sentForError, TruncatedToolError } from './tool-error.ts';
import { toToolError } from './tool-outcome.ts';

/**
 * What is thrown in place of what a tool threw: the same, unless the SDK would send too much of it to the model. Then all that
 * it would have sent is kept, never the stack. The reason that ended the call, and what is bounded already, stay what they are.
 */
export async function deliverError(error: unknown, delivery: Delivery): Promise<unknown> {
  if (isInterruption(error, delivery.abortSignal) || TruncatedToolError.isInstance(error)) return error;
  const endedAt = now();
  const sent = sentForError(error);
  const measured = await measureOutput(sent, delivery.limits);
  if (!measured.reason) return measured.deliverable === sent ? error : measured.deliverable;
  const kept = await keepText(sent, delivery);
  const truncated = await toTruncatedOutput(
    { ...delivery, endedAt },
    {
      ...kept,
      reason: measured.reason,
      outcomeOfTool: { error: toToolError({ code: 'EXECUTION_ERROR' }, kept.scanned.scan.head) },
    },
  );
  return new TruncatedToolError(truncated);
}
