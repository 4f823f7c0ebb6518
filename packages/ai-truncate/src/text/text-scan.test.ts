import { describe, expect, test } from 'vitest';
import { createTextScan, type TextScan } from './text-scan.ts';

function scan(chunks: string[], options: { headChars?: number; tailChars?: number } = {}): TextScan {
  const scanner = createTextScan({ headChars: 100, tailChars: 100, findsSalientLines: true, ...options });
  for (const chunk of chunks) scanner.push(chunk);
  return scanner.finish();
}

describe('the text scan', () => {
  test('counts lines like split, and bytes like the stored text', () => {
    expect(scan([])).toMatchObject({ lines: 1, bytes: 0, chars: 0, head: '', tail: '' });
    expect(scan(['a\n€€\n'])).toMatchObject({ lines: 3, bytes: 9, chars: 5 });
    expect(scan(['\ud83d', '\ude00\ud83d'])).toMatchObject({ bytes: 7, chars: 3 });
  });

  test('holds both ends, and splits no pair', () => {
    const text = `😀${'-'.repeat(1000)}😀`;
    expect(scan([text], { headChars: 5, tailChars: 5 })).toMatchObject({ head: '😀---', tail: '---😀' });
    expect(scan([text], { headChars: 1, tailChars: 1 })).toMatchObject({ head: '', tail: '' });
    expect(scan(['ab', 'cd'], { headChars: 10, tailChars: 10 })).toMatchObject({ head: 'abcd', tail: 'abcd' });
  });

  test('finds salient lines with their true numbers, wherever chunks end', () => {
    const found = scan(['one\ntwo ERR', 'OR: boom\nthree\nfatal', ': end']).salientLines;
    expect(found.map(({ line, text, severity }) => [line, text, severity])).toEqual([
      [2, 'two ERROR: boom', 'error'],
      [4, 'fatal: end', 'fatal'],
    ]);
  });

  test('stays small over a stream without end', () => {
    const scanner = createTextScan({ headChars: 16_384, tailChars: 16_384, findsSalientLines: true });
    const line = `${'x'.repeat(90)} WARN retry\n`;
    const before = process.memoryUsage().heapUsed;
    for (let pushed = 0; pushed < 200_000_000; pushed += 100 * line.length) scanner.push(line.repeat(100));
    const result = scanner.finish();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
    expect(result.salientLines).toMatchObject([{ line: 1, count: result.lines - 1 }]);
  });
});
