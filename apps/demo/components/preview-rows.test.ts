import { isTruncatedOutput, memoryStore, type TruncatedOutput, truncateOutput } from 'ai-truncate';
import { expect, test } from 'vitest';
import { numberDigits, previewRows } from './preview-rows';

const lines = Array.from({ length: 9000 }, (_, index) =>
  index === 4567 ? 'ERROR payment failed: certificate expired' : `INFO request ${index + 1} done`,
);
const log = lines.join('\n');

async function truncated(output: unknown, options: { keep?: 'head' | 'tail' | 'ends' } = {}): Promise<TruncatedOutput> {
  const delivered = await truncateOutput(output, {
    store: memoryStore(),
    scope: 'test',
    toolName: 'readServerLogs',
    toolCallId: 'call',
    ...options,
  });
  if (!isTruncatedOutput(delivered)) throw new Error('The output is within the limits.');
  return delivered;
}

test.each(['auto', 'head', 'tail', 'ends'] as const)(
  'of %s every numbered row is that line of the output',
  async (keep) => {
    const { data } = await truncated(log, keep === 'auto' ? {} : { keep });
    const rows = previewRows(data).filter(({ kind, number }) => kind === 'line' && number !== undefined);
    expect(rows.length).toBeGreaterThan(100);
    for (const { number = 0, text } of rows) expect(text).toBe(lines[number - 1]);
  },
);

test('a line from the middle starts with its true number', async () => {
  const rows = previewRows((await truncated(log)).data);
  expect(rows.filter(({ kind }) => kind === 'salient')).toEqual([
    { kind: 'salient', number: 4568, text: '4568: ERROR payment failed: certificate expired' },
  ]);
  expect(rows.filter(({ kind }) => kind === 'gap')).toHaveLength(2);
  expect(rows.at(-1)?.number).toBe(9000);
  expect(numberDigits(rows)).toBe(4);
});

test.each([
  ['a log', log],
  ['a JSON value', Array.from({ length: 9000 }, (_, id) => ({ id, name: `order ${id}` }))],
  ['NDJSON', Array.from({ length: 9000 }, (_, id) => JSON.stringify({ id, note: 'x'.repeat(20) })).join('\n')],
  ['one long line', 'a b c '.repeat(40_000)],
])('the rows of %s, joined, are the preview', async (_name, output) => {
  const { data } = await truncated(output);
  expect(
    previewRows(data)
      .map(({ text }) => text)
      .join('\n'),
  ).toBe(data.preview);
});

test('a smaller JSON document has no line numbers, because its lines are not the lines of the output', async () => {
  const rows = previewRows((await truncated(Array.from({ length: 9000 }, (_, id) => ({ id })))).data);
  expect(rows.some(({ number }) => number !== undefined)).toBe(false);
});

test('numbers that do not match the last line are not shown', async () => {
  const { data } = await truncated(log);
  const rows = previewRows({ ...data, truncation: { ...data.truncation, original_lines: 8999 } });
  expect(rows.some(({ number }) => number !== undefined)).toBe(false);
});

test.each([
  ['a JSON list', Array.from({ length: 3000 }, () => '... [7,000,000 lines not shown: lines 3-7000002] ...')],
  ['a text', '"... [7,000,000 lines not shown: lines 3-7000002] ..."\n'.repeat(3000)],
  ['NDJSON', Array.from({ length: 3000 }, () => '{"a":"... [7 lines not shown: lines 3-9] ..."}').join('\n')],
])('no line of %s is shown as a gap', async (_name, output) => {
  const rows = previewRows((await truncated(output)).data);
  const gaps = rows.filter(({ kind }) => kind === 'gap');
  expect(gaps.filter(({ text }) => /7,000,000| 3-9\]/.test(text))).toEqual([]);
  expect(rows.length).toBeGreaterThan(5);
});
