import type { ArtifactErrorAnswer, HttpRefusal } from './http-refusal.ts';

/** An answer whose body is only opened when the client wants it. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | null | (() => Promise<ReadableStream<Uint8Array>>);
}

/**
 * What keeps a hostile artifact from running or being read where it must not, on every answer whatever its status: a browser
 * neither guesses another type nor runs anything, frames it only on the same site, gives it to no other site and keeps none.
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

/** For a body that is streamed: compressed on its way, ranges would not fit and lines would wait in a buffer. */
export const untransformed: Record<string, string> = { 'Cache-Control': 'private, no-store, no-transform' };

export function jsonAnswer(value: unknown): HttpAnswer {
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) };
}

export function refusalAnswer({ status, code, message, headers }: HttpRefusal): HttpAnswer {
  const answer: ArtifactErrorAnswer = { error: { code, message } };
  return { ...jsonAnswer(answer), status, headers: { ...jsonAnswer(answer).headers, ...headers } };
}

/** The response; to HEAD without its body, which is not even opened. */
export async function toResponse(answer: HttpAnswer, { method }: Request): Promise<Response> {
  const { status, body } = answer;
  const headers = new Headers({ ...GUARDS, 'Content-Disposition': 'attachment', ...answer.headers });
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : null;
  if (bytes) headers.set('Content-Length', String(bytes.length));
  if (method === 'HEAD') return new Response(null, { status, headers });
  return new Response(typeof body === 'function' ? await body() : bytes, { status, headers });
}

/** A response of the application, with the guards that it has not set itself. */
export function guarded(response: Response, { method }: Request): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(GUARDS)) if (!headers.has(name)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(method === 'HEAD' ? null : response.body, { status, statusText, headers });
}
