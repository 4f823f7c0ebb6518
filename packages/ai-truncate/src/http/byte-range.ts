/** Bytes of an artifact; `end` is the byte after the last one. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Nobody needs more for two numbers. */
const MAX_HEADER_LENGTH = 200;

/**
 * Reads the header `Range` as RFC 9110 has it, for a value of so many bytes. All of them also where it asks for none, or in a
 * unit that nobody here knows. Several ranges at once are refused: their answer would be a format of its own, and no client of
 * ours needs it.
 */
export function parseByteRange(header: string | null, bytes: number): ByteRange | 'all' | 'unsatisfiable' {
  const [, set] = /^bytes=(.*)$/is.exec(header ?? '') ?? [];
  if (set === undefined) return 'all';
  if (set.length > MAX_HEADER_LENGTH) return 'unsatisfiable';
  const ranges = set.split(',').map((each) => each.trim());
  const [range = '', ...more] = ranges.filter((each) => each !== '');
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(range) ?? [];
  if (more.length > 0 || first + last === '') return 'unsatisfiable';
  // The last bytes of nothing are nothing, and no `Content-Range` can say that.
  if (first === '' && bytes === 0 && Number(last) > 0) return 'all';
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes : Math.min(Number(last) + 1, bytes);
  return start < end ? { start, end } : 'unsatisfiable';
}
