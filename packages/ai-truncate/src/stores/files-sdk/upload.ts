import { untilAborted } from '../../deadlines.ts';
import { KeyExistsError } from '../artifact-store.ts';
import { type Deadline, request } from '../store-request.ts';
import { openSource, type Source } from '../store-source.ts';
import { type Bucket, type FilesSdkFile, findFile, REPEATED } from './client.ts';
import { isConflict, isRefusal } from './errors.ts';

/**
 * What is gathered before it is sent: only a body in memory can be written conditionally and sent again. More than the 5 MiB
 * that S3 demands of a part, so a stream is always a multipart upload, which shows nothing until it is complete.
 */
const MAX_GATHERED_BYTES = 8_000_000;
/** After a failed upload somebody waits already. */
const LONGEST_CHECK_MS = 2_000;
/** Tells our own upload from another's. Letters only: Azure takes nothing else in a name. */
const MARK = 'putid';

interface Upload {
  key: string;
  contentType: string;
  signal: AbortSignal | undefined;
  source: Source;
  mark: string;
  metadata: Record<string, string> | undefined;
}

/** Writes a value once: as one conditional request where that can be, else after a look whether the key is free. */
export async function uploadBody(
  bucket: Bucket,
  {
    body,
    ...options
  }: Pick<Upload, 'key' | 'contentType' | 'signal'> & { body: AsyncIterable<Uint8Array<ArrayBuffer>> },
): Promise<void> {
  const { key, signal } = options;
  const { metadata: canMark, conditional } = bucket.files.capabilities;
  const source = openSource(body);
  const mark = crypto.randomUUID();
  const upload = { ...options, source, mark, metadata: canMark ? { [MARK]: mark } : undefined };
  try {
    const chunks = await gather(source);
    const isAtomic = source.isDone && conditional.create;
    if (!isAtomic && (await findFile(bucket, { key, verb: 'put', signal }))) throw new KeyExistsError(key);
    const send = source.isDone ? uploadBytes : uploadStream;
    await send(bucket, { ...upload, chunks }).catch((error) => settle(bucket, { ...upload, error }));
  } finally {
    source.close();
  }
}

async function gather(source: Source): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  while (source.bytes <= MAX_GATHERED_BYTES) {
    const chunk = await source.next();
    if (!chunk) break;
    chunks.push(chunk);
  }
  return chunks;
}

async function uploadBytes(
  { files, prefix, timeoutMs }: Bucket,
  { key, chunks, contentType, metadata, signal }: Upload & { chunks: Uint8Array<ArrayBuffer>[] },
): Promise<void> {
  const body = new Uint8Array(await new Blob(chunks).arrayBuffer());
  const condition = files.capabilities.conditional.create ? { type: 'create' as const } : undefined;
  await request(
    (deadline) => files.upload(prefix + key, body, { contentType, metadata, condition, signal: deadline.signal }),
    { ...REPEATED, verb: 'put', timeoutMs, signal },
  );
}

/** Once, because what has been sent is gone. */
async function uploadStream(
  { files, prefix, timeoutMs }: Bucket,
  { key, source, chunks, contentType, metadata, signal }: Upload & { chunks: Uint8Array<ArrayBuffer>[] },
): Promise<void> {
  await request(
    async (deadline) => {
      await files.upload(prefix + key, toUploadStream(chunks, { source, deadline }), {
        contentType,
        metadata,
        signal: deadline.signal,
        onProgress: deadline.onProgress,
      });
      if (source.failure) throw source.failure.error;
    },
    { verb: 'put', timeoutMs, signal },
  );
}

/** The gathered chunks and then the rest, read as the backend asks. The deadline runs only while the backend is waited for. */
function toUploadStream(
  chunks: Uint8Array<ArrayBuffer>[],
  { source, deadline }: { source: Source; deadline: Deadline },
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      start(controller) {
        const { signal } = deadline;
        // An adapter that does not watch the signal would wait for the next chunk for ever.
        signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
      },
      async pull(controller) {
        deadline.pause();
        try {
          const chunk = chunks.shift() ?? (await source.next());
          if (chunk) controller.enqueue(chunk);
          else controller.close();
        } finally {
          deadline.resume();
        }
      },
    },
    { highWaterMark: 0 },
  );
}

/** Throws what the upload threw, unless the value is stored all the same: only the answer may have been lost. */
async function settle(bucket: Bucket, { error, ...upload }: Upload & { error: unknown }): Promise<void> {
  const { key, source, signal } = upload;
  // A backend that refuses has stored nothing.
  const mayBeStored = signal?.aborted || !isRefusal(error);
  // Whoever aborts does not wait for a backend that may hang: then this goes on in the background.
  if (mayBeStored && (await untilAborted(keepOrRemove(bucket, upload), signal))) return;
  // The error of an adapter that cleans up in vain would hide that of the source.
  if (source.failure) throw source.failure.error;
  throw isConflict(error) ? new KeyExistsError(key, { cause: error }) : error;
}

/** Whether the value is there, and whole. Half of it, or what nobody waits for any more, is removed. Never rejects. */
async function keepOrRemove(bucket: Bucket, upload: Upload): Promise<boolean> {
  const { key, source, signal } = upload;
  const found = await findOwn(bucket, upload);
  if (!found) return false;
  if (!signal?.aborted && source.isDone && found.size === source.bytes) return true;
  await remove(bucket, key);
  return false;
}

/** The value, if it is there and ours, as far as that can be learnt. */
async function findOwn({ files, prefix, timeoutMs }: Bucket, { key, mark }: Upload): Promise<FilesSdkFile | undefined> {
  const { metadata: canMark, conditional } = files.capabilities;
  try {
    const found = await request((deadline) => files.head(prefix + key, { signal: deadline.signal }), {
      verb: 'put',
      timeoutMs: Math.min(timeoutMs, LONGEST_CHECK_MS),
    });
    // Without a mark it is ours where nothing was a moment ago; a lost race for a conditional write is another's.
    const isOwn = canMark ? found.metadata?.[MARK] === mark : !conditional.create;
    return isOwn ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Best effort. */
async function remove({ files, prefix, timeoutMs }: Bucket, key: string): Promise<void> {
  await request((deadline) => files.delete(prefix + key, { signal: deadline.signal }), {
    verb: 'put',
    timeoutMs: Math.min(timeoutMs, LONGEST_CHECK_MS),
  }).catch(() => {});
}
