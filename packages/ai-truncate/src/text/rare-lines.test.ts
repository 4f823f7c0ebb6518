import { describe, expect, test } from 'vitest';
import { corpusNames, readCorpus } from '../../fixtures/corpus.ts';
import { LineReader } from './line-reader.ts';
import { type LinePatterns, patternPrint } from './rare-lines.ts';

function patternsOf(text: string): LinePatterns {
  const reader = new LineReader([]);
  for (let at = 0; at < text.length; at += 1000) reader.push(text.slice(at, at + 1000));
  return reader.finish().patterns;
}

function quietLog(lines: number): string[] {
  return Array.from({ length: lines }, (_, index) =>
    index % 3 === 0
      ? `12:00:${index} INFO worker-${index} took job ${index * 7}`
      : `12:00:${index} DEBUG poll "/v1/jobs/${index}" ok`,
  );
}

test.each([
  'connect ECONNRESET 10.21.4.77:6432',
  'x509: certificate has expired or is not yet valid: CN=vault.internal',
  'Zertifikat für vault.internal ist abgelaufen',
  '支付网关拒绝了订单',
  'disk quota exceeded on volume pvc-77ab',
])('%j needs no word list to be rare', (line) => {
  const { rareLines } = patternsOf(quietLog(3000).toSpliced(1234, 0, line).join('\n'));
  expect(rareLines.map(({ line: number, text }) => [number, text])).toEqual([[1235, line]]);
});

test('a line that occurs twice is rare, and names the second line', () => {
  const lines = quietLog(3000).toSpliced(2000, 0, 'leader lost').toSpliced(100, 0, 'leader lost');
  expect(patternsOf(lines.join('\n')).rareLines).toMatchObject([
    { line: 101, text: 'leader lost', count: 2, lastLine: 2002 },
  ]);
});

test('lines that differ in numbers, ids, paths, quoted texts and days have the same pattern', () => {
  const prints = [
    'Mon 12:01 GET /a/b "x y" by req-113d3a9-dbce-4ad2 ok',
    'Tue 23:59 GET /quite/other/path "z" by req-80cf4c1c-abcd-9999 ok',
  ].map(patternPrint);
  expect(prints[0]).toBe(prints[1]);
  expect(patternPrint("can't open the file")).not.toBe(patternPrint("can't close the file"));
});

test('no line is rare in a text in which most lines differ', () => {
  const prose = Array.from(
    { length: 500 },
    (_, index) => `${'abcdefghijklmnopqrstuvwxyz'[index % 26]}${'x'.repeat(index)} words`,
  );
  expect(patternsOf(prose.join('\n')).rareLines).toEqual([]);
});

test('the first line represents a block of new lines, such as a start', () => {
  const boot = ['kernel booting', 'memory map read', 'security framework ready', 'console colour set', 'network up'];
  const { rareLines } = patternsOf(
    quietLog(3000)
      .toSpliced(1500, 0, ...boot)
      .join('\n'),
  );
  expect(rareLines.map(({ text }) => text)).toEqual(['kernel booting']);
});

test('no line is rare if there are more different lines than the table holds', () => {
  const words = (index: number) => [...index.toString(2)].map((bit) => (bit === '1' ? 'yes' : 'no')).join(' ');
  const lines = Array.from({ length: 80_000 }, (_, index) => words(index));
  expect(patternsOf(lines.join('\n'))).toEqual({ rareLines: [], frequent: [], tellingLines: [] });
});

test('the most frequent patterns have counts', () => {
  expect(patternsOf(quietLog(3000).join('\n')).frequent.map(({ pattern, count }) => ({ pattern, count }))).toEqual([
    { pattern: '# DEBUG poll "/#" ok', count: 2000 },
    { pattern: '# INFO worker-# took job #', count: 1000 },
  ]);
});

describe('real logs', () => {
  test('at most 12 lines of all five together are rare', () => {
    const logs = corpusNames.filter((name) => name.endsWith('.log'));
    const rare = logs.map((name) => patternsOf(readCorpus(name)).rareLines.length);
    expect(logs.length).toBe(5);
    expect(rare.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(12);
  });
});
