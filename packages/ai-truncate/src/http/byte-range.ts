/** Bytes of an artifact. `end` is the byte after the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/** More than two numbers ever need. */
const MAX_HEADER_LENGTH = 200;

/**
 * Reads the `Range` header as RFC 9110 defines it, for a value of `bytes` bytes. Also returns `'all'` if the header is missing
 * or has an unknown unit. Several ranges at once are refused, because their answer has another format, and no known client
 * needs it.
 */
export function parseByteRange(header: string | null, bytes: number): ByteRange | 'all' | 'unsatisfiable' {
  const [, set] = /^bytes=(.*)$/is.exec(header ?? '') ?? [];
  if (set === undefined) return 'all';
  if (set.length > MAX_HEADER_LENGTH) return 'unsatisfiable';
  const ranges = set.split(',').map((each) => each.trim());
  const [range = '', ...more] = ranges.filter((each) => each !== '');
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(range) ?? [];
  if (more.length > 0 || first + last === '') return 'unsatisfiable';
  // The last bytes of an empty value are empty, and no `Content-Range` can say that.
  if (first === '' && bytes === 0 && Number(last) > 0) return 'all';
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes : Math.min(Number(last) + 1, bytes);
  return start < end ? { start, end } : 'unsatisfiable';
}
