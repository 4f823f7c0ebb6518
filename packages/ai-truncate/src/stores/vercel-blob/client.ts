import { AiTruncateError } from '../../errors.ts';
import { requireOption } from '../../options.ts';
import { type AskedRange, type CallOptions, undefinedIf } from '../artifact-store.ts';
import type { WantedBytes } from '../shared/read-stream.ts';
import { toBackoffMs, withRetries } from '../shared/retry.ts';

export type BlobClient = typeof import('@vercel/blob');

export interface Call extends CallOptions {
  verb: string;
  /** The size of the body. A slow connection gets time for it in addition to `timeoutMs`. */
  bodyBytes?: number;
  /** Replaces the timeout of the store. */
  timeoutMs?: number;
}

export type BlobCall<T> = (client: BlobClient, common: { token?: string; abortSignal: AbortSignal }) => Promise<T>;

/** Makes one call of `@vercel/blob` within a deadline, and repeats it after a temporary failure. */
export type CallBlob = <T>(send: BlobCall<T>, call: Call) => Promise<T>;

/** The slowest connection that can send a large value in time: 2 Mbit/s. */
const SLOW_LINE_BYTES_PER_MS = 250;
const FIRST_PAUSE_MS = 250;

export function createCallBlob(options: { token: string | undefined; timeoutMs: number }): CallBlob {
  const isToken = options.token === undefined || isReadWriteToken(options.token);
  // The message does not show the value, because it may be another kind of secret.
  requireOption(isToken, { option: 'token', value: '…', expected: TOKEN_FORM });
  return async (send, { verb, signal, bodyBytes = 0, timeoutMs = options.timeoutMs }) => {
    const client = await loadClient();
    const credentials = toCredentials(options.token);
    try {
      return await withRetries((attempt) => send(client, { ...credentials, abortSignal: attempt.signal }), {
        verb,
        signal,
        timeoutMs: timeoutMs + Math.floor(bodyBytes / SLOW_LINE_BYTES_PER_MS),
        toPauseMs: (error, attempt) => toPauseMs(error, { client, attempt }),
      });
    } catch (error) {
      // The reason of a signal belongs to the caller and is never replaced.
      throw signal?.aborted ? error : toBlobError(error, verb);
    }
  };
}

/** The metadata of a blob, or `undefined` if it does not exist. */
export async function findBlob(
  callBlob: CallBlob,
  { pathname, ...call }: { pathname: string } & Omit<Call, 'verb'>,
): Promise<{ pathname: string; size: number; uploadedAt: Date; etag: string } | undefined> {
  return callBlob(
    ({ head, BlobNotFoundError }, common) =>
      head(pathname, common).catch(undefinedIf((error) => error instanceof BlobNotFoundError)),
    { verb: 'head', ...call },
  );
}

/** The position of the wanted bytes in the answer to `get`. A server that ignores the range sends the whole value. */
export function toWanted(
  headers: { get(name: string): string | null },
  { start, end, totalBytes }: AskedRange,
): WantedBytes {
  const contentRange = headers.get('content-range');
  if (contentRange === null) {
    const length = headers.get('content-length');
    // The length of a compressed answer does not count the bytes that arrive here.
    const isCounted = length !== null && headers.get('content-encoding') === null;
    return { start, end, promisedBytes: isCounted ? Number(length) : undefined, expectedBytes: totalBytes };
  }
  const [first, last, total] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange) ?? []).slice(1).map(Number);
  const isWanted = first === start && last !== undefined && total !== undefined && last === Math.min(end, total) - 1;
  if (!isWanted || (totalBytes !== undefined && total !== totalBytes)) {
    throw new AiTruncateError(
      `The Blob store answered \`get\` of the bytes ${start} to ${end} with \`${contentRange}\`. Try again later.`,
      { code: 'STORE_ANSWER' },
    );
  }
  const bytes = last - first + 1;
  return { start: 0, end: bytes, promisedBytes: bytes };
}

async function loadClient(): Promise<BlobClient> {
  try {
    // A literal in a `try` block: a bundler finds the package if it is installed, and builds without it otherwise.
    return await import('@vercel/blob');
  } catch (cause) {
    throw new AiTruncateError(
      '`vercelBlobStore` needs the package `@vercel/blob`, which could not be loaded: `npm install @vercel/blob`.',
      { code: 'PACKAGE_MISSING', cause },
    );
  }
}

/**
 * A known token is passed on, because without it the client looks for OIDC first in every call, in files and over the network.
 * With only `BLOB_STORE_ID`, it has to, because each request has another token.
 */
function toCredentials(token: string | undefined): { token?: string } {
  if (token !== undefined) return { token };
  const fromEnvironment = readEnvironment('BLOB_READ_WRITE_TOKEN');
  if (fromEnvironment !== undefined) {
    if (isReadWriteToken(fromEnvironment)) return { token: fromEnvironment };
    throw new AiTruncateError(`BLOB_READ_WRITE_TOKEN does not look like ${TOKEN_FORM}. Copy it again from the store.`, {
      code: 'TOKEN_INVALID',
    });
  }
  if (readEnvironment('BLOB_STORE_ID') !== undefined) return {};
  throw new AiTruncateError(
    'The Blob store has no credentials. Set BLOB_READ_WRITE_TOKEN in the environment, or BLOB_STORE_ID if Vercel provides ' +
      'an OIDC token, or pass `token` to `vercelBlobStore`.',
    { code: 'TOKEN_MISSING' },
  );
}

/** Also returns `undefined` if there is no `process`, as on the edge. */
function readEnvironment(name: string): string | undefined {
  const value = typeof process === 'undefined' ? undefined : process.env?.[name]?.trim();
  return value === '' ? undefined : value;
}

const TOKEN_FORM = '`vercel_blob_rw_<store>_<secret>`';

// The client takes the store id out of the token and uses it in a host name.
function isReadWriteToken(token: unknown): boolean {
  return typeof token === 'string' && /^vercel_blob_rw_[A-Za-z0-9]+_[\w-]+$/.test(token);
}

/**
 * Temporary failures: no connection, a broken answer, 429 and 5xx. The client itself repeats most of them (after 1 s, 2 s, 4 s
 * …, within our deadline), but never 429, `get` requests or broken answers.
 */
function toPauseMs(error: unknown, { client, attempt }: { client: BlobClient; attempt: number }): number | undefined {
  const pauseMs = toBackoffMs(FIRST_PAUSE_MS, attempt);
  if (error instanceof client.BlobServiceRateLimited) {
    // The client reads a date instead of seconds as `NaN`.
    return Math.max(pauseMs, (error.retryAfter || 0) * 1000);
  }
  if (error instanceof client.BlobServiceNotAvailable || error instanceof client.BlobUnknownError) return pauseMs;
  const status = toStatus(error);
  if (status !== undefined) return status === 429 || status >= 500 ? pauseMs : undefined;
  // Compares names, because in a sandbox the classes can differ from the classes here.
  return error instanceof Error && ['TypeError', 'SyntaxError'].includes(error.name) ? pauseMs : undefined;
}

/** The status of a failed `get`. The error has it only in its message. */
export function toStatus(error: unknown): number | undefined {
  const status = error instanceof Error && /Failed to fetch blob: (\d{3})/.exec(error.message)?.[1];
  return status ? Number(status) : undefined;
}

/** A network failure as an error of this library. Every other error is returned unchanged. */
export function toBlobError(error: unknown, verb: string): unknown {
  if (!isNetworkFailure(error)) return error;
  // `fetch` reports the reason only in nested causes.
  const message = `The Blob store could not be reached with \`${verb}\`, or the connection broke: ${toReason(error)}. Check the network and try again.`;
  return new AiTruncateError(message, { code: 'STORE_UNREACHABLE', cause: error });
}

/**
 * Compares name and message, because in a sandbox the class can differ from the class here, and every other `TypeError` is a
 * defect.
 */
function isNetworkFailure(error: unknown): error is Error {
  return (
    error instanceof Error &&
    error.name === 'TypeError' &&
    /^(?:fetch failed|failed to fetch|terminated)$|network/i.test(error.message)
  );
}

/** An error can be its own cause, directly or indirectly. */
const MAX_DEPTH = 10;

/** The innermost reason, with its code: `connect ECONNREFUSED 127.0.0.1:80`. */
function toReason(error: Error & { code?: unknown }, depth = 0): string {
  // A host with several addresses fails once for each, and the combined error has no message.
  const inner: unknown = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
  if (inner instanceof Error && depth < MAX_DEPTH) return toReason(inner, depth + 1);
  const { message, code = '' } = error;
  return message.includes(String(code)) ? message : `${code} ${message}`.trim();
}
