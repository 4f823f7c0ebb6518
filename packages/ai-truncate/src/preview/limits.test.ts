import { describe, expect, it } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { defaultLimits, exceededLimit, resolveLimits } from './limits.ts';

describe('resolveLimits', () => {
  it('fills in the defaults', () => {
    expect(defaultLimits).toEqual({ maxLines: 2000, maxBytes: 51200, keep: 'auto' });
    expect(resolveLimits({})).toEqual({ ...defaultLimits, maxChars: Infinity, previewBytes: 16384 });
  });

  it('takes the defaults spread into other limits', () => {
    expect(resolveLimits({ ...defaultLimits, maxBytes: 8192 })).toMatchObject({ maxBytes: 8192, previewBytes: 8192 });
  });

  it('lowers the preview with the limit, but not below an explicit one', () => {
    expect(resolveLimits({ maxBytes: 4096 }).previewBytes).toBe(4096);
    expect(resolveLimits({ maxBytes: 4096, previewBytes: 2048 }).previewBytes).toBe(2048);
    expect(resolveLimits({ maxBytes: 100_000 }).previewBytes).toBe(16384);
  });

  it('takes a function as keep', () => {
    const keep = () => 'excerpt';
    expect(resolveLimits({ keep }).keep).toBe(keep);
  });

  it.each([
    [{ maxLines: 0 }, '`maxLines` must be a whole number of at least 1; got 0.'],
    [{ maxLines: -5 }, '`maxLines` must be a whole number of at least 1; got -5.'],
    [{ maxLines: Number.NaN }, '`maxLines` must be a whole number of at least 1; got NaN.'],
    [
      { maxLines: Infinity },
      '`maxLines` must be a whole number of at least 1 and at most 9007199254740991; got Infinity.',
    ],
    [{ maxLines: '2000' as never }, "`maxLines` must be a whole number of at least 1; got '2000'."],
    [
      { maxLines: 2, keep: 'ends' as const },
      "`maxLines` must be a whole number of at least 3 with `keep: 'ends'`; got 2.",
    ],
    [{ maxBytes: 1023 }, '`maxBytes` must be a whole number of at least 1024; got 1023.'],
    [{ maxBytes: 2048.5 }, '`maxBytes` must be a whole number of at least 1024; got 2048.5.'],
    [{ maxChars: 0 }, '`maxChars` must be a whole number of at least 256; got 0.'],
    [
      { previewBytes: 512 },
      '`previewBytes` must be a whole number of at least 1024 and at most `maxBytes` (51200); got 512.',
    ],
    [
      { maxBytes: 5_000_000, previewBytes: 1_048_577 },
      '`previewBytes` must be a whole number of at least 1024 and at most 1048576; got 1048577.',
    ],
    [
      { previewBytes: 60_000 },
      '`previewBytes` must be a whole number of at least 1024 and at most `maxBytes` (51200); got 60000.',
    ],
    [{ keep: 'middle' as never }, "`keep` must be 'auto', 'head', 'tail', 'ends' or a function; got 'middle'."],
    [{ keep: null as never }, "`keep` must be 'auto', 'head', 'tail', 'ends' or a function; got null."],
  ])('refuses %o', (limits, message) => {
    expect(() => resolveLimits(limits)).toThrow(InvalidOptionError);
    expect(() => resolveLimits(limits)).toThrow(message);
  });

  it('names the place of the option', () => {
    expect(() => resolveLimits({ maxLines: 0 }, 'perTool.grep.')).toThrow('`perTool.grep.maxLines`');
  });
});

describe('exceededLimit', () => {
  const limits = resolveLimits({ maxLines: 10, maxBytes: 2000, maxChars: 1000 });

  it.each([
    [{ lines: 10, bytes: 2000, chars: 1000 }, undefined],
    [{ lines: 11, bytes: 2000, chars: 1000 }, 'lines'],
    [{ lines: 10, bytes: 2001, chars: 1000 }, 'bytes'],
    [{ lines: 10, bytes: 2000, chars: 1001 }, 'chars'],
  ])('of %o is %s', (size, limit) => {
    expect(exceededLimit(limits, size)).toBe(limit);
  });
});
