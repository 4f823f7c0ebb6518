import { randomBytes } from 'node:crypto';
import { oncePerProcess } from './once-per-process';
import { sessionSecret } from './session-secret';

/** Who asks: a browser that this server gave a cookie to. Chats and what tools gave in them belong to it. */
export interface Visitor {
  id: string;
}

/** What of a request tells who asks; a page has it from `headers()`. */
export interface FromVisitor {
  headers: Pick<Headers, 'get'>;
}

const COOKIE = 'visitor';
// The last character carries four bits only: with any other one there, a signature could be written in four ways.
const VISITOR_COOKIE = /(?:^|;\s*)visitor=([0-9a-f]{24})\.([\w-]{42}[AEIMQUYcgkosw048])(?:;|$)/;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Who asks, by a cookie that only this server can have signed; `undefined` without one. */
export async function visitorOf({ headers }: FromVisitor): Promise<Visitor | undefined> {
  const [, id, signature] = VISITOR_COOKIE.exec(headers.get('cookie') ?? '') ?? [];
  if (id === undefined || signature === undefined) return undefined;
  // Compares in constant time, so that a signature cannot be found byte by byte.
  const isOurs = await crypto.subtle.verify('HMAC', await key(), Buffer.from(signature, 'base64url'), signedText(id));
  return isOurs ? { id } : undefined;
}

/** A visitor that was not here before, and the `Set-Cookie` by which it is known from now on. */
export async function newVisitor({ headers }: FromVisitor): Promise<{ visitor: Visitor; setCookie: string }> {
  const id = randomBytes(12).toString('hex');
  const signature = Buffer.from(await crypto.subtle.sign('HMAC', await key(), signedText(id))).toString('base64url');
  // Lax, not strict: a link to a chat in an e-mail opens it.
  const attributes = ['Path=/', `Max-Age=${YEAR_SECONDS}`, 'HttpOnly', 'SameSite=Lax'];
  if (headers.get('x-forwarded-proto') === 'https') attributes.push('Secure');
  return { visitor: { id }, setCookie: [`${COOKIE}=${id}.${signature}`, ...attributes].join('; ') };
}

function key(): Promise<CryptoKey> {
  return oncePerProcess('visitor-key', () =>
    crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(sessionSecret().value),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign', 'verify'],
    ),
  );
}

/** Nothing else that this secret may ever sign can be taken for a visitor. */
function signedText(id: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`visitor ${id}`);
}
