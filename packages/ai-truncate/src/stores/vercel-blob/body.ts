import { AiTruncateError } from '../../errors.ts';
import type { BodyReader, WantedBytes } from '../store-read-stream.ts';
import type { CallBlob } from './client.ts';
import { toBlobError } from './network.ts';

export interface BlobBody {
  reader: BodyReader;
  wanted: WantedBytes;
}

interface Range {
  start: number;
  end: number;
  /** How many bytes the value has, where that is known. */
  totalBytes?: number | undefined;
}

/** Asks for the bytes from `start` to before `end` of a value; `undefined` when there is none. */
export async function openBody(
  callBlob: CallBlob,
  { pathname, signal, ...range }: Range & { pathname: string; signal: AbortSignal | undefined },
): Promise<BlobBody | undefined> {
  const isWhole = range.start === 0 && range.end === Number.POSITIVE_INFINITY;
  // With a range, `fetch` itself asks for an answer that is not compressed: its bytes are the ones that are counted.
  const headers: Record<string, string> = isWhole
    ? {}
    : { range: `bytes=${range.start}-${Number.isFinite(range.end) ? range.end - 1 : ''}` };
  return callBlob(
    async (client, common) => {
      // Past the cache, which shows a deleted value for a minute.
      const found = await client.get(pathname, { ...common, access: 'private', useCache: false, headers });
      if (!found?.stream) return undefined;
      // What comes from the network is never shared memory: the client's type only says nothing of the buffer.
      const reader = (found.stream as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
      try {
        return { wanted: toWanted(found.headers, range), reader: await readAhead(reader) };
      } catch (error) {
        reader.cancel(error).catch(() => {});
        throw error;
      }
    },
    { verb: 'get', signal },
  );
}

/** Until its first bytes are there, an attempt can still be repeated. */
async function readAhead(reader: BodyReader): Promise<BodyReader> {
  let first: Awaited<ReturnType<BodyReader['read']>> | undefined = await reader.read();
  return {
    async read() {
      const ahead = first;
      first = undefined;
      if (ahead) return ahead;
      return reader.read().catch((error: unknown) => {
        throw toBlobError(error, 'get');
      });
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Where the wanted bytes are in the answer to `get`, whatever the server made of the range: one that ignores it sends all. */
export function toWanted(
  headers: { get(name: string): string | null },
  { start, end, totalBytes }: Range,
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
