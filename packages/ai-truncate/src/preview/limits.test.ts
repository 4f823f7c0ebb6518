import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { exceededLimit, fitsPreview, resolveLimits, unifiedLimits } from './limits.ts';

describe('resolveLimits', () => {
  test('fills in the defaults', () => {
    expect(resolveLimits({})).toEqual({
      maxLines: 2000,
      maxBytes: 51_200,
      maxChars: Infinity,
      previewBytes: 16_384,
      previewChars: Infinity,
      keep: 'auto',
    });
  });

  test('accepts the limits of the requirement documents, alone and followed by others', () => {
    expect(unifiedLimits).toEqual({ maxLines: 2000, maxBytes: 51_200, keep: 'head', previewBytes: 51_200 });
    expect(resolveLimits(unifiedLimits)).toMatchObject(unifiedLimits);
    expect(resolveLimits({ ...unifiedLimits, maxBytes: 20_000 })).toMatchObject({
      maxBytes: 20_000,
      previewBytes: 20_000,
    });
  });

  test.each(['auto', 'head', 'tail', 'ends', () => ''] as const)('has the same preview for `keep` %s', (keep) => {
    expect(resolveLimits({ keep }).previewBytes).toBe(16_384);
  });

  test('never allows a preview over the limit', () => {
    expect(resolveLimits({ maxBytes: 4096 }).previewBytes).toBe(4096);
    expect(resolveLimits({ maxBytes: 4096, previewBytes: 8192 }).previewBytes).toBe(4096);
    expect(resolveLimits({ maxBytes: 4096, previewBytes: 2048 }).previewBytes).toBe(2048);
    expect(resolveLimits({ maxBytes: 100_000 }).previewBytes).toBe(16_384);
    expect(resolveLimits({ maxBytes: 5_000_000, previewBytes: 1_048_576 }).previewBytes).toBe(1_048_576);
  });

  test('leaves room for characters of any script', () => {
    expect(resolveLimits({ previewChars: 4000 })).toMatchObject({ previewChars: 4000, previewBytes: 12_000 });
    expect(resolveLimits({ previewChars: 20_000 })).toMatchObject({ previewChars: 20_000, previewBytes: 51_200 });
  });

  test('can switch limits off, but still truncates outputs that fit into no context', () => {
    expect(resolveLimits({ maxLines: false }).maxLines).toBe(Number.MAX_SAFE_INTEGER);
    expect(resolveLimits({ maxBytes: false }).maxBytes).toBe(16 * 1024 * 1024);
    expect(resolveLimits({ maxChars: false }).maxChars).toBe(Infinity);
    expect(() => resolveLimits({ maxLines: false, maxBytes: false, maxChars: 1000, keep: 'ends' })).not.toThrow();
  });

  test('accepts a function as keep', () => {
    const keep = () => 'excerpt';
    expect(resolveLimits({ keep }).keep).toBe(keep);
  });

  test.each([
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
    [{ maxLines: true as never }, '`maxLines` must be a whole number of at least 1; got true.'],
    [
      { maxLines: false, maxBytes: false } as const,
      '`maxBytes` must be a number if `maxLines` and `maxChars` are `false`, because an output needs a limit; got false.',
    ],
    [{ previewBytes: 512 }, '`previewBytes` must be a whole number of at least 1024; got 512.'],
    [
      { maxBytes: 5_000_000, previewBytes: 1_048_577 },
      '`previewBytes` must be a whole number of at least 1024 and at most 1048576; got 1048577.',
    ],
    [{ previewBytes: false as never }, '`previewBytes` must be a whole number of at least 1024; got false.'],
    [{ previewChars: 512 }, '`previewChars` must be a whole number of at least 1024; got 512.'],
    [
      { previewBytes: 4096, previewChars: 4096 },
      '`previewChars` must be left out if `previewBytes` is set, because both limit the preview; got 4096.',
    ],
    [{ keep: 'middle' as never }, "`keep` must be 'auto', 'head', 'tail', 'ends' or a function; got 'middle'."],
    [{ keep: null as never }, "`keep` must be 'auto', 'head', 'tail', 'ends' or a function; got null."],
  ])('refuses %o', (limits, message) => {
    expect(() => resolveLimits(limits)).toThrow(InvalidOptionError);
    expect(() => resolveLimits(limits)).toThrow(message);
  });

  test('names the path of the option', () => {
    expect(() => resolveLimits({ maxLines: 0 }, 'perTool.grep.')).toThrow('`perTool.grep.maxLines`');
  });
});

describe('exceededLimit', () => {
  const limits = resolveLimits({ maxLines: 10, maxBytes: 2000, maxChars: 1000 });

  test.each([
    [{ lines: 10, bytes: 2000, chars: 1000 }, undefined],
    [{ lines: 11, bytes: 2000, chars: 1000 }, 'lines'],
    [{ lines: 10, bytes: 2001, chars: 1000 }, 'bytes'],
    [{ lines: 10, bytes: 2000, chars: 1001 }, 'chars'],
  ])('for %o is %s', (size, limit) => {
    expect(exceededLimit(limits, size)).toBe(limit);
  });
});

test.each([
  ['a'.repeat(4000), {}, true],
  ['a'.repeat(4001), {}, false],
  ['文'.repeat(4000), {}, true],
  ['文'.repeat(3000), { previewChars: undefined, previewBytes: 4096 }, false],
])('a text fits a preview by its bytes and its characters (%#)', (text, limits, expected) => {
  expect(fitsPreview(text, resolveLimits({ previewChars: 4000, ...limits } as never))).toBe(expected);
});
