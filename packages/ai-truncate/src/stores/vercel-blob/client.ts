import { AiTruncateError } from '../../errors.ts';
import { requireOption } from '../../options.ts';
import { type AskedRange, type CallOptions, undefinedIf } from '../artifact-store.ts';
import type { WantedBytes } from '../shared/read-stream.ts';
import { toBackoffMs, withRetries } from '../shared/retry.ts';

export type BlobClient = typeof import('@vercel/blob');

export interface Call extends CallOptions {
  verb: string;
  /** How much is sent: a slow line gets the time for it on top of `timeoutMs`. */
  bodyBytes?: number;
  /** Instead of the store's own. */
  timeoutMs?: number;
}

export type BlobCall<T> = (client: BlobClient, common: { token?: string; abortSignal: AbortSignal }) => Promise<T>;

/** Makes one call of `@vercel/blob` within a deadline, and again when it failed for a reason that passes. */
export type CallBlob = <T>(send: BlobCall<T>, call: Call) => Promise<T>;

/** The line that a large value is given time for: 2 Mbit/s. */
const SLOW_LINE_BYTES_PER_MS = 250;
const FIRST_PAUSE_MS = 250;

export function createCallBlob(options: { token: string | undefined; timeoutMs: number }): CallBlob {
  const isToken = options.token === undefined || isReadWriteToken(options.token);
  // What was given may be a secret all the same, of another kind.
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
      // The reason of a signal is its owner's, whatever it looks like.
      throw signal?.aborted ? error : toBlobError(error, verb);
    }
  };
}

/** What the service knows of a blob; `undefined` when there is none. */
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

/** Where the wanted bytes are in the answer to `get`, whatever the server made of the range: one that ignores it sends all. */
export function toWanted(
  headers: { get(name: string): string | null },
  { start, end, totalBytes }: AskedRange,
): WantedBytes {
  const contentRange = headers.get('content-range');
  if (contentRange === null) {
    const length = headers.get('content-length');
    // The length of a compressed answer counts other bytes than the ones that arrive here.
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
    // A literal, and in a `try`: a bundler finds the package where it is installed and builds without it where it is not.
    return await import('@vercel/blob');
  } catch (cause) {
    throw new AiTruncateError(
      '`vercelBlobStore` needs the package `@vercel/blob`, which could not be loaded: `npm install @vercel/blob`.',
      { code: 'PACKAGE_MISSING', cause },
    );
  }
}

/**
 * A token that is known is passed on: without one, the client looks for OIDC first in every call, in files and over the
 * network. With `BLOB_STORE_ID` alone it has to, because such a token is another one in each request.
 */
function toCredentials(token: string | undefined): { token?: string } {
  if (token !== undefined) return { token };
  const fromEnvironment = readEnvironment('BLOB_READ_WRITE_TOKEN');
  if (fromEnvironment !== undefined) {
    if (isReadWriteToken(fromEnvironment)) return { token: fromEnvironment };
    throw new AiTruncateError(`BLOB_READ_WRITE_TOKEN does not look like ${TOKEN_FORM}. Copy it anew from the store.`, {
      code: 'TOKEN_INVALID',
    });
  }
  if (readEnvironment('BLOB_STORE_ID') !== undefined) return {};
  throw new AiTruncateError(
    'The Blob store has no credentials. Set BLOB_READ_WRITE_TOKEN in the environment, or BLOB_STORE_ID where Vercel gives ' +
      'an OIDC token, or pass `token` to `vercelBlobStore`.',
    { code: 'TOKEN_MISSING' },
  );
}

/** `undefined` also where there is no `process`, as on the edge. */
function readEnvironment(name: string): string | undefined {
  const value = typeof process === 'undefined' ? undefined : process.env?.[name]?.trim();
  return value === '' ? undefined : value;
}

const TOKEN_FORM = '`vercel_blob_rw_<store>_<secret>`';

// The client takes the store out of it and puts it into the name of a host.
function isReadWriteToken(token: unknown): boolean {
  return typeof token === 'string' && /^vercel_blob_rw_[A-Za-z0-9]+_[\w-]+$/.test(token);
}

/**
 * What passes: no connection, a broken answer, 429 and 5xx. The client repeats most of it by itself before we learn of it
 * (after 1 s, 2 s, 4 s …, within our deadline), but never 429, nothing of `get`, and no broken answer.
 */
function toPauseMs(error: unknown, { client, attempt }: { client: BlobClient; attempt: number }): number | undefined {
  const pauseMs = toBackoffMs(FIRST_PAUSE_MS, attempt);
  if (error instanceof client.BlobServiceRateLimited) {
    // A date instead of seconds is no number to the client.
    return Math.max(pauseMs, (error.retryAfter || 0) * 1000);
  }
  if (error instanceof client.BlobServiceNotAvailable || error instanceof client.BlobUnknownError) return pauseMs;
  const status = toStatus(error);
  if (status !== undefined) return status === 429 || status >= 500 ? pauseMs : undefined;
  // By name: in a sandbox these are not always the classes that this file sees.
  return error instanceof Error && ['TypeError', 'SyntaxError'].includes(error.name) ? pauseMs : undefined;
}

/** The status that a failed `get` tells, in its message only. */
export function toStatus(error: unknown): number | undefined {
  const status = error instanceof Error && /Failed to fetch blob: (\d{3})/.exec(error.message)?.[1];
  return status ? Number(status) : undefined;
}

/** A failure of the network as an error of ours; every other error as it is. */
export function toBlobError(error: unknown, verb: string): unknown {
  if (!isNetworkFailure(error)) return error;
  // `fetch` tells why in causes of causes only.
  const message = `The Blob store could not be reached with \`${verb}\`, or the connection broke: ${toReason(error)}. Check the network and try again.`;
  return new AiTruncateError(message, { code: 'STORE_UNREACHABLE', cause: error });
}

/** By name and words: in a sandbox it is not always the class that this file sees, and every other `TypeError` is a defect. */
function isNetworkFailure(error: unknown): error is Error {
  return (
    error instanceof Error &&
    error.name === 'TypeError' &&
    /^(?:fetch failed|failed to fetch|terminated)$|network/i.test(error.message)
  );
}

/** Errors can be their own cause, by a detour too. */
const MAX_DEPTH = 10;

/** The innermost reason, with its code: `connect ECONNREFUSED 127.0.0.1:80`. */
function toReason(error: Error & { code?: unknown }, depth = 0): string {
  // One host with several addresses fails once for each, and the error of all has no message.
  const inner: unknown = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
  if (inner instanceof Error && depth < MAX_DEPTH) return toReason(inner, depth + 1);
  const { message, code = '' } = error;
  return message.includes(String(code)) ? message : `${code} ${message}`.trim();
}
