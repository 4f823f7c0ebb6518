import { AiTruncateError } from '../../errors.ts';
import { requireOption, requireOptions } from '../../options.ts';
import {
  type ArtifactStore,
  type AskedRange,
  type CallOptions,
  checkedStore,
  isKey,
  type StoredEntry,
  streamOf,
} from '../artifact-store.ts';
import { listInOrder } from '../shared/listing.ts';
import { type BodyReader, toReadStream, type WantedBytes } from '../shared/read-stream.ts';
import { requireTimeoutMs } from '../shared/retry.ts';
import { type CallBlob, createCallBlob, findBlob, toBlobError, toStatus, toWanted } from './client.ts';
import { uploadBody } from './upload.ts';

export interface VercelBlobStoreOptions {
  /** The folder in the Blob store for all values. @default 'tool-output/' */
  prefix?: string | undefined;
  /** A read-write token of the store. @default `BLOB_READ_WRITE_TOKEN`, else OIDC with `BLOB_STORE_ID` */
  token?: string | undefined;
  /**
   * How long one request may take, including retries. Sending takes one second more for each 250 KB. During a read, each pause
   * between two chunks may be as long. @default 10_000
   */
  timeoutMs?: number | undefined;
}

const LIST_PAGE = 1000;

/**
 * A store in Vercel Blob, for values that other instances must find, because functions on Vercel do not share a disk. It needs
 * the package `@vercel/blob`. Its blobs are always private. It runs on Node and on the edge.
 *
 * - Every request has a deadline (`timeoutMs`) and at most three attempts, for 429, 5xx and network failures. `@vercel/blob`
 * also retries after 5xx and network failures (`VERCEL_BLOB_RETRIES`), within the same deadline. Without a connection, the call
 * then fails with `STORE_TIMEOUT`. To see the reason, set `VERCEL_BLOB_RETRIES=0`, so that it fails with `STORE_UNREACHABLE`.
 * - `put` resolves when the service has confirmed the value. If its answer is lost, the store reads the value, and the same
 * bytes under the key count as written. This takes at most a second, and the time to read the value. An aborted put rejects at
 * once; a value that has arrived anyway is removed in the background.
 * - Up to 32 MB are sent in one request, more in parts of 8 MB, with about 50 MB in memory. Parts of an upload that failed are
 * never shown, but the service has no call to remove them.
 *
 * @example
 * const store = vercelBlobStore({ prefix: 'tool-output/' });
 */
export function vercelBlobStore(options: VercelBlobStoreOptions = {}): ArtifactStore {
  requireOptions(options, { known: ['prefix', 'token', 'timeoutMs'] satisfies (keyof VercelBlobStoreOptions)[] });
  const { timeoutMs = 10_000 } = options;
  requireTimeoutMs(timeoutMs);
  const prefix = toPrefix(options.prefix ?? 'tool-output/');
  const callBlob = createCallBlob({ token: options.token, timeoutMs });

  const find = (key: string, { signal }: CallOptions) => findBlob(callBlob, { pathname: prefix + key, signal });

  return checkedStore({
    async put(key, body, options) {
      await uploadBody(callBlob, { key, pathname: prefix + key, body, ...options });
    },
    async get(key, { signal, ...range }) {
      try {
        const body = await openBody(callBlob, { pathname: prefix + key, signal, ...range });
        return body && toReadStream(body.reader, { key, timeoutMs, signal, ...body.wanted });
      } catch (error) {
        // The range starts past the end.
        if (toStatus(error) === 416) return (await find(key, { signal })) && streamOf([]);
        throw error;
      }
    },
    async head(key, options) {
      const blob = await find(key, options);
      return blob && toEntry(key, blob);
    },
    list(folder, { after, signal }) {
      const toPage = async (cursor: string | undefined) => {
        const page = await callBlob(
          (client, common) => client.list({ ...common, prefix: `${prefix}${folder}`, limit: LIST_PAGE, cursor }),
          { verb: 'list', signal },
        );
        if (page.hasMore && !page.cursor) throw answerError('`list` has more values, but returned no cursor');
        // Other programs may store blobs in the same place. Only our own need a size and a time.
        const ours = page.blobs.filter(({ pathname }) => isKey(pathname.slice(prefix.length)));
        const entries = ours.map((blob) => toEntry(blob.pathname, blob));
        // Within a page, the service may use any order.
        entries.sort((one, other) => (one.key < other.key ? -1 : 1));
        return { entries, cursor: page.hasMore ? page.cursor : undefined };
      };
      return listInOrder(toPage, { prefix, after, signal });
    },
    async delete(keys, { signal }) {
      const pathnames = keys.map((key) => prefix + key);
      await callBlob((client, common) => client.del(pathnames, common), { verb: 'delete', signal });
    },
  });
}

function toEntry(key: string, { size, uploadedAt }: { size: number; uploadedAt: Date }): StoredEntry {
  if (!Number.isSafeInteger(size) || Number.isNaN(uploadedAt.getTime())) {
    throw answerError(`\`${key}\` came without its size or time`);
  }
  return { key, bytes: size, writtenAt: uploadedAt };
}

function toPrefix(prefix: string): string {
  // No part is `..` or has a colon, because the client would treat an address as a URL and send it the token.
  const isPath =
    typeof prefix === 'string' && prefix.length <= 500 && /^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/.test(prefix);
  const expected = 'a relative path of letters, digits, `_`, `-` and dots, such as `tool-output/`';
  requireOption(isPath, { option: 'prefix', value: prefix, expected });
  return prefix.endsWith('/') ? prefix : `${prefix}/`;
}

function answerError(what: string): AiTruncateError {
  const message = `The Blob store sent an invalid answer: ${what}. Try again later.`;
  return new AiTruncateError(message, { code: 'STORE_ANSWER' });
}

/** Requests the bytes from `start` up to `end` of a value; `undefined` if it does not exist. */
async function openBody(
  callBlob: CallBlob,
  { pathname, signal, ...range }: AskedRange & { pathname: string },
): Promise<{ reader: BodyReader; wanted: WantedBytes } | undefined> {
  const isWhole = range.start === 0 && range.end === Number.POSITIVE_INFINITY;
  // With a range, `fetch` itself asks for an uncompressed answer, so the announced length counts the bytes that arrive.
  const headers: Record<string, string> = isWhole
    ? {}
    : { range: `bytes=${range.start}-${Number.isFinite(range.end) ? range.end - 1 : ''}` };
  return callBlob(
    async (client, common) => {
      // Bypasses the cache, which shows a deleted value for up to a minute.
      const found = await client.get(pathname, { ...common, access: 'private', useCache: false, headers });
      if (!found?.stream) return undefined;
      // Bytes from the network are never shared memory. The client's type only leaves the kind of buffer open.
      const reader = (found.stream as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
      try {
        const wanted = toWanted(found.headers, range);
        // Until its first bytes have arrived, an attempt can be repeated.
        return { wanted, reader: startingWith(await reader.read(), reader) };
      } catch (error) {
        reader.cancel(error).catch(() => {});
        throw error;
      }
    },
    { verb: 'get', signal },
  );
}

function startingWith(first: Awaited<ReturnType<BodyReader['read']>>, rest: BodyReader): BodyReader {
  const ahead = [first];
  const toOurError = (error: unknown) => Promise.reject(toBlobError(error, 'get'));
  return {
    read: async () => ahead.shift() ?? rest.read().catch(toOurError),
    cancel: (reason) => rest.cancel(reason),
  };
}
