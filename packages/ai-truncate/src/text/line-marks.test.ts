import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { compileLineMarks } from './line-marks.ts';
import { createTextScan } from './text-scan.ts';

const marksOf = (...salient: string[]) => compileLineMarks('salient', salient);

describe('marks of an application', () => {
  test.each([
    ['a word, in any case', 'declined', 'Payment DECLINED by bank'],
    ['a word without capital letters', '支付失败', '订单 48215 支付失败'],
    ['a pattern', 'HTTP 5\\d\\d', 'GET /pay http 503'],
    ['a pattern for a whole line', '^order \\d+$', 'Order 48215'],
    ['a pattern that asks for a case', '(?-i:Timeout)', 'Timeout after 300 ms'],
    ['one of two', 'a+b', 'xaab'],
  ])('find %s', (_, pattern, line) => {
    expect(marksOf('never', pattern)?.test(line)).toBe(true);
    expect(marksOf('never', pattern)?.test('nothing to see')).toBe(false);
  });

  test('find text across the colors of a line', () => {
    expect(marksOf('^declined$')?.test('\u001b[31mdeclined\u001b[0m')).toBe(true);
  });

  test('are undefined for an empty list', () => {
    expect(compileLineMarks('salient', [])).toBeUndefined();
    expect(compileLineMarks('salient', undefined)).toBeUndefined();
  });

  test('leave words to one turn, and give patterns short ones', () => {
    expect(marksOf('declined', 'a|b')?.turnChars).toBe(Infinity);
    expect(marksOf('HTTP 5\\d\\d')?.turnChars).toBe(32 * 1024);
  });

  test('take a bounded time on a hostile line, for any patterns', () => {
    const marks = marksOf('a[ab]{40}c', '(?:a[ab]{20}|b[ab]{20})d');
    // Each step of the engine over this line would be of a new state: two million with the largest patterns that are taken.
    const line = Array.from({ length: 1024 }, (_, index) => ((index * 7919) % 13 < 6 ? 'a' : 'b')).join('');
    expect(marks?.test(line)).toBe(false);
  });
});

describe('a pattern that cannot be searched is an option error', () => {
  test.each<[unknown, string, string]>([
    ['declined', 'salient', '`salient` must be an array of at most 32 words or RE2 patterns; got'],
    [Array(33).fill('a'), 'salient', 'at most 32'],
    [
      ['ok', /declined/],
      'salient[1]',
      '`salient[1]` must be a word or a pattern in RE2 syntax; got an instance of RegExp.',
    ],
    [[''], 'salient[0]', '`salient[0]` is refused. The pattern is empty'],
    [['(?=a)b'], 'salient[0]', '`salient[0]` is refused. RE2 has no look-around'],
    [['(a)\\1'], 'salient[0]', 'RE2 has no back-references'],
    [['(a'], 'salient[0]', 'The pattern is not an RE2 expression'],
    [['a\nb'], 'salient[0]', 'a line break is never found'],
    [['x'.repeat(600)], 'salient[0]', 'at most 512'],
    [['[a-z]{500}x'], 'salient[0]', 'The patterns are too large together'],
    [['\\d{50}', '\\w{50}', '\\d{50}'], 'salient[2]', 'The patterns are too large together'],
  ])('%j', (salient, option, message) => {
    const compile = () => compileLineMarks('salient', salient);
    expect(compile).toThrow(message);
    expect(compile).toThrow(InvalidOptionError);
    expect(compile).toThrow(expect.objectContaining({ option }));
  });
});

describe('a scan with marks', () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `INFO request ${index} answered 200`);
  lines[1200] = 'INFO request 1200 answered 503\r';
  lines[1800] = 'ERROR disk full';
  lines[2400] = 'INFO request 2400 answered 504\r';

  function scan(chunkChars: number, salient: string[] | undefined) {
    const scanner = createTextScan({
      headChars: 100,
      tailChars: 100,
      findsSalientLines: true,
      marks: salient && compileLineMarks('salient', salient),
    });
    const text = lines.join('\n');
    for (let at = 0; at < text.length; at += chunkChars) scanner.push(text.slice(at, at + chunkChars));
    return scanner
      .finish()
      .salientLines.map(({ line, severity, count, lastLine }) => ({ line, severity, count, lastLine }));
  }

  test.each([7, 1000, 1e6])(
    'finds marked lines in addition to salient lines, however the text is cut (%i)',
    (chunkChars) => {
      expect(scan(chunkChars, ['answered 5\\d\\d$'])).toEqual([
        { line: 1201, severity: 'marked', count: 2, lastLine: 2401 },
        { line: 1801, severity: 'error', count: 1, lastLine: 1801 },
      ]);
      expect(scan(chunkChars, undefined)).toEqual([{ line: 1801, severity: 'error', count: 1, lastLine: 1801 }]);
    },
  );
});
