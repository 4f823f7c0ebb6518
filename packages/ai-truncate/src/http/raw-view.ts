import type { ViewRequest } from './artifact-address.ts';
import { parseByteRange } from './byte-range.ts';
import { HttpRefusal, httpWords } from './http-refusal.ts';
import { type HttpAnswer, untransformed } from './response-headers.ts';

/**
 * The answer to `…/<name>/raw`: the exact bytes, all of them or a range, as a download. Its type comes from the name of the
 * artifact and is one of two types that no browser runs. The type that the tool declared, and the content, do not matter.
 */
export async function rawView({ artifacts, name, request, signal, report }: ViewRequest): Promise<HttpAnswer> {
  const { bytes } = await artifacts.info(name, { abortSignal: signal });
  // An artifact never changes, so its name is also its version.
  const tag = `"${name}"`;
  // If the client has a part of another version, `If-Range` asks for all bytes. A date never matches.
  const isOurs = (request.headers.get('if-range') ?? tag).trim() === tag;
  const range = request.method === 'GET' && isOurs ? request.headers.get('range') : null;
  const wanted = parseByteRange(range, bytes);
  if (wanted === 'unsatisfiable') {
    const headers = { 'Content-Range': `bytes */${bytes}` };
    throw new HttpRefusal('RANGE_NOT_SATISFIABLE', { message: httpWords.oneRange(bytes), headers });
  }
  const { start, end } = wanted === 'all' ? { start: 0, end: bytes } : wanted;
  return {
    status: wanted === 'all' ? 200 : 206,
    headers: {
      ...untransformed,
      'Content-Type': `${name.endsWith('.json') ? 'application/json' : 'text/plain'}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Accept-Ranges': 'bytes',
      ETag: tag,
      'Content-Length': String(end - start),
      ...(wanted !== 'all' && { 'Content-Range': `bytes ${start}-${end - 1}/${bytes}` }),
    },
    body: async () => {
      const stream = await artifacts.readStream(name, { start, end, abortSignal: signal });
      return watchedStream(stream, { signal, report });
    },
  };
}

/**
 * Reports a failure of the stream, because the status is already sent and the client only sees a broken connection. A
 * disconnected client is not a failure. Reads only on request.
 */
function watchedStream(
  stream: ReadableStream<Uint8Array>,
  { signal, report }: { signal: AbortSignal; report: (error: unknown) => void },
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          if (!signal.aborted) report(error);
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
