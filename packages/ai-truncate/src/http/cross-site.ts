/** `none` is a person: an address that was typed, or a bookmark. */
const OWN_SITES = ['same-origin', 'same-site', 'none'];

/**
 * Whether a page of another site sent the request. It could not read the answer, but with the cookies of its visitor it could
 * learn from time and size what is there. Browsers say so themselves; where they do not (old ones, and `http:`), an `Origin`
 * that is not ours does: no page sends one to its own site to read.
 */
export function isCrossSite({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return !OWN_SITES.includes(site);
  const origin = headers.get('origin');
  if (origin === null) return false;
  const host = headers.get('host') ?? new URL(url).host;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
