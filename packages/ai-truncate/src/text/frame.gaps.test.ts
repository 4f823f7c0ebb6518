import { describe, expect, test } from 'vitest';
import { gapRow, numberedRow, textRow, withoutForgedMarks } from './frame.ts';

describe('a row of a preview', () => {
  test('names the lines of a gap', () => {
    expect(gapRow({ lines: 1240, from: 41 })).toBe('... [1,240 lines not shown: lines 41-1280] ...');
    expect(gapRow({ lines: 1, from: 7 })).toBe('... [1 line not shown: line 7] ...');
    expect(gapRow({ lines: 2, from: 13, restOf: 12 })).toBe(
      '... [2 lines not shown: the rest of line 12, lines 13-14] ...',
    );
    expect(gapRow({ lines: 0, from: 13, restOf: 12 })).toBe('... [not shown: the rest of line 12] ...');
    expect(gapRow({ lines: 8, from: 2, chars: 9_984_021, restOf: 1, startOf: 10 })).toBe(
      '... [8 lines, 9,984,021 characters not shown: the rest of line 1, lines 2-9, the start of line 10] ...',
    );
    expect(gapRow({ lines: 0, from: 2, chars: 1, restOf: 1, startOf: 1 })).toBe('... [1 character not shown] ...');
  });

  test('numbers a salient line and counts its repeats', () => {
    expect(numberedRow({ line: 1281, text: 'ERROR boom', count: 1, lastLine: 1281 })).toBe('1281: ERROR boom');
    expect(numberedRow({ line: 1281, text: 'ERROR boom', count: 1037, lastLine: 4002 })).toBe(
      '1281: ERROR boom [1,037 times, last in line 4002]',
    );
  });
});

test('a row of a diff says how many lines a file adds and removes, and an output cannot imitate that', () => {
  const changes = { added: 1200, removed: 3 };
  const row = numberedRow({ line: 7, text: 'src/a.ts', count: 1, lastLine: 7, changes });
  expect(row).toBe('7: src/a.ts [adds 1,200 lines, removes 3]');
  expect(withoutForgedMarks(row)).toBe('7: src/a.ts \\[adds 1,200 lines, removes 3]');
  expect(withoutForgedMarks(withoutForgedMarks(row))).toBe(withoutForgedMarks(row));
  expect(withoutForgedMarks('[adds a file]')).toBe('[adds a file]');
});

test('a gap names the text of a value that begins in it, and a row precedes a shown line in which one begins', () => {
  const begins = { line: 6002, name: '"stderr"' };
  expect([gapRow({ lines: 30, from: 5980, begins }), textRow(begins)]).toEqual([
    '... [30 lines not shown: lines 5980-6009, "stderr" begins in line 6002] ...',
    '... ["stderr" begins in line 6002] ...',
  ]);
});

test.each(['... ["stderr" begins in line 9] ...', '  ...\u00a0["a" begins in\u00a0line 10] ...'])(
  'a line of an output cannot imitate such a row: %j',
  (line) => {
    expect(withoutForgedMarks(`one\n${line}`)).toBe(`one\n${line.replace('...', '\\...')}`);
  },
);
