import { requireOption } from '../../options.ts';
import { type CallOptions, undefinedIf } from '../artifact-store.ts';
import { type Attempt, toBackoffMs, withRetries } from '../shared/retry.ts';

/** The properties of an object that the store uses. A `StoredFile` of `files-sdk` has them. */
export interface FilesSdkFile {
  key: string;
  size: number;
  lastModified?: number;
  metadata?: Record<string, string>;
  stream(): ReadableStream<Uint8Array>;
}

/**
 * The methods of `files-sdk` that the store needs. Every `Files` has them, with any adapter. They are described here, so
 * that types need no installed package.
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

/** The parameters of every method. */
export interface Bucket {
  files: FilesSdk;
  /** The part of every path before the key. */
  prefix: string;
  timeoutMs: number;
}

const FIRST_PAUSE_MS = 50;

interface Call extends CallOptions {
  verb: string;
}

/** Makes one call of `files-sdk` within a deadline, and repeats it after a temporary failure. */
export function callFiles<T>(call: Call & { timeoutMs: number }, send: (attempt: Attempt) => Promise<T>): Promise<T> {
  const toPauseMs = (error: unknown, attempt: number) =>
    isTransient(error) ? toBackoffMs(FIRST_PAUSE_MS, attempt) : undefined;
  return withRetries(send, { ...call, deadlineFor: 'attempt', toPauseMs });
}

/** The metadata of a value, or `undefined` if it does not exist. */
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

/** Whether the backend does not have the key. A missing bucket has the same code, but must not look like a missing key. */
export function isMissing(error: unknown): boolean {
  const { code, cause } = detailsOf(error);
  const inner = detailsOf(cause);
  return code === 'NotFound' && ![inner.name, inner.code, inner.Code].some((word) => MISSING_BUCKET.has(word));
}

/** Whether the error means that the key already holds a value. */
export function isConflict(error: unknown): boolean {
  return detailsOf(error).code === 'Conflict';
}

/** Whether the backend refused the request, so that it stored nothing. */
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
  // Without a status, the connection broke. S3 answers 409 when two conditional writes conflict.
  return httpStatus === undefined || httpStatus >= 500 || [408, 409, 425, 429].includes(httpStatus);
}

/** The properties of a `FilesError`, and of the provider's error inside it, that the store uses. */
function detailsOf(error: unknown): Record<string, unknown> {
  return Object(error);
}
