import { now } from '../deadlines.ts';
import { pace, workInTurns } from '../pace.ts';
import { deliverOutput, deliverStream } from './deliver-output.ts';
import type { Delivery } from './delivery.ts';
import { toRunningEnvelope } from './envelope.ts';
import { isForeignEnvelope, measureOutput, skipsTruncation } from './measure-output.ts';
import { modelViewOf } from './model-output.ts';
import { type OutputStream, toStreamChunk } from './save-and-scan.ts';

/** How often an output that is too large is shown while it grows. */
const SHOW_EVERY_MS = 250;
/** Looking at it must not hold up the tool: nine tenths of the time are the tool's own. */
const REST_PER_LOOK = 9;

/**
 * The outputs of a generator tool, of which each takes the place of the one before and the last is the final one. Those
 * within the limits pass. One over them is shown by its last kilobyte, as still running; only the final one is kept.
 */
export async function* deliverValues(values: AsyncIterable<unknown>, delivery: Delivery): AsyncGenerator<unknown> {
  const { limits } = delivery;
  const inTurns = workInTurns();
  let latest: { output: unknown; shown?: unknown } | undefined;
  let showAt = 0;
  for await (const item of values) {
    // An iterator may give promises, and our own `yield` would resolve them after they were measured.
    const output = await item;
    // What the model would be sent of it is asked of the last one only, and of those that are shown for it.
    const measured = await inTurns(() => measureOutput(output, limits));
    latest = { output };
    const isTooLarge = measured.reason !== undefined && !skipsTruncation(output, delivery);
    if (!isTooLarge && !isForeignEnvelope(output)) {
      latest.shown = measured.reason || delivery.toModelOutput ? output : measured.deliverable;
      yield latest.shown;
      continue;
    }
    const startedAt = now();
    if (startedAt < showAt) continue;
    const view = await modelViewOf(output, delivery);
    const running = await toRunningEnvelope(view.output, { ...delivery, reason: measured.reason ?? 'bytes' });
    const endedAt = now();
    showAt = endedAt + Math.max(SHOW_EVERY_MS, REST_PER_LOOK * (endedAt - startedAt));
    yield running;
  }
  if (!latest) return;
  const final = await deliverOutput(latest.output, delivery);
  if (!('shown' in latest) || !Object.is(final, latest.shown)) yield final;
}

/**
 * A stream that a tool returned itself, not a promise of one. Of text or bytes it is one output. Of anything else each item is an
 * output that takes the place of the one before: so the SDK reads it, and so a tool shows the messages of a sub-agent.
 */
export async function* deliverFlow(stream: OutputStream, delivery: Delivery): AsyncGenerator<unknown> {
  const items = pace<unknown>(stream, { abortSignal: delivery.abortSignal });
  const first = await items.next();
  const all = startingWith(first, items);
  const isText = first.done || toStreamChunk(first.value) !== undefined;
  if (isText) yield await deliverStream(all as OutputStream, delivery);
  else yield* deliverValues(all, delivery);
}

async function* startingWith(first: IteratorResult<unknown>, rest: AsyncGenerator<unknown>): AsyncGenerator<unknown> {
  if (first.done) return;
  try {
    yield first.value;
    yield* rest;
  } finally {
    // Also when nobody wants a second item: the source would stay open.
    await rest.return(undefined);
  }
}
