import { anySignal } from '../../deadlines.ts';
import { requireOption, requireOptions } from '../../options.ts';
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
  /** The prefix of every key in the bucket: `''`, or folders that end with a slash. @default 'tool-output/' */
  prefix?: string | undefined;
  /**
   * How long one request may take without progress. A value of up to 8 MB is one step; a part of a larger value is 5 MB. The
   * time that a tool takes to produce its output does not count.
   * @default 10_000
   */
  timeoutMs?: number | undefined;
}

/**
 * A store in any bucket that the `files-sdk` package (2.6 or newer) supports: S3, R2, GCS, Azure and others.
 *
 * - Values of up to 8 MB are written by one conditional request if `files.capabilities.conditional.create` is true (AWS S3;
 * compatible services with `s3({ conditional: true })`), so that a key can never be written twice. Otherwise, and for larger
 * values, the store first checks that the key is free. Two writers at the same moment could both succeed.
 * - Larger values are streamed. This needs constant memory over S3 and compatible services; the adapters `fs` and `memory`
 * collect the whole stream. For files, use `filesystemStore`.
 * - S3 answers a HEAD request for a missing bucket like a HEAD request for a missing key. Every other method throws.
 * - An adapter that cannot read ranges works, but reads every value from its start.
 *
 * @example
 * import { Files } from 'files-sdk';
 * import { s3 } from 'files-sdk/s3';
 *
 * const store = filesSdkStore(new Files({ adapter: s3({ bucket: 'my-agents', region: 'eu-central-1' }) }));
 */
export function filesSdkStore(files: FilesSdk, options: FilesSdkStoreOptions = {}): ArtifactStore {
  requireFiles(files);
  requireOptions(options, { known: ['prefix', 'timeoutMs'] satisfies (keyof FilesSdkStoreOptions)[] });
  const { prefix = 'tool-output/', timeoutMs = 10_000 } = options;
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
      // Always cut, because some backends send more bytes than the range.
      const part = isRange ? { start: 0, end: end - start } : { start, end };
      // Adapters report 0 if the answer has no length.
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
          // After a failure, the other deletions are not awaited and have no deadline, so they could hang forever.
          await Promise.all(deleted).finally(() => stop.abort());
        });
      }
      // If the adapter has no request for many keys, `files-sdk` deletes them one by one, eight at a time.
      const call = { timeoutMs: timeoutMs * Math.ceil(keys.length / 100), verb: 'delete', signal };
      await callFiles(call, async () => {
        // This call takes no signal, so an abort does not stop requests that were sent.
        const { errors = [] } = await files.delete(paths);
        const failed = errors.find(({ error }) => !isMissing(error));
        if (failed) throw failed.error;
      });
    },
  });
}

/** The most keys that are deleted one by one. A request for many keys cannot be aborted and may hang with the backend. */
const FEW_KEYS = 8;

/** The bytes that the backend sends for a value, and the announced size; `undefined` if the value does not exist. */
async function download(
  { files, prefix }: Bucket,
  { key, range, signal }: Omit<Parameters<FilesSdk['download']>[1], 'as'> & { key: string },
): Promise<{ body: ReadableStream<Uint8Array<ArrayBuffer>>; bytes: number } | undefined> {
  // Past the end, some backends fail, at once or when the body is read. Others return an empty answer.
  const isBehindEnd = async () => {
    if (!range) return false;
    const found = await files.head(prefix + key, { signal }).catch(() => undefined);
    return found !== undefined && found.size <= range.start;
  };
  try {
    const file = await files.download(prefix + key, { as: 'stream', range, signal });
    // No adapter returns shared memory. Its type only leaves the kind of buffer open.
    const body = () => file.stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
    if (file.size > 0 || !(await isBehindEnd())) return { body: body(), bytes: file.size };
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!(await isBehindEnd())) throw error;
  }
  return { body: streamOf([]), bytes: 0 };
}

/** A provider that does not report the time of a write must not make the value look old enough to be swept. */
function toEntry(key: string, { size, lastModified = Date.now() }: FilesSdkFile): StoredEntry {
  return { key, bytes: size, writtenAt: new Date(lastModified) };
}
