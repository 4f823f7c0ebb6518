/** Which bytes a `Range` asks for. `all` also where it asks for none, or in a unit that nobody here knows. */
export type RequestedBytes = { kind: 'all' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' };

/** Nobody needs more for two numbers. */
const MAX_HEADER_LENGTH = 200;
const ALL: RequestedBytes = { kind: 'all' };
const UNSATISFIABLE: RequestedBytes = { kind: 'unsatisfiable' };

/**
 * Reads the header `Range` as RFC 9110 has it, for a value of so many bytes; `end` is the byte after the last one. Several
 * ranges at once are refused: their answer would be a format of its own, and no client of ours needs it.
 */
export function parseByteRange(header: string | null, bytes: number): RequestedBytes {
  const [, set] = /^bytes=(.*)$/is.exec(header ?? '') ?? [];
  if (set === undefined) return ALL;
  if (set.length > MAX_HEADER_LENGTH) return UNSATISFIABLE;
  const [range = '', ...more] = set
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(range) ?? [];
  if (more.length > 0 || first + last === '') return UNSATISFIABLE;
  if (first === '') return lastBytes(Number(last), bytes);
  const start = Number(first);
  const end = last === '' ? bytes : Math.min(Number(last) + 1, bytes);
  return start < end ? { kind: 'part', start, end } : UNSATISFIABLE;
}

function lastBytes(count: number, bytes: number): RequestedBytes {
  if (count === 0) return UNSATISFIABLE;
  // The last bytes of nothing are nothing, and no `Content-Range` can say that.
  return bytes === 0 ? ALL : { kind: 'part', start: Math.max(0, bytes - count), end: bytes };
}

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
