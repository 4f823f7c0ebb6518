import { describe, expect, it } from 'vitest';
import { toWanted } from './body.ts';

const whole = { start: 0, end: Number.POSITIVE_INFINITY };

describe('toWanted', () => {
  it('counts on the length that the answer tells', () => {
    expect(toWanted(new Headers({ 'content-length': '10' }), whole)).toEqual({ ...whole, promisedBytes: 10 });
  });

  it('does not count the bytes of a compressed answer against its length', () => {
    const headers = new Headers({ 'content-length': '24', 'content-encoding': 'gzip' });
    expect(toWanted(headers, whole).promisedBytes).toBeUndefined();
  });

  it('knows no length where the answer tells none', () => {
    expect(toWanted(new Headers(), whole).promisedBytes).toBeUndefined();
  });

  it('wants all of an answer that holds the range alone', () => {
    const headers = new Headers({ 'content-range': 'bytes 2-9/10', 'content-length': '8' });
    expect(toWanted(headers, { start: 2, end: 20 })).toEqual({ start: 0, end: 8, promisedBytes: 8 });
  });

  it('wants the range of an answer that holds all', () => {
    const headers = new Headers({ 'content-length': '10' });
    expect(toWanted(headers, { start: 2, end: 6 })).toEqual({ start: 2, end: 6, promisedBytes: 10 });
  });
});
