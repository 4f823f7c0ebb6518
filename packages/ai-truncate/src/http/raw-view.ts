import type { ViewRequest } from './artifact-address.ts';
import { entityTag, mayGiveRange, parseByteRange, preconditionOf, type RequestedBytes } from './byte-range.ts';
import { HttpRefusal, httpWords } from './http-refusal.ts';
import { type HttpAnswer, untransformed } from './response-headers.ts';

/**
 * The answer to `…/<name>/raw`: the bytes as they are, all or a range, as a download. The type comes from our name for it and
 * is one of two that no browser runs; what the tool called it, and what it looks like, counts for nothing.
 */
export async function rawView({ artifacts, name, request, signal, report }: ViewRequest): Promise<HttpAnswer> {
  const { bytes } = await artifacts.info(name, { abortSignal: signal });
  const tag = entityTag(name);
  const headers = {
    ...untransformed,
    'Content-Type': `${name.endsWith('.json') ? 'application/json' : 'text/plain'}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Accept-Ranges': 'bytes',
    ETag: tag,
  };
  const precondition = preconditionOf(request, tag);
  if (precondition === 'not-modified') return { status: 304, headers, body: null };
  if (precondition === 'failed') {
    const message = httpWords.preconditionFailed;
    throw new HttpRefusal({ status: 412, code: 'PRECONDITION_FAILED', message });
  }
  const wanted: RequestedBytes = mayGiveRange(request, tag)
    ? parseByteRange(request.headers.get('range'), bytes)
    : { kind: 'all' };
  if (wanted.kind === 'unsatisfiable') throw rangeRefusal(bytes);
  const isPart = wanted.kind === 'part';
  const { start, end } = isPart ? wanted : { start: 0, end: bytes };
  return {
    status: isPart ? 206 : 200,
    headers: {
      ...headers,
      'Content-Length': String(end - start),
      ...(isPart && { 'Content-Range': `bytes ${start}-${end - 1}/${bytes}` }),
    },
    body: async () => {
      const stream = await artifacts.readStream(name, { start, end, abortSignal: signal });
      return watchedStream(stream, { signal, report });
    },
  };
}

function rangeRefusal(bytes: number): HttpRefusal {
  return new HttpRefusal({
    status: 416,
    code: 'RANGE_NOT_SATISFIABLE',
    message: httpWords.oneRange(bytes),
    headers: { 'Content-Range': `bytes */${bytes}` },
  });
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
