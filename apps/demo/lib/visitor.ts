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
const SIGNED_ID = /^([0-9a-f]{24})\.([\w-]{42}[AEIMQUYcgkosw048])$/;
/** No other site of the same domain can set a cookie with this prefix. Browsers accept it over TLS only. */
const ENCRYPTED_COOKIE = `__Host-${COOKIE}`;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Over TLS a cookie without the prefix is ignored, because another site of the domain may have planted it. A visitor with an older
 * cookie gets a new one.
 */
function cookieName({ headers }: FromVisitor): string {
  return isEncrypted(headers) ? ENCRYPTED_COOKIE : COOKIE;
}

/** The id and the signature of our first well-formed cookie. */
function signedIdIn(request: FromVisitor): RegExpExecArray | undefined {
  const start = `${cookieName(request)}=`;
  const cookies = (request.headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const values = cookies.filter((cookie) => cookie.startsWith(start)).map((cookie) => cookie.slice(start.length));
  return values.map((value) => SIGNED_ID.exec(value)).find((match) => match !== null);
}

function isEncrypted(headers: Pick<Headers, 'get'>): boolean {
  return headers.get('x-forwarded-proto') === 'https';
}

/** Who asks, by a cookie that only this server can have signed; `undefined` without one. */
export async function visitorOf(request: FromVisitor): Promise<Visitor | undefined> {
  const [, id, signature] = signedIdIn(request) ?? [];
  if (id === undefined || signature === undefined) return undefined;
  // Compares in constant time, so that a signature cannot be found byte by byte.
  const isOurs = await crypto.subtle.verify('HMAC', await key(), Buffer.from(signature, 'base64url'), signedText(id));
  return isOurs ? { id } : undefined;
}

/** A visitor that was not here before, and the `Set-Cookie` by which it is known from now on. */
export async function newVisitor(request: FromVisitor): Promise<{ visitor: Visitor; setCookie: string }> {
  const id = randomBytes(12).toString('hex');
  const signature = Buffer.from(await crypto.subtle.sign('HMAC', await key(), signedText(id))).toString('base64url');
  // Lax, not strict: a link to a chat in an e-mail opens it.
  const attributes = ['Path=/', `Max-Age=${YEAR_SECONDS}`, 'HttpOnly', 'SameSite=Lax'];
  if (isEncrypted(request.headers)) attributes.push('Secure');
  return { visitor: { id }, setCookie: [`${cookieName(request)}=${id}.${signature}`, ...attributes].join('; ') };
}

async function key(): Promise<CryptoKey> {
  const known = oncePerProcess('visitor-key', (): { key?: Promise<CryptoKey> } => ({}));
  known.key ??= importKey();
  try {
    return await known.key;
  } catch (error) {
    // A store did not answer. The next request asks it again.
    delete known.key;
    throw error;
  }
}

async function importKey(): Promise<CryptoKey> {
  const secret = new TextEncoder().encode(await sessionSecret().read());
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/** Nothing else that this secret may ever sign can be taken for a visitor. */
function signedText(id: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`visitor ${id}`);
}
