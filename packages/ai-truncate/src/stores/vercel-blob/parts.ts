import type { Source } from '../store-source.ts';

const PART_BYTES = 8 * 1024 * 1024;
/** With the one that is gathered meanwhile, 32 MB are held; at the start of an upload it is 40 MB. */
const MAX_PARTS_IN_FLIGHT = 3;

/**
 * Pieces of `PART_BYTES`, the last one shorter. As blobs, because those keep their bytes outside of the heap, are sent
 * without another copy, and put together without one.
 */
export async function* toParts(source: Source): AsyncGenerator<Blob, undefined> {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (let chunk = await source.next(); chunk; chunk = await source.next()) {
    let rest = chunk;
    while (bytes + rest.length >= PART_BYTES) {
      const room = PART_BYTES - bytes;
      const part = new Blob([...chunks, rest.subarray(0, room)]);
      rest = rest.subarray(room);
      chunks = [];
      bytes = 0;
      yield part;
    }
    if (rest.length > 0) chunks.push(rest);
    bytes += rest.length;
  }
  if (bytes > 0) yield new Blob(chunks);
}

/** Lets go of the first ones as they are taken. */
export async function* inOrder(first: Blob[], rest: AsyncIterable<Blob>): AsyncGenerator<Blob, undefined> {
  for (let part = first.shift(); part; part = first.shift()) yield part;
  yield* rest;
}

export interface SentPart {
  partNumber: number;
  etag: string;
}

/** A few at a time; the next one is asked for only when one of them has arrived. */
export async function sendParts(
  parts: AsyncIterator<Blob, undefined>,
  send: (part: Blob, how: { partNumber: number; stop: AbortSignal }) => Promise<SentPart>,
): Promise<{ sent: SentPart[]; bytes: number }> {
  const stop = new AbortController();
  const sent: SentPart[] = [];
  const inFlight = new Set<Promise<void>>();
  let fail = (_: unknown) => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  let bytes = 0;
  try {
    for (let partNumber = 1; ; partNumber++) {
      const next = parts.next();
      // Or a body that stalls would keep an upload that has failed. Without its value: `failed` holds on to all these races.
      await Promise.race([next.then(() => {}), failed]);
      const { done, value: part } = await next;
      if (done) break;
      bytes += part.size;
      const sending = send(part, { partNumber, stop: stop.signal }).then((sentPart) => {
        sent.push(sentPart);
        inFlight.delete(sending);
      });
      // One that failed stays in flight, so that the next wait rejects with its reason.
      sending.catch(fail);
      inFlight.add(sending);
      if (inFlight.size === MAX_PARTS_IN_FLIGHT) await Promise.race(inFlight);
    }
    await Promise.all(inFlight);
  } catch (error) {
    stop.abort();
    throw error;
  }
  return { sent: sent.sort((one, other) => one.partNumber - other.partNumber), bytes };
}
