import { expect, test } from 'vitest';
import type { Comparison, Timed } from './compare.ts';
import { comparisonText } from './comparison-text.ts';

const columns = [
  { name: '1 MB', bytes: 1024 ** 2 },
  { name: '10 MB', bytes: 10 * 1024 ** 2 },
];
const caption = 'The comparison.';

function timed(milliseconds: number, spread = 0): Timed {
  return { milliseconds, low: milliseconds - spread, high: milliseconds + spread };
}

function comparison(peerMs: number[], spread?: number): Comparison {
  const rival = { of: 'reference', because: 'it does less' };
  return {
    columns,
    rows: [
      { name: 'reference', cells: [timed(10), timed(110)] },
      { name: 'peer', rival, cells: peerMs.map((milliseconds) => timed(milliseconds, spread)) },
      { name: 'other', rival, cells: [{ without: 'not installed' }, { without: 'not installed' }] },
    ],
    rounds: [9, 3],
  };
}

test('the reference row has times, all other rows have multiples of them, and each row says how its time grows', () => {
  expect(
    comparisonText(comparison([25, 1100]), { caption, base: 'reference', tellsThroughput: true }).split('\n'),
  ).toEqual([
    caption,
    '',
    '|  | 1 MB | 10 MB | growth |',
    '| --- | --- | --- | --- |',
    '| reference | 10.0 ms, 100 MB/s | 110 ms, 90.9 MB/s | ×11 for ×10 |',
    '| peer | ×2.50 | ×10 | ×44 for ×10 |',
    '| other | not installed | not installed |  |',
    '| rounds | 9 | 3 |  |',
  ]);
});

test('the cases in which a peer is faster are listed below the table, with the reasons', () => {
  expect(comparisonText(comparison([20, 55]), { caption })).toContain(
    '\n\n- **peer is faster** than reference at 10 MB (×0.50): it does less.',
  );
  expect(comparisonText(comparison([9.9, 109]), { caption })).not.toContain('faster');
});

test('a difference that may be chance is marked, without a reason', () => {
  const text = comparisonText(comparison([9, 50], 10), { caption, base: 'reference' });
  expect(text).toContain('| peer | ~×0.90 | ×0.45 |');
  expect(text).toContain('faster** than reference at 10 MB (×0.45):');
});

test('a row that does more than its peers is also compared with each of them, with its own reason', () => {
  const alsoWith = { of: 'whole', because: 'it reads less' };
  const { rows, ...others } = comparison([20, 55]);
  const more = { name: 'whole', cells: [timed(40), timed(50)] };
  expect(
    comparisonText({ ...others, rows: [...rows, more] }, { caption, alsoWith })
      .split('\n')
      .slice(-2),
  ).toEqual([
    '- **peer is faster** than reference at 10 MB (×0.50): it does less.',
    '- **peer is faster** than whole at 1 MB (×0.50): it reads less.',
  ]);
});

test('a peer of an unknown row is refused', () => {
  const { rows, ...others } = comparison([1, 1]);
  expect(() => comparisonText({ ...others, rows: rows.slice(1) }, { caption })).toThrow(
    '"reference", which is not a row',
  );
  expect(() => comparisonText({ ...others, rows }, { caption, base: 'missing' })).toThrow('No row "missing"');
});
