import { now } from '../deadlines.ts';
import { pace, workInTurns } from '../pace.ts';
import { deliverOutput, deliverStream } from './deliver-output.ts';
import type { Delivery } from './delivery.ts';
import { toRunningEnvelope } from './envelope.ts';
import { isForeignEnvelope, measureOutput, skipsTruncation } from './measure-output.ts';
import { modelViewOf } from './model-output.ts';
import { redactEach } from './redact-output.ts';
import { type OutputStream, toStreamChunk } from './save-and-scan.ts';

/** How often an output over the limits is shown while it grows. */
const SHOW_EVERY_MS = 250;
/** Measuring must not slow down the tool, which gets nine tenths of the time. */
const REST_PER_LOOK = 9;

/**
 * The outputs of a generator tool. Each output replaces the previous one, and the last one is final. Outputs within the limits
 * pass. For an output over the limits, its last kilobyte is shown, as still running. Only the final output is saved.
 */
export async function* deliverValues(values: AsyncIterable<unknown>, delivery: Delivery): AsyncGenerator<unknown> {
  const { limits } = delivery;
  const inTurns = workInTurns();
  let latest: { output: unknown; shown?: unknown } | undefined;
  let showAt = 0;
  for await (const item of redactEach(values, delivery.redaction)) {
    // An iterator may yield promises, and our own `yield` would resolve them after they were measured.
    const output = await item;
    // `toModelOutput` is called only for the last output and for outputs that are shown.
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
 * A stream that a tool returned itself, not a promise of one. With text or bytes, it is one output. With anything else, each
 * item is an output that replaces the previous one, as in the SDK. In this way a tool shows the messages of a sub-agent.
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
    // Needed even if no second item is requested, because the source would stay open.
    await rest.return(undefined);
  }
}
