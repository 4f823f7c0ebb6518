import { expect, test } from 'vitest';
import type { Comparison, Timed } from './compare.ts';
import { comparisonText } from './comparison-text.ts';

const columns = [
  { name: '1 MB', bytes: 1024 ** 2 },
  { name: '10 MB', bytes: 10 * 1024 ** 2 },
];
const caption = 'What is compared.';

function timed(milliseconds: number, spread = 0): Timed {
  return { milliseconds, low: milliseconds - spread, high: milliseconds + spread };
}

function comparison(peerMs: number[], spread?: number): Comparison {
  const rival = { of: 'ours', because: 'it does less' };
  return {
    columns,
    rows: [
      { name: 'ours', cells: [timed(10), timed(110)] },
      { name: 'peer', rival, cells: peerMs.map((milliseconds) => timed(milliseconds, spread)) },
      { name: 'other', rival, cells: [{ without: 'not installed' }, { without: 'not installed' }] },
    ],
    rounds: [9, 3],
  };
}

test('the row to compare with has times, all others have multiples of them, and each tells how it grows', () => {
  expect(comparisonText(comparison([25, 1100]), { caption, base: 'ours', tellsThroughput: true }).split('\n')).toEqual([
    caption,
    '',
    '|  | 1 MB | 10 MB | growth |',
    '| --- | --- | --- | --- |',
    '| ours | 10.0 ms, 100 MB/s | 110 ms, 90.9 MB/s | ×11 for ×10 |',
    '| peer | ×2.50 | ×10 | ×44 for ×10 |',
    '| other | not installed | not installed |  |',
    '| rounds | 9 | 3 |  |',
  ]);
});

test('where a peer is faster stands below the table, with the reason, and nowhere else', () => {
  expect(comparisonText(comparison([20, 55]), { caption })).toContain(
    '\n\n- **peer is faster** than ours at 10 MB (×0.50): it does less.',
  );
  expect(comparisonText(comparison([9.9, 109]), { caption })).not.toContain('faster');
});

test('what may be chance is marked, and no reason is given for it', () => {
  const text = comparisonText(comparison([9, 50], 10), { caption, base: 'ours' });
  expect(text).toContain('| peer | ~×0.90 | ×0.45 |');
  expect(text).toContain('faster** than ours at 10 MB (×0.45):');
});

test('a row that does more than its rivals is compared with each of them too, with its own reason', () => {
  const alsoWith = { of: 'all of it', because: 'it looks at less' };
  const { rows, ...others } = comparison([20, 55]);
  const more = { name: 'all of it', cells: [timed(40), timed(50)] };
  expect(
    comparisonText({ ...others, rows: [...rows, more] }, { caption, alsoWith })
      .split('\n')
      .slice(-2),
  ).toEqual([
    '- **peer is faster** than ours at 10 MB (×0.50): it does less.',
    '- **peer is faster** than all of it at 1 MB (×0.50): it looks at less.',
  ]);
});

test('a row that nothing can be compared with is refused', () => {
  const { rows, ...others } = comparison([1, 1]);
  expect(() => comparisonText({ ...others, rows: rows.slice(1) }, { caption })).toThrow('"ours", which is no row');
  expect(() => comparisonText({ ...others, rows }, { caption, base: 'nobody' })).toThrow('No row "nobody"');
});
