import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { truncateText } from './truncate-text.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

describe('truncateText', () => {
  test('returns a text within the limits unchanged', () => {
    const text = lines(2000);
    expect(truncateText(text)).toEqual({ truncated: false, content: text });
  });

  test('counts a closing newline as the start of one more line', () => {
    expect(truncateText('a\nb\n', { maxLines: 3 }).truncated).toBe(false);
    expect(truncateText('a\nb\n', { maxLines: 2 })).toMatchObject({
      truncated: true,
      content: 'a\nb',
      originalLines: 3,
    });
  });

  test('keeps the first 2,000 lines by default', () => {
    expect(truncateText(lines(2001))).toEqual({
      truncated: true,
      content: lines(2000),
      keep: 'head',
      reason: 'lines',
      originalLines: 2001,
      originalBytes: lines(2001).length,
      originalChars: lines(2001).length,
      keptLines: 2000,
      keptBytes: lines(2000).length,
      maxLines: 2000,
      maxBytes: 51200,
    });
  });

  test('shows whole lines until the bytes are used up, including newlines', () => {
    const text = `${'x'.repeat(127)}\n${'y'.repeat(128)}\nz`;
    expect(truncateText(text, { maxBytes: 256 })).toMatchObject({
      content: `${'x'.repeat(127)}\n${'y'.repeat(128)}`,
      reason: 'bytes',
      keptLines: 2,
      keptBytes: 256,
    });
  });

  test('shows the last lines in their order', () => {
    expect(truncateText(lines(10), { maxLines: 2, keep: 'tail' })).toMatchObject({
      content: 'line 9\nline 10',
      keptLines: 2,
    });
  });

  test('measures bytes, not characters', () => {
    const text = '€'.repeat(100);
    expect(truncateText(text, { maxBytes: 300 }).truncated).toBe(false);
    expect(truncateText(text, { maxBytes: 299 })).toMatchObject({
      originalBytes: 300,
      originalChars: 100,
      keptBytes: 297,
    });
  });

  test('cuts a single line that is larger than the budget, from the shown end', () => {
    const text = `${'a'.repeat(300)}${'z'.repeat(300)}`;
    expect(truncateText(text, { maxBytes: 256 }).content).toBe('a'.repeat(256));
    expect(truncateText(text, { maxBytes: 256, keep: 'tail' }).content).toBe('z'.repeat(256));
  });

  test('cuts the first line with text if only empty lines fit', () => {
    expect(truncateText(`\n\n${'a'.repeat(300)}`, { maxBytes: 256 })).toMatchObject({
      content: `\n\n${'a'.repeat(254)}`,
      keptLines: 3,
    });
    expect(truncateText(`${'a'.repeat(300)}\n`, { maxBytes: 256, keep: 'tail' })).toMatchObject({
      content: `${'a'.repeat(255)}\n`,
      keptLines: 2,
      keptBytes: 256,
    });
  });

  test('never splits a code point', () => {
    const text = '😀'.repeat(100);
    for (const maxBytes of [256, 257, 258, 259]) {
      expect(truncateText(text, { maxBytes }).content).toBe('😀'.repeat(64));
      expect(truncateText(text, { maxBytes, keep: 'tail' }).content).toBe('😀'.repeat(64));
    }
  });

  test('shows 40 % at each end, and how much is missing between them', () => {
    const text = lines(1000);
    const result = truncateText(text, { maxBytes: 1200, keep: 'ends' });
    expect(result.content).toBe(
      [
        ...Array.from({ length: 51 }, (_, index) => `line ${index + 1}`),
        '... [905 lines, 8,098 characters not shown: lines 52-956] ...',
        ...Array.from({ length: 44 }, (_, index) => `line ${index + 957}`),
      ].join('\n'),
    );
  });

  test('shares a line limit between both ends and the gap', () => {
    const result = truncateText(lines(100), { maxLines: 6, keep: 'ends' });
    expect(result.content.split('\n')).toEqual([
      'line 1',
      'line 2',
      expect.stringContaining('95 lines'),
      'line 98',
      'line 99',
      'line 100',
    ]);
    expect(result).toMatchObject({ reason: 'lines', keptLines: 5 });
  });

  test('shows both ends of one giant line', () => {
    const result = truncateText(`start${'-'.repeat(10_000)}end`, { maxBytes: 1000, keep: 'ends' });
    expect(result.content).toMatch(/^start-+\n\.\.\. \[9,368 characters not shown\] \.\.\.\n-+end$/);
  });

  test('says which lines are shown in part', () => {
    const result = truncateText(['a', 'b', 'c'].map((letter) => letter.repeat(10_000)).join('\n'), {
      maxBytes: 1000,
      keep: 'ends',
    });
    expect(result.content.split('\n')[1]).toBe(
      '... [1 line, 29,362 characters not shown: the rest of line 1, line 2, the start of line 3] ...',
    );
    expect(result).toMatchObject({ keptLines: 2, originalLines: 3 });
    expect(truncateText('x'.repeat(100_000), { keep: 'ends' })).toMatchObject({ keptLines: 1, originalLines: 1 });
  });

  test('does not hold the whole text in memory through its result', () => {
    // Collects garbage first, because the time of a collection depends on how busy the machine is.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = () => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const kept: string[] = [];
    const textBytes = 10_000_000;
    const before = held();
    for (let index = 0; index < 20; index++)
      kept.push(truncateText(Buffer.alloc(textBytes, 97 + index).toString('latin1')).content);
    // The last text and its bytes are always in memory, and the memory of the others is freed in the background.
    expect(held() - before).toBeLessThan((20 * textBytes) / 2);
    expect(kept).toHaveLength(20);
  });

  test('refuses a value that is not text', () => {
    expect(() => truncateText(undefined as never)).toThrow('`text` must be a string; got undefined.');
  });

  test.each([
    [{ maxLines: 0 }, '`maxLines` must be a whole number of at least 1; got 0.'],
    [{ maxLines: 1.5 }, '`maxLines` must be a whole number of at least 1; got 1.5.'],
    [{ maxLines: Number.NaN }, '`maxLines` must be a whole number of at least 1; got NaN.'],
    [{ maxBytes: 4 }, '`maxBytes` must be a whole number of at least 5; got 4.'],
    [
      { maxBytes: 255, keep: 'ends' as const },
      "`maxBytes` must be a whole number of at least 256 with `keep: 'ends'`; got 255.",
    ],
    [
      { maxLines: 2, keep: 'ends' as const },
      "`maxLines` must be a whole number of at least 3 with `keep: 'ends'`; got 2.",
    ],
    [{ keep: 'middle' as never }, "`keep` must be 'head', 'tail' or 'ends'; got 'middle'."],
  ])('refuses %o', (options, message) => {
    expect(() => truncateText('text', options)).toThrow(InvalidOptionError);
    expect(() => truncateText('text', options)).toThrow(message);
  });
});
