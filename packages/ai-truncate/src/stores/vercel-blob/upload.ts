import { anySignal, now, untilAborted } from '../../deadlines.ts';
import { KeyExistsError } from '../artifact-store.ts';
import { openSource } from '../store-source.ts';
import { type CallBlob, findBlob } from './client.ts';
import { inOrder, sendParts, toParts } from './parts.ts';

export interface Upload {
  key: string;
  pathname: string;
  contentType: string;
  signal: AbortSignal | undefined;
}

/** The client starts a second attempt of its own no sooner than this. */
const CLIENT_PAUSE_MS = 1000;
/** How long a failed upload may look for what became of it. */
const AFTERMATH_MS = 1000;
/** Up to 32 MB are sent in one request. */
const MAX_WHOLE_PARTS = 4;

/**
 * Writes a value once. The service shows a value when the last byte of its only request has arrived, or when the last of its
 * parts is acknowledged and the upload completed, so what fails before that leaves nothing.
 */
export async function uploadBody(
  callBlob: CallBlob,
  { body, ...upload }: Upload & { body: AsyncIterable<Uint8Array<ArrayBuffer>> },
): Promise<void> {
  const source = openSource(body);
  const parts = toParts(source);
  try {
    const first: Blob[] = [];
    while (first.length <= MAX_WHOLE_PARTS) {
      const { done, value } = await parts.next();
      // Blobs of blobs copy nothing.
      if (done) return await uploadWhole(callBlob, { ...upload, value: new Blob(first) });
      first.push(value);
    }
    await uploadParts(callBlob, { ...upload, parts: inOrder(first, parts) });
  } finally {
    source.close();
  }
}

async function uploadWhole(callBlob: CallBlob, { value, ...upload }: Upload & { value: Blob }): Promise<void> {
  const { key, pathname, signal } = upload;
  const startedAt = now();
  let attempts = 0;
  try {
    await callBlob(
      (client, common) => {
        attempts++;
        return client.put(pathname, value, { ...common, ...toPutOptions(upload) });
      },
      { verb: 'put', signal, bodyBytes: value.size },
    );
  } catch (error) {
    if (attempts === 0) throw error;
    // The client may have repeated the request unseen, and then what "exists" can be the value of its first attempt.
    const isOnlyAttempt = attempts === 1 && now() - startedAt < CLIENT_PAUSE_MS;
    if (isTaken(error) && isOnlyAttempt) throw new KeyExistsError(key, { cause: error });
    const findOwn = () => findSame(callBlob, { pathname, value });
    await settle(callBlob, { ...upload, error, findOwn });
  }
}

async function uploadParts(
  callBlob: CallBlob,
  { parts, ...upload }: Upload & { parts: AsyncIterator<Blob, undefined> },
): Promise<void> {
  const { key, pathname, signal } = upload;
  const putOptions = toPutOptions(upload);
  // Whether the service refuses at the end only, after all has been sent, is its own affair: who asks first sends nothing.
  if (await findBlob(callBlob, { pathname, signal })) throw new KeyExistsError(key);
  const session = await callBlob(
    (client, common) => client.createMultipartUpload(pathname, { ...common, ...putOptions }),
    { verb: 'put', signal },
  );
  const { sent, bytes } = await sendParts(parts, (part, { partNumber, stop }) =>
    callBlob(
      (client, common) => client.uploadPart(pathname, part, { ...common, ...putOptions, ...session, partNumber }),
      { verb: 'put', signal: anySignal([signal, stop]), bodyBytes: part.size },
    ),
  );
  try {
    await callBlob(
      (client, common) => client.completeMultipartUpload(pathname, sent, { ...common, ...putOptions, ...session }),
      { verb: 'put', signal },
    );
  } catch (error) {
    // The key was free when this began, so a value of just this size is the one that was sent: its bytes are gone by now.
    const findOwn = async () => {
      const blob = await findBlob(callBlob, { pathname, timeoutMs: AFTERMATH_MS });
      return blob?.size === bytes ? blob.etag : undefined;
    };
    await settle(callBlob, { ...upload, error, findOwn });
  }
}

interface Aftermath {
  error: unknown;
  /** The tag of what is stored, if that is the value that was sent. */
  findOwn: () => Promise<string | undefined>;
}

/** After a failure the value may be there all the same: the answer was lost, or came too late. Then the put has succeeded. */
async function settle(callBlob: CallBlob, upload: Upload & Aftermath): Promise<void> {
  const { key, signal, error } = upload;
  // Whoever aborts does not wait for a service that may hang: then this goes on in the background.
  if (await untilAborted(keepOrRemove(callBlob, upload), signal)) return;
  throw isTaken(error) ? new KeyExistsError(key, { cause: error }) : error;
}

/**
 * Whether the value is there. A caller who has aborted believes that nothing was written, so for them it is removed. Best
 * effort, and never rejects: a request that still waits somewhere between here and the service can arrive after we looked.
 */
async function keepOrRemove(callBlob: CallBlob, { pathname, signal, findOwn }: Upload & Aftermath): Promise<boolean> {
  const etag = await findOwn().catch(() => undefined);
  if (etag === undefined) return false;
  if (!signal?.aborted) return true;
  // Only while it is still that value.
  await callBlob((client, common) => client.del(pathname, { ...common, ifMatch: etag }), {
    verb: 'put',
    timeoutMs: AFTERMATH_MS,
  }).catch(() => {});
  return false;
}

/** The tag of what is stored, if it has the bytes of `value`. */
async function findSame(
  callBlob: CallBlob,
  { pathname, value }: { pathname: string; value: Blob },
): Promise<string | undefined> {
  return callBlob(
    async (client, common) => {
      const found = await client.get(pathname, { ...common, access: 'private', useCache: false });
      if (!found?.stream) return undefined;
      let offset = 0;
      for await (const chunk of found.stream) {
        const expected = new Uint8Array(await value.slice(offset, offset + chunk.length).arrayBuffer());
        const isSame = chunk.length === expected.length && chunk.every((byte, index) => byte === expected[index]);
        if (!isSame) return undefined;
        offset += chunk.length;
      }
      return offset === value.size ? found.blob.etag : undefined;
    },
    { verb: 'put', timeoutMs: AFTERMATH_MS, bodyBytes: value.size },
  );
}

function toPutOptions({ contentType }: Upload) {
  return {
    access: 'private',
    addRandomSuffix: false,
    allowOverwrite: false,
    contentType,
    // The least that the service accepts. A value never changes, but it is deleted.
    cacheControlMaxAge: 60,
  } as const;
}

/** The client has no class for it. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && /already exists/i.test(error.message);
}
