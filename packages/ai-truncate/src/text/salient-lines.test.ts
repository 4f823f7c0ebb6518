import { describe, expect, test } from 'vitest';
import { processorMsOf } from '../../fixtures/processor-time.ts';
import { createSalientLines, SALIENT_LENGTH } from './salient-lines.ts';

function found(lines: string[]) {
  const salient = createSalientLines();
  lines.forEach((text, index) => {
    salient.consider(index + 1, text.slice(0, SALIENT_LENGTH));
  });
  return salient.finish();
}

const severityOf = (line: string) => found([line])[0]?.severity;

describe('a salient line', () => {
  test.each([
    'FATAL: database system is shut down',
    'panic: runtime error: index out of range',
    'Traceback (most recent call last):',
    'Uncaught TypeError: x is not a function',
    'thread main panicked at src/main.rs:4: fatal',
    'segfault at 0 ip 00007f',
    'kernel: Out of memory: Kill process 1234 (node), task failed',
  ])('is fatal: %s', (line) => expect(severityOf(line)).toBe('fatal'));

  test.each([
    '2026-01-13 ERROR connection refused',
    'java.lang.NullPointerException: null',
    'Caused by: org.postgresql.util.PSQLException: timeout',
    '\x1b[31mERROR\x1b[0m in ./src/index.ts',
    '[Sun Dec 04 04:47:44 2005] [error] mod_jk child in state 6',
    'level=error msg="disk full"',
    '{"level":"error","msg":"boom"}',
    'AssertionError: expected 1 to be 2',
    'npm ERR! code 1: failed',
    'Jun 15 02:04:59 sshd: authentication failure; rhost=1.2.3.4',
    'Process exited with code 137',
    'make: *** [all] exit status 2',
    'Jan 13 SEVERE: servlet threw',
    'CRITICAL disk usage',
  ])('is an error: %s', (line) => expect(severityOf(line)).toBe('error'));

  test.each([
    'Tests: 3 failed, 120 passed, 123 total',
    '12 passed (4.2s)',
    'Found 0 errors.',
    'exit code 0, summary written',
    'Summary of all failing tests',
  ])('is a summary: %s', (line) => expect(severityOf(line)).toBe('summary'));

  test.each([
    '2015-07-29 19:04:29 - WARN [SendWorker] - Send worker leaving thread',
    'warning: unused variable',
    '10:00 INFO ErrorHandler registered',
  ])('is a warning: %s', (line) => expect(severityOf(line)).toBe('warning'));

  test.each([
    'GET /orders 200 12ms',
    '{"level":"info","error":null}',
    'no errors found',
    'completed without error',
    'errors=0 retries=0',
    'INFO warnings are enabled',
    '',
  ])('is not: %s', (line) => expect(severityOf(line)).toBeUndefined());
});

describe('salient lines', () => {
  test('report lines that differ only in numbers, ids and times once, with their count', () => {
    expect(
      found([
        'Sun Dec 04 2005 ERROR job 17 failed for 7f3k9q2m',
        'ok',
        'Mon Jan 05 2006 ERROR job 18 failed for a1b2c3d4',
        'ERROR other',
      ]),
    ).toMatchObject([
      { line: 1, count: 2, lastLine: 3 },
      { line: 4, count: 1, lastLine: 4 },
    ]);
  });

  test('are different when words of any script are', () => {
    expect(found(['ERROR 磁盘3已满', 'ERROR 网络5断开连接', 'ERROR 磁盘7已满'])).toMatchObject([
      { line: 1, count: 2 },
      { line: 2, count: 1 },
    ]);
  });

  test('distinguish some from none', () => {
    expect(found(['exit code 0', 'exit code 1', '0 failed', '3 failed']).map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  });

  test('include the first and the last of very many different ones, and the severe among the others', () => {
    const words = Array.from({ length: 5000 }, (_, index) =>
      index.toString(26).replace(/\d/g, (digit) => 'klmnopqrst'[Number(digit)] ?? ''),
    );
    const lines = words.map((word) => `ERROR in ${word}`);
    lines[2500] = 'FATAL the cause';
    const kept = found(lines);
    expect(kept.length).toBeLessThan(200);
    expect(kept.map(({ line }) => line)).toEqual(expect.arrayContaining([1, 2, 2501, 4999, 5000]));
  });

  test('are found in linear time in hostile lines', async () => {
    const hostile = ['error: ', 'exit ', 'no error ', '0 failed:', '"error":', 'failed = '].map((unit) =>
      Array.from({ length: 2000 }, (_, index) => `${unit.repeat(100)}${'abcdefghij'[index % 10]}`),
    );
    expect(await processorMsOf(() => hostile.forEach((lines) => void found(lines)))).toBeLessThan(2000);
  });
});
