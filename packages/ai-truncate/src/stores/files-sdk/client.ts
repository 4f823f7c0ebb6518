import { InvalidOptionError } from '../../errors.ts';
import { type RequestOptions, request } from '../store-request.ts';
import { isMissing, toPauseMs } from './errors.ts';

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

/** How a request is sent that may be sent again. */
export const REPEATED: Pick<RequestOptions, 'deadlineFor' | 'toPauseMs'> = { deadlineFor: 'attempt', toPauseMs };

/** What the backend knows of a value; `undefined` when there is none. */
export function findFile(
  { files, prefix, timeoutMs }: Bucket,
  { key, verb, signal }: { key: string; verb: string; signal: AbortSignal | undefined },
): Promise<FilesSdkFile | undefined> {
  return request(
    async (deadline) => {
      try {
        return await files.head(prefix + key, { signal: deadline.signal });
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    { ...REPEATED, verb, timeoutMs, signal },
  );
}

export function requireFiles(files: unknown): void {
  const { capabilities, ...methods } = pick(files);
  if (capabilities && Object.values(methods).every((method) => typeof method === 'function')) return;
  throw new InvalidOptionError({
    option: 'files',
    value: files,
    expected: "a `Files` of files-sdk 2.6 or newer, as in `new Files({ adapter: s3({ bucket: '…' }) })`",
  });
}

function pick(files: unknown): Record<keyof FilesSdk, unknown> {
  const { capabilities, upload, download, head, list, delete: remove } = Object(files) as Partial<FilesSdk>;
  return { capabilities: capabilities?.conditional, upload, download, head, list, delete: remove };
}
