import { deliverOutput, judgeOutput } from './deliver-output.ts';
import type { Delivery } from './delivery.ts';
import type { TruncationEvent } from './output-keeping.ts';
import { toRunningOutput } from './running-output.ts';
import { workInTurns } from './work-in-turns.ts';

/** How often an output that is too large is shown while it grows. */
const SHOW_EVERY_MS = 250;
/** Looking at it must not hold up the tool: nine tenths of the time are the tool's own. */
const REST_PER_LOOK = 9;

/**
 * The outputs of a generator tool, of which each takes the place of the one before and the last is the final one. Those
 * within the limits pass. One over them is shown by its last kilobyte, as still running; only the final one is kept.
 */
export async function* deliverValues(values: AsyncIterable<unknown>, delivery: Delivery): AsyncGenerator<unknown> {
  let latest: { output: unknown; reason: TruncationEvent['reason'] } | undefined;
  let showAt = 0;
  const inTurns = workInTurns();
  for await (const output of values) {
    const judged = await inTurns(() => judgeOutput(output, delivery));
    if ('deliverable' in judged) {
      latest = undefined;
      yield judged.deliverable;
      continue;
    }
    latest = { output, reason: judged.reason };
    const startedAt = performance.now();
    if (startedAt < showAt) continue;
    const running = await toRunningOutput(judged.view.output, { ...delivery, reason: judged.reason });
    const endedAt = performance.now();
    showAt = endedAt + Math.max(SHOW_EVERY_MS, REST_PER_LOOK * (endedAt - startedAt));
    yield running;
  }
  if (latest) yield await deliverOutput(latest.output, delivery);
}
