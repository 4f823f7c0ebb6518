import { requireOption } from '../../options.ts';
import { type CallOptions, undefinedIf } from '../artifact-store.ts';
import { type Attempt, toBackoffMs, withRetries } from '../shared/retry.ts';

/** What the store reads of an object. A `StoredFile` of `files-sdk` is one. */
export interface FilesSdkFile {
  key: string;
  size: number;
  lastModified?: number;
  metadata?: Record<string, string>;
  stream(): ReadableStream<Uint8Array>;
}

/**
 * What the store needs of `files-sdk`: an instance of its `Files`, over any adapter, is one. Described here, so that nobody
 * has to install the package for the sake of a type.
 */
export interface FilesSdk {
  readonly capabilities: {
    readonly rangeRead: boolean;
    readonly metadata: boolean;
    readonly conditional: { readonly create: boolean };
  };
  upload(
    key: string,
    body: Uint8Array | ReadableStream<Uint8Array>,
    options: {
      contentType: string;
      signal: AbortSignal;
      metadata?: Record<string, string>;
      condition?: { type: 'create' };
      onProgress?: () => void;
    },
  ): Promise<unknown>;
  download(
    key: string,
    options: { as: 'stream'; signal: AbortSignal; range?: { start: number; end?: number } },
  ): Promise<FilesSdkFile>;
  head(key: string, options: { signal: AbortSignal }): Promise<FilesSdkFile>;
  list(options: {
    prefix: string;
    signal: AbortSignal;
    cursor?: string;
  }): Promise<{ items: FilesSdkFile[]; cursor?: string }>;
  delete(key: string, options: { signal: AbortSignal }): Promise<void>;
  delete(keys: string[]): Promise<{ errors?: { key: string; error: Error }[] }>;
}

/** What every verb is given. */
export interface Bucket {
  files: FilesSdk;
  /** What stands before every key. */
  prefix: string;
  timeoutMs: number;
}

const FIRST_PAUSE_MS = 50;

interface Call extends CallOptions {
  verb: string;
}

/** Makes one call of `files-sdk` within a deadline, and again when it failed for a reason that passes. */
export function callFiles<T>(call: Call & { timeoutMs: number }, send: (attempt: Attempt) => Promise<T>): Promise<T> {
  const toPauseMs = (error: unknown, attempt: number) =>
    isTransient(error) ? toBackoffMs(FIRST_PAUSE_MS, attempt) : undefined;
  return withRetries(send, { ...call, deadlineFor: 'attempt', toPauseMs });
}

/** What the backend knows of a value; `undefined` when there is none. */
export function findFile(
  { files, prefix, timeoutMs }: Bucket,
  { key, ...call }: Call & { key: string },
): Promise<FilesSdkFile | undefined> {
  return callFiles({ ...call, timeoutMs }, ({ signal }) =>
    files.head(prefix + key, { signal }).catch(undefinedIf(isMissing)),
  );
}

export function requireFiles(files: unknown): void {
  const { capabilities, upload, download, head, list, delete: remove } = Object(files) as Partial<FilesSdk>;
  const methods = [upload, download, head, list, remove];
  const isFiles = capabilities?.conditional && methods.every((method) => typeof method === 'function');
  const expected = "a `Files` of files-sdk 2.6 or newer, as in `new Files({ adapter: s3({ bucket: '…' }) })`";
  requireOption(isFiles, { option: 'files', value: files, expected });
}

const MISSING_BUCKET = new Set<unknown>(['NoSuchBucket', 'ContainerNotFound']);

/** Whether the backend lacks the key. A missing bucket has the same code, but nothing of it may look like "not there". */
export function isMissing(error: unknown): boolean {
  const { code, cause } = detailsOf(error);
  const inner = detailsOf(cause);
  return code === 'NotFound' && ![inner.name, inner.code, inner.Code].some((word) => MISSING_BUCKET.has(word));
}

/** Whether the backend holds a value under the key already. */
export function isConflict(error: unknown): boolean {
  return detailsOf(error).code === 'Conflict';
}

/** Whether the backend said no: then it has stored nothing. */
export function isRefusal(error: unknown): boolean {
  const { code, permanent } = detailsOf(error);
  return code === 'Unauthorized' || code === 'ReadOnly' || permanent === true;
}

function isTransient(error: unknown): boolean {
  const { code, permanent, aborted, cause } = detailsOf(error);
  if (code !== 'Provider' || permanent === true || aborted === true) return false;
  const { $metadata, statusCode, status, code: causeCode } = detailsOf(cause);
  const httpStatus = [detailsOf($metadata).httpStatusCode, statusCode, status, causeCode].find(
    (value) => typeof value === 'number',
  );
  // Without a status the connection broke. 409 is how S3 says that two conditional writes met.
  return httpStatus === undefined || httpStatus >= 500 || [408, 409, 425, 429].includes(httpStatus);
}

/** What the store reads of a `FilesError`, and of the provider's own error inside it. */
function detailsOf(error: unknown): Record<string, unknown> {
  return Object(error);
}
