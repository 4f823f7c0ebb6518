import type { ViewRequest } from './artifact-address.ts';
import { parseByteRange } from './byte-range.ts';
import { HttpRefusal, httpWords } from './http-refusal.ts';
import { type HttpAnswer, untransformed } from './response-headers.ts';

/**
 * The answer to `…/<name>/raw`: the bytes as they are, all or a range, as a download. The type comes from our name for it and
 * is one of two that no browser runs; what the tool called it, and what it looks like, counts for nothing.
 */
export async function rawView({ artifacts, name, request, signal, report }: ViewRequest): Promise<HttpAnswer> {
  const { bytes } = await artifacts.info(name, { abortSignal: signal });
  // An artifact never changes, so its name is also its version.
  const tag = `"${name}"`;
  // When the client's part is of another version, `If-Range` asks for all bytes. A date never matches.
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
 * The stream, telling when it fails: its status is sent already, so all a client sees is a broken connection. That the client
 * itself went is no failure. Reads only when asked.
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
