import { expect, test } from 'vitest';
import { formatDuration, stepTimesTable } from './step-times.mjs';

test.each([
  [0, '0 s'],
  [499, '0 s'],
  [59_400, '59 s'],
  [59_500, '1 min 00 s'],
  [125_000, '2 min 05 s'],
  [3_600_000, '60 min 00 s'],
])('a duration of %d ms is written as %s', (elapsedMs, written) => {
  expect(formatDuration(elapsedMs)).toBe(written);
});

test('the table has a row per step in order, and the total below a line', () => {
  const times = [
    { heading: 'Lint', elapsedMs: 7200 },
    { heading: 'Tests of the library', elapsedMs: 121_000 },
  ];
  expect(stepTimesTable(times, 125_400).split('\n')).toEqual([
    'Lint                         7 s',
    'Tests of the library  2 min 01 s',
    '--------------------------------',
    'Total                 2 min 05 s',
  ]);
});
