/** What the conditions of a request come to. */
export type Precondition = 'proceed' | 'not-modified' | 'failed';

/** An artifact never changes, so its name is also its version. */
export function entityTag(name: string): string {
  return `"${name}"`;
}

/** `If-Match` and `If-None-Match`, in the order of RFC 9110. */
export function preconditionOf({ headers }: Request, tag: string): Precondition {
  const match = headers.get('if-match');
  if (match !== null && !tags(match).some((each) => each === '*' || each === tag)) return 'failed';
  const noneMatch = headers.get('if-none-match');
  const isKnown =
    noneMatch !== null && tags(noneMatch).some((each) => each === '*' || each.replace(/^W\//, '') === tag);
  return isKnown ? 'not-modified' : 'proceed';
}

/** Whether a range may be given: `If-Range` asks for all when the client's part is of something else. A date is never known here. */
export function mayGiveRange({ headers, method }: Request, tag: string): boolean {
  const condition = headers.get('if-range');
  return method === 'GET' && (condition === null || condition.trim() === tag);
}

function tags(header: string): string[] {
  return header.split(',').map((each) => each.trim());
}
