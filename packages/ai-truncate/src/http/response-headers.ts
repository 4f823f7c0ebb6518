import type { ArtifactErrorAnswer, HttpRefusal } from './http-refusal.ts';

/** An answer whose body is opened only when the client wants it. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | null | (() => Promise<ReadableStream<Uint8Array>>);
}

/**
 * Headers on every answer, whatever its status, that prevent a hostile artifact from running or from being read by others: a
 * browser neither guesses another type nor runs anything, only frames it on the same site, shares it with no other site and
 * does not cache it.
 */
const GUARDS: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'self'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-store',
  'X-Frame-Options': 'SAMEORIGIN',
  Vary: 'Cookie, Authorization',
};

/** For a streamed body: compression on its way would break ranges, and lines would wait in a buffer. */
export const untransformed: Record<string, string> = { 'Cache-Control': 'private, no-store, no-transform' };

export function jsonAnswer(value: unknown): HttpAnswer {
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) };
}

export function refusalAnswer({ status, code, message, headers }: HttpRefusal): HttpAnswer {
  const answer: ArtifactErrorAnswer = { error: { code, message } };
  return { ...jsonAnswer(answer), status, headers: { ...jsonAnswer(answer).headers, ...headers } };
}

/** The response. For HEAD, it has no body, and the body is not opened. */
export async function toResponse(answer: HttpAnswer, { method }: Request): Promise<Response> {
  const { status, body } = answer;
  const headers = new Headers({ ...GUARDS, 'Content-Disposition': 'attachment', ...answer.headers });
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : null;
  if (bytes) headers.set('Content-Length', String(bytes.length));
  if (method === 'HEAD') return new Response(null, { status, headers });
  return new Response(typeof body === 'function' ? await body() : bytes, { status, headers });
}

/** A response of the application, with the protective headers that it does not set itself. */
export function guarded(response: Response, { method }: Request): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(GUARDS)) if (!headers.has(name)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(method === 'HEAD' ? null : response.body, { status, statusText, headers });
}
