import { anySignal, now } from '../../deadlines.ts';
import { bytePieces } from '../../text/utf.ts';
import { KeyExistsError, type PutOptions, type StoreBody } from '../artifact-store.ts';
import { Source, settleUpload } from '../shared/upload.ts';
import { type BlobCall, type CallBlob, findBlob } from './client.ts';

/** The shortest pause before the client's own second attempt. */
const CLIENT_PAUSE_MS = 1000;
/** How long a failed upload may look for its value. */
const AFTERMATH_MS = 1000;
/** Up to 32 MB are sent in one request. */
const MAX_WHOLE_PARTS = 4;

/**
 * Writes a value once. The service shows a value when the last byte of its only request has arrived, or when its last part is
 * acknowledged and the upload completed. So an earlier failure leaves nothing.
 */
export async function uploadBody(
  callBlob: CallBlob,
  { key, pathname, body, contentType, signal }: PutOptions & { key: string; pathname: string; body: StoreBody },
): Promise<void> {
  const source = new Source(body);
  const call = { verb: 'put', signal };
  const aftermath = { verb: 'put', timeoutMs: AFTERMATH_MS };
  const putOptions = {
    access: 'private',
    addRandomSuffix: false,
    allowOverwrite: false,
    contentType,
    // The least that the service accepts. A value never changes, but it can be deleted.
    cacheControlMaxAge: 60,
  } as const;

  async function sendWhole(value: Blob): Promise<void> {
    const startedAt = now();
    let attempts = 0;
    const send: BlobCall<unknown> = (client, common) => {
      attempts++;
      return client.put(pathname, value, { ...common, ...putOptions });
    };
    await callBlob(send, { ...call, bodyBytes: value.size }).catch((error) => {
      // The client may have repeated the request unnoticed, so an existing value can come from its first attempt.
      const isForeign = isTaken(error) && attempts === 1 && now() - startedAt < CLIENT_PAUSE_MS;
      return settle(error, async () => (attempts === 0 || isForeign ? undefined : findSame(value)));
    });
  }

  async function sendInParts(parts: AsyncIterator<Blob, undefined>): Promise<void> {
    // The service may refuse only after everything was sent. Checking first avoids the transfer.
    if (await findBlob(callBlob, { pathname, signal })) throw new KeyExistsError(key);
    const session = await callBlob(
      (client, common) => client.createMultipartUpload(pathname, { ...common, ...putOptions }),
      call,
    );
    const sent = await sendParts(parts, (part, { partNumber, stop }) =>
      callBlob(
        (client, common) => client.uploadPart(pathname, part, { ...common, ...putOptions, ...session, partNumber }),
        { verb: 'put', signal: anySignal([signal, stop]), bodyBytes: part.size },
      ),
    );
    const complete: BlobCall<unknown> = (client, common) =>
      client.completeMultipartUpload(pathname, sent, { ...common, ...putOptions, ...session });
    await callBlob(complete, call).catch((error) =>
      // The key was free at the start, so a value of exactly this size is the sent value. Its bytes are no longer in memory for a
      // comparison.
      settle(error, async () => {
        const blob = await findBlob(callBlob, { pathname, timeoutMs: AFTERMATH_MS });
        return blob?.size === source.bytes ? blob.etag : undefined;
      }),
    );
  }

  /** Finds out what a failed upload has stored, by the tag of the value. */
  function settle(error: unknown, findOwn: () => Promise<string | undefined>): Promise<void> {
    const remove = (ifMatch: string) =>
      callBlob((client, common) => client.del(pathname, { ...common, ifMatch }), aftermath);
    return settleUpload({ key, error, findOwn, remove, isConflict: isTaken, signal });
  }

  /** The tag of the stored value, if it has the bytes of `value`. */
  function findSame(value: Blob): Promise<string | undefined> {
    const compare: BlobCall<string | undefined> = async (client, common) => {
      const found = await client.get(pathname, { ...common, access: 'private', useCache: false });
      return found?.stream && (await hasSameBytes(found.stream, value)) ? found.blob.etag : undefined;
    };
    return callBlob(compare, { ...aftermath, bodyBytes: value.size });
  }

  try {
    const parts = toParts(source);
    const first: Blob[] = [];
    while (first.length <= MAX_WHOLE_PARTS) {
      const { done, value } = await parts.next();
      // A blob of blobs copies nothing.
      if (done) return await sendWhole(new Blob(first));
      first.push(value);
    }
    await sendInParts(inOrder(first, parts));
  } finally {
    source.close();
  }
}

async function hasSameBytes(stream: ReadableStream<Uint8Array>, value: Blob): Promise<boolean> {
  let offset = 0;
  for await (const chunk of stream) {
    const expected = new Uint8Array(await value.slice(offset, offset + chunk.length).arrayBuffer());
    if (chunk.length !== expected.length || chunk.some((byte, index) => byte !== expected[index])) return false;
    offset += chunk.length;
  }
  return offset === value.size;
}

/** The client has no class for this error. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && /already exists/i.test(error.message);
}

const PART_BYTES = 8 * 1024 * 1024;
/** Together with the part that is being collected, this holds 32 MB in memory; at the start of an upload, 40 MB. */
const MAX_PARTS_IN_FLIGHT = 3;

/**
 * Parts of `PART_BYTES`, the last one shorter. They are blobs, because blobs store their bytes outside of the heap, can be sent
 * without another copy, and can be joined and cut without a copy.
 */
async function* toParts(source: Source): AsyncGenerator<Blob, undefined> {
  let gathered: (Uint8Array<ArrayBuffer> | Blob)[] = [];
  let bytes = 0;
  for (let chunk = await source.next(); chunk; chunk = await source.next()) {
    // A blob copies all its bytes at once, and a chunk may have hundreds of megabytes.
    for (const piece of bytePieces(chunk, PART_BYTES)) {
      gathered.push(piece);
      bytes += piece.length;
      if (bytes < PART_BYTES) continue;
      const blob = new Blob(gathered);
      yield blob.slice(0, PART_BYTES);
      gathered = [blob.slice(PART_BYTES)];
      bytes -= PART_BYTES;
    }
  }
  if (bytes > 0) yield new Blob(gathered);
}

/** Releases the first parts as they are consumed. */
async function* inOrder(first: Blob[], rest: AsyncIterable<Blob>): AsyncGenerator<Blob, undefined> {
  for (let part = first.shift(); part; part = first.shift()) yield part;
  yield* rest;
}

interface SentPart {
  partNumber: number;
  etag: string;
}

/** Sends a few parts at a time and requests the next one only when a part has arrived. Ends with the first failure. */
async function sendParts(
  parts: AsyncIterator<Blob, undefined>,
  send: (part: Blob, how: { partNumber: number; stop: AbortSignal }) => Promise<SentPart>,
): Promise<SentPart[]> {
  const stop = new AbortController();
  const sent: SentPart[] = [];
  let partNumber = 0;

  async function sendOneByOne(): Promise<void> {
    // Parts arrive in the order in which they are requested.
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const sentPart = await send(next.value, { partNumber: ++partNumber, stop: stop.signal });
      sent[sentPart.partNumber - 1] = sentPart;
    }
  }
  try {
    await Promise.all(Array.from({ length: MAX_PARTS_IN_FLIGHT }, sendOneByOne));
  } finally {
    stop.abort();
  }
  return sent;
}
