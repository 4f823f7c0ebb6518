import { KeyExistsError, type PutOptions, type StoreBody } from '../artifact-store.ts';
import { type Attempt, withRetries } from '../shared/retry.ts';
import { Source, settleUpload } from '../shared/upload.ts';
import { type Bucket, callFiles, type FilesSdkFile, findFile, isConflict, isRefusal } from './client.ts';

/**
 * The most bytes that are collected before they are sent. Only a body in memory can be written conditionally and sent again.
 * The limit is above the 5 MiB that S3 requires of a part, so a stream is always a multipart upload, which shows nothing until
 * it is complete.
 */
const MAX_GATHERED_BYTES = 8_000_000;
/** Short, because a caller already waits for the failed upload. */
const LONGEST_CHECK_MS = 2_000;
/** Distinguishes our own upload from another writer's. Only letters, because Azure accepts nothing else in a name. */
const MARK = 'putid';

/** Writes a value once: in one conditional request if the adapter supports it, otherwise after a check that the key is free. */
export async function uploadBody(
  bucket: Bucket,
  { key, body, contentType, signal }: PutOptions & { key: string; body: StoreBody },
): Promise<void> {
  const { files, prefix, timeoutMs } = bucket;
  const { metadata: canMark, conditional } = files.capabilities;
  const source = new Source(body);
  const mark = crypto.randomUUID();
  const options = { contentType, metadata: canMark ? { [MARK]: mark } : undefined };

  async function send(chunks: Uint8Array<ArrayBuffer>[]): Promise<void> {
    const call = { timeoutMs, verb: 'put', signal };
    if (source.isDone) {
      const value = new Uint8Array(await new Blob(chunks).arrayBuffer());
      const condition = conditional.create ? { type: 'create' as const } : undefined;
      await callFiles(call, (attempt) =>
        files.upload(prefix + key, value, { ...options, condition, signal: attempt.signal }),
      );
      return;
    }
    // A single attempt, because chunks that have been sent cannot be sent again.
    await withRetries(async (attempt) => {
      const { signal, onProgress } = attempt;
      await files.upload(prefix + key, toUploadStream(chunks, { source, attempt }), { ...options, signal, onProgress });
      if (source.failure) throw source.failure.error;
    }, call);
  }

  /**
   * A guess, if there is no mark: the key was free a moment ago. After a lost race for a conditional write, the value is
   * another writer's.
   */
  function isOwn(found: FilesSdkFile): boolean {
    return canMark ? found.metadata?.[MARK] === mark : !conditional.create;
  }

  try {
    const chunks = await gather(source);
    const isAtomic = source.isDone && conditional.create;
    if (!isAtomic && (await findFile(bucket, { key, verb: 'put', signal }))) throw new KeyExistsError(key);
    await send(chunks).catch((error) => {
      const limits = { verb: 'put', timeoutMs: Math.min(timeoutMs, LONGEST_CHECK_MS) };
      return settleUpload({
        key,
        signal,
        // An adapter whose cleanup fails would hide the error of the source.
        error: source.failure ? source.failure.error : error,
        isConflict: (reason) => !source.failure && isConflict(reason),
        async findOwn() {
          // A backend that refuses a request has stored nothing.
          if (!signal?.aborted && isRefusal(error)) return undefined;
          const found = await withRetries((attempt) => files.head(prefix + key, { signal: attempt.signal }), limits);
          return isOwn(found) ? found : undefined;
        },
        isWhole: (found) => source.isDone && found.size === source.bytes,
        remove: () => withRetries((attempt) => files.delete(prefix + key, { signal: attempt.signal }), limits),
      });
    });
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

/**
 * The collected chunks followed by the rest, read when the backend asks. The deadline runs only while the store waits for the
 * backend.
 */
function toUploadStream(
  chunks: Uint8Array<ArrayBuffer>[],
  { source, attempt }: { source: Source; attempt: Attempt },
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      start(controller) {
        const { signal } = attempt;
        // An adapter that ignores the signal would wait for the next chunk forever.
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
