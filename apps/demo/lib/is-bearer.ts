import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a request carries this secret as its bearer token. Without a secret nobody does. */
export function isBearer({ headers }: Request, secret: string | undefined): boolean {
  if (secret === undefined) return false;
  // Digests have one length, and comparing them takes one time: neither says how much of a guess was right.
  return timingSafeEqual(digest(headers.get('authorization') ?? ''), digest(`Bearer ${secret}`));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
