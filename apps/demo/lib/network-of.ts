/**
 * The network that a request comes from, as the platform says; `undefined` where only the client would say so, who can say anything.
 *
 * Of IPv6 it is the first 64 bits: whoever has one such address has all of them.
 */
export function networkOf({ headers }: { headers: Pick<Headers, 'get'> }, { isVercel }: { isVercel: boolean }) {
  if (!isVercel) return undefined;
  const address = headers.get('x-real-ip')?.trim().slice(0, 64) ?? '';
  // Without the header all share one limit, rather than none.
  return address.includes(':') ? firstHalf(address) : address || 'unknown';
}

function firstHalf(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups(head).length - groups(tail).length);
  return [...groups(head), ...Array(missing).fill('0'), ...groups(tail)].slice(0, 4).join(':');
}
