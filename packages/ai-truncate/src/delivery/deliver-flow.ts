import { pace } from '../pace.ts';
import { deliverStream, type OutputStream, toStreamChunk } from './deliver-stream.ts';
import { deliverValues } from './deliver-values.ts';
import type { Delivery } from './delivery.ts';

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
