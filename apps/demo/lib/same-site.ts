import { RequestError } from './request-error';

/**
 * Refuses what a page that is not ours sends in the name of the visitor. Browsers say where a request comes from; old ones, and
 * all of them over `http:`, say at least from which origin. Who is no browser has no cookie to abuse.
 */
export function requireSameSite(request: Pick<Request, 'headers'>): void {
  if (comesFromOurPages(request)) return;
  throw new RequestError('cross_site', 'This request comes from another site. Open the chat itself.');
}

function comesFromOurPages({ headers }: Pick<Request, 'headers'>): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  if (origin === null) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}
