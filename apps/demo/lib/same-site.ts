import { RequestError } from './request-error';

/**
 * Refuses what a page of another site sends in the name of the visitor. Browsers say where a request comes from; who is no browser
 * has no cookie to abuse.
 */
export function requireSameSite({ headers }: Request): void {
  if (headers.get('sec-fetch-site') !== 'cross-site') return;
  throw new RequestError('cross_site', 'This request comes from another site. Open the chat itself.');
}
