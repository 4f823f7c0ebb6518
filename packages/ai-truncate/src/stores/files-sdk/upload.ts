import { KeyExistsError } from '../artifact-store.ts';
import { type Attempt, withRetries } from '../shared/retry.ts';
import { openSource, type Source, settleUpload } from '../shared/upload.ts';
import { type Bucket, callFiles, type FilesSdkFile, findFile, isConflict, isRefusal } from './client.ts';

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

/** Writes a value once: in one conditional request where the adapter has them, otherwise after checking that the key is free. */
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
  await callFiles({ timeoutMs, verb: 'put', signal }, (attempt) =>
    files.upload(prefix + key, body, { contentType, metadata, condition, signal: attempt.signal }),
  );
}

/** Once, because what has been sent is gone. */
async function uploadStream(
  { files, prefix, timeoutMs }: Bucket,
  { key, source, chunks, contentType, metadata, signal }: Upload & { chunks: Uint8Array<ArrayBuffer>[] },
): Promise<void> {
  await withRetries(
    async (attempt) => {
      await files.upload(prefix + key, toUploadStream(chunks, { source, attempt }), {
        contentType,
        metadata,
        signal: attempt.signal,
        onProgress: attempt.onProgress,
      });
      if (source.failure) throw source.failure.error;
    },
    { verb: 'put', timeoutMs, signal },
  );
}

/** The gathered chunks and then the rest, read as the backend asks. The deadline runs only while the backend is waited for. */
function toUploadStream(
  chunks: Uint8Array<ArrayBuffer>[],
  { source, attempt }: { source: Source; attempt: Attempt },
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      start(controller) {
        const { signal } = attempt;
        // An adapter that does not watch the signal would wait for the next chunk for ever.
        signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
      },
      async pull(controller) {
        attempt.pause();
        try {
          const chunk = chunks.shift() ?? (await source.next());
          if (chunk) controller.enqueue(chunk);
          else controller.close();
        } finally {
          attempt.resume();
        }
      },
    },
    { highWaterMark: 0 },
  );
}

/** Throws what the upload threw, unless the value is stored all the same. */
async function settle(bucket: Bucket, upload: Upload & { error: unknown }): Promise<void> {
  const { key, source, signal, error } = upload;
  const { files, prefix, timeoutMs } = bucket;
  const limits = { verb: 'put', timeoutMs: Math.min(timeoutMs, LONGEST_CHECK_MS) };
  await settleUpload<FilesSdkFile>({
    key,
    signal,
    // The error of an adapter that cleans up in vain would hide that of the source.
    error: source.failure ? source.failure.error : error,
    isConflict: (reason) => !source.failure && isConflict(reason),
    async findOwn() {
      // A backend that refuses has stored nothing.
      if (!signal?.aborted && isRefusal(error)) return undefined;
      const found = await withRetries((attempt) => files.head(prefix + key, { signal: attempt.signal }), limits);
      return isOwn(bucket, { found, mark: upload.mark }) ? found : undefined;
    },
    isWhole: (found) => source.isDone && found.size === source.bytes,
    remove: () => withRetries((attempt) => files.delete(prefix + key, { signal: attempt.signal }), limits),
  });
}

/** As far as that can be learnt: without a mark, where nothing was a moment ago. A lost race for a conditional write is another's. */
function isOwn({ files }: Bucket, { found, mark }: { found: FilesSdkFile; mark: string }): boolean {
  const { metadata: canMark, conditional } = files.capabilities;
  return canMark ? found.metadata?.[MARK] === mark : !conditional.create;
}
