import { anySignal } from '../../deadlines.ts';
import { requireOption } from '../../options.ts';
import { type ArtifactStore, checkedStore, type StoredEntry, streamOf, undefinedIf } from '../artifact-store.ts';
import { listInOrder } from '../shared/listing.ts';
import { toReadStream } from '../shared/read-stream.ts';
import { requireTimeoutMs } from '../shared/retry.ts';
import {
  type Bucket,
  callFiles,
  type FilesSdk,
  type FilesSdkFile,
  findFile,
  isMissing,
  requireFiles,
} from './client.ts';
import { uploadBody } from './upload.ts';

export type { FilesSdk, FilesSdkFile };

export interface FilesSdkStoreOptions {
  /** What stands before every key in the bucket: `''`, or folders with a slash at the end. @default 'tool-output/' */
  prefix?: string;
  /**
   * How long one request may go without progress. A value of up to 8 MB is one step, a part of a larger one is 5 MB. The
   * time that a tool takes to produce its output does not count.
   * @default 10_000
   */
  timeoutMs?: number;
}

/**
 * A store in any bucket that the `files-sdk` package (2.6 or newer) speaks to: S3, R2, GCS, Azure and others.
 *
 * - Values of up to 8 MB are written by one conditional request where `files.capabilities.conditional.create` is true
 *   (AWS S3; compatible services with `s3({ conditional: true })`), so that a key can never be written twice. Elsewhere, and
 *   for larger values, the store looks first: two writers at the same moment could both find nothing.
 * - Larger values are streamed. Over S3 and what is compatible with it that needs constant memory; the adapters `fs` and
 *   `memory` gather a stream whole. For files use `filesystemStore`.
 * - S3 answers a HEAD in a bucket that does not exist like one for a key that does not exist; every other verb throws.
 * - An adapter that cannot read ranges works, but reads every value from its start.
 *
 * @example
 * import { Files } from 'files-sdk';
 * import { s3 } from 'files-sdk/s3';
 *
 * const store = filesSdkStore(new Files({ adapter: s3({ bucket: 'my-agents', region: 'eu-central-1' }) }));
 */
export function filesSdkStore(files: FilesSdk, options: FilesSdkStoreOptions = {}): ArtifactStore {
  const { prefix = 'tool-output/', timeoutMs = 10_000 } = options;
  requireFiles(files);
  const isPrefix = typeof prefix === 'string' && /^(?:[a-zA-Z0-9_-][a-zA-Z0-9._-]*\/)*$/.test(prefix);
  requireOption(isPrefix, { option: 'prefix', value: prefix, expected: "'' or folders with a slash at the end" });
  requireTimeoutMs(timeoutMs);
  const bucket = { files, prefix, timeoutMs };

  return checkedStore({
    async put(key, body, options) {
      await uploadBody(bucket, { key, body, ...options });
    },
    async get(key, { start, end, totalBytes, signal }) {
      const isRange = files.capabilities.rangeRead && (start > 0 || end < Number.POSITIVE_INFINITY);
      const range = isRange ? { start, end: end < Number.POSITIVE_INFINITY ? end - 1 : undefined } : undefined;
      const answer = await callFiles({ timeoutMs, verb: 'get', signal }, (attempt) =>
        download(bucket, { key, range, signal: attempt.signal }),
      );
      if (!answer) return undefined;
      // Cut in any case: some backends send more than a range asks for.
      const part = isRange ? { start: 0, end: end - start } : { start, end };
      // Adapters say 0 where the answer has no length.
      const promisedBytes = answer.bytes === 0 ? undefined : answer.bytes;
      const isAll = !isRange || answer.bytes === totalBytes;
      const expectedBytes =
        isAll || totalBytes === undefined ? totalBytes : Math.max(0, Math.min(end, totalBytes) - start);
      const sent = { promisedBytes, expectedBytes };
      return toReadStream(answer.body.getReader(), { key, timeoutMs, signal, ...sent, ...part });
    },
    async head(key, { signal }) {
      const found = await findFile(bucket, { key, verb: 'head', signal });
      return found && toEntry(key, found);
    },
    list(folder, { after, signal }) {
      const toPage = async (cursor: string | undefined) => {
        const page = await callFiles({ timeoutMs, verb: 'list', signal }, (attempt) =>
          files.list({ prefix: prefix + folder, signal: attempt.signal, ...(cursor !== undefined && { cursor }) }),
        );
        const found = page.items.filter((file) => file.key.startsWith(prefix + folder));
        return { entries: found.map((file) => toEntry(file.key, file)), cursor: page.cursor };
      };
      return listInOrder(toPage, { prefix, after, signal });
    },
    async delete(keys, { signal }) {
      const paths = keys.map((key) => prefix + key);
      if (paths.length <= FEW_KEYS) {
        const call = { timeoutMs, verb: 'delete', signal };
        return callFiles(call, async (attempt) => {
          const stop = new AbortController();
          const each = { signal: anySignal([attempt.signal, stop.signal]) };
          const deleted = paths.map((path) => files.delete(path, each).catch(undefinedIf(isMissing)));
          // After a failure the other deletions are not awaited and have no deadline, so they could hang for ever.
          await Promise.all(deleted).finally(() => stop.abort());
        });
      }
      // Where the adapter has no request for many keys, `files-sdk` deletes them one by one, eight at a time.
      const call = { timeoutMs: timeoutMs * Math.ceil(keys.length / 100), verb: 'delete', signal };
      await callFiles(call, async () => {
        // It takes no signal for many keys: what was sent when the caller aborts goes on.
        const { errors = [] } = await files.delete(paths);
        const failed = errors.find(({ error }) => !isMissing(error));
        if (failed) throw failed.error;
      });
    },
  });
}

/** So few keys are deleted one by one, because a request for many cannot be aborted and may hang with the backend. */
const FEW_KEYS = 8;

/** What the backend sends of a value, and how many bytes it says that is; `undefined` when there is none. */
async function download(
  { files, prefix }: Bucket,
  { key, range, signal }: Omit<Parameters<FilesSdk['download']>[1], 'as'> & { key: string },
): Promise<{ body: ReadableStream<Uint8Array<ArrayBuffer>>; bytes: number } | undefined> {
  // Behind the end some backends have an error, at once or when the body is read, and others an empty answer.
  const isBehindEnd = async () => {
    if (!range) return false;
    const found = await files.head(prefix + key, { signal }).catch(() => undefined);
    return found !== undefined && found.size <= range.start;
  };
  try {
    const file = await files.download(prefix + key, { as: 'stream', range, signal });
    // No adapter has shared memory to give: its type only says nothing of the buffer.
    const body = () => file.stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
    if (file.size > 0 || !(await isBehindEnd())) return { body: body(), bytes: file.size };
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!(await isBehindEnd())) throw error;
  }
  return { body: streamOf([]), bytes: 0 };
}

/** A provider that does not say when a value was written must not make it look old enough to be swept away. */
function toEntry(key: string, { size, lastModified = Date.now() }: FilesSdkFile): StoredEntry {
  return { key, bytes: size, writtenAt: new Date(lastModified) };
}
