import { describe, expect, test } from 'vitest';
import { tellingLines } from './telling-lines.ts';
import { createTextScan } from './text-scan.ts';

function severitiesOf(texts: readonly string[]): Record<string, string> {
  const lines = texts.map((text, index) => ({ line: index + 1, text, count: 1, lastLine: index + 1 }));
  return Object.fromEntries(tellingLines(lines).map(({ line, severity }) => [texts[line - 1], severity]));
}

test.each([
  'Total reclaimed space: 3.107GB',
  'Subtotal (net) EUR 1,204.50',
  'Ran 512 tests in 2.103s',
  'Indexed 88 documents',
  'added 312 packages, and audited 313 packages in 4s',
  ' 58 files changed, 12 insertions(+), 3 deletions(-)',
  '1024 rows in set (0.02 sec)',
  '7 services restarted',
  ' 1 file changed, 1 insertion(+)',
  '> Compiled successfully in 3.2 s',
  'INFO: wrote 12 MB',
])('states a total: %s', (line) => {
  expect(severitiesOf([line])).toEqual({ [line]: 'summary' });
});

test.each([
  'Segmentation fault (core dumped)',
  'connect ECONNREFUSED: connection refused',
  'curl: (28) Operation timed out after 30001 milliseconds',
  'Cannot find name "orders"',
  './cmd/pay/main.go:41:9: undefined: ledger',
  'src/app.ts(12,5): Type "string" is not assignable',
  'token expired yesterday',
])('reports trouble: %s', (line) => {
  expect(severitiesOf([line])).toEqual({ [line]: 'warning' });
});

test.each([
  '-rw-r--r-- 1 root root 1204 index.md',
  'order 48215 was declined by the bank',
  'Version: 1.2.3-4',
  'The published book',
  '10:31:22 tick',
  '',
])('says neither: %s', (line) => {
  expect(severitiesOf([line])).toEqual({});
});

test('a kind with more than 24 lines is dropped, and the other kind stays', () => {
  const troubles = Array.from({ length: 25 }, (_, index) => `you cannot do ${'x'.repeat(index)}`);
  expect(severitiesOf([...troubles, 'Ran 3 tests'])).toEqual({ 'Ran 3 tests': 'summary' });
  expect(Object.keys(severitiesOf(troubles.slice(1)))).toHaveLength(24);
});

test('only the beginning of a line counts', () => {
  expect(severitiesOf([`${'x '.repeat(100)}permission denied`])).toEqual({});
});

describe('in an output in which all lines differ', () => {
  const word = (index: number) => index.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
  const different = Array.from({ length: 5000 }, (_, index) => `${word(index)} and ${word(index * 31)}`);
  const scanOf = (lines: readonly string[]) => {
    const scan = createTextScan({ headChars: 100, tailChars: 100, findsSalientLines: true });
    scan.push(lines.join('\n'));
    return scan.finish();
  };

  test('no line is rare, but a total and trouble are salient', () => {
    const lines = different.with(2000, 'Checked 402 files').with(3000, 'access denied for backup');
    const { patterns, salientLines } = scanOf(lines);
    expect(patterns.rareLines).toEqual([]);
    expect(salientLines.map(({ line, severity }) => [line, severity])).toEqual([
      [2001, 'summary'],
      [3001, 'warning'],
    ]);
  });

  test('a line with a salient word is salient once', () => {
    const { salientLines } = scanOf(different.with(2000, 'ERROR: connection refused'));
    expect(salientLines.map(({ line, severity }) => [line, severity])).toEqual([[2001, 'error']]);
  });

  test('lines before the table of patterns is full are found', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `${word(index)} and ${word(index * 31)}`);
    expect(scanOf(many.with(2000, 'Checked 402 files')).salientLines.map(({ line }) => line)).toEqual([2001]);
  });
});
