import { describe, expect, test } from 'vitest';
import { parseByteRange } from './byte-range.ts';

const part = (start: number, end: number) => ({ start, end });
const all = 'all';
const unsatisfiable = 'unsatisfiable';

describe('the Range header', () => {
  test.each([
    [null, all],
    ['', all],
    ['items=0-4', all],
    ['bytes', all],
    ['bytes=0-4', part(0, 5)],
    ['BYTES=0-4', part(0, 5)],
    ['bytes= 0-4 ', part(0, 5)],
    ['bytes=0-4,', part(0, 5)],
    ['bytes=9-9', part(9, 10)],
    ['bytes=0-', part(0, 10)],
    ['bytes=7-', part(7, 10)],
    ['bytes=7-1000', part(7, 10)],
    ['bytes=0-99999999999999999999999999', part(0, 10)],
    ['bytes=-3', part(7, 10)],
    ['bytes=-10', part(0, 10)],
    ['bytes=-99999999999999999999999999', part(0, 10)],
    ['bytes=10-', unsatisfiable],
    ['bytes=10-20', unsatisfiable],
    ['bytes=99999999999999999999999999-', unsatisfiable],
    ['bytes=4-3', unsatisfiable],
    ['bytes=-0', unsatisfiable],
    ['bytes=-', unsatisfiable],
    ['bytes=', unsatisfiable],
    ['bytes=,', unsatisfiable],
    ['bytes=--3', unsatisfiable],
    ['bytes=1.5-2', unsatisfiable],
    ['bytes=a-b', unsatisfiable],
    ['bytes=0x1-2', unsatisfiable],
    ['bytes=0-1,3-4', unsatisfiable],
    [`bytes=0-1${' '.repeat(1000)}`, unsatisfiable],
  ])('%s', (header, expected) => {
    expect(parseByteRange(header, 10)).toEqual(expected);
  });

  test.each([
    [null, all],
    ['bytes=-5', all],
    ['bytes=0-', unsatisfiable],
    ['bytes=0-0', unsatisfiable],
  ])('for an empty artifact: %s', (header, expected) => {
    expect(parseByteRange(header, 0)).toEqual(expected);
  });
});
