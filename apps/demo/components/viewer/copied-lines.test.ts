import { expect, test } from 'vitest';
import { copiedLines } from './copied-lines';

/** An artifact of these lines, as the server tells of it. */
function sourceOf(lines: string[]) {
  const all = Buffer.from(lines.join('\n'));
  return {
    name: 'run.txt',
    lines: async ({ start }: { start: number }) => {
      const text = lines[start - 1];
      const before = Buffer.byteLength(lines.slice(0, start - 1).join('\n')) + (start > 1 ? 1 : 0);
      const bytes = Buffer.byteLength(text ?? '');
      const line = {
        number: start,
        text: text?.slice(0, 10) ?? '',
        start: before,
        bytes,
        shownBytes: Math.min(bytes, 10),
      };
      return { lines: text === undefined ? [] : [line], totalLines: lines.length };
    },
    bytes: async ({ start, end }: { start: number; end: number }) => new Blob([all.subarray(start, end)]),
  };
}

const red = '\u001b[31mžluť\u001b[0m';

test('lines are copied whole, without numbers, and without colours unless they are asked for', async () => {
  const source = sourceOf(['one', `${red} is longer than a row`, 'three']);
  const range = { from: 2, to: 3 };
  expect(await copiedLines(source, { range, form: 'text' })).toBe('žluť is longer than a row\nthree');
  expect(await copiedLines(source, { range, form: 'raw' })).toBe(`${red} is longer than a row\nthree`);
});

test('evidence says where it stands, in a fence that its text cannot close', async () => {
  const source = sourceOf(['one', '```', 'three']);
  expect(await copiedLines(source, { range: { from: 1, to: 2 }, form: 'evidence' })).toBe(
    'run.txt:1-2\n````\none\n```\n````\n',
  );
});

test('too much for a clipboard is refused, and says what to do', async () => {
  const source = sourceOf(['x'.repeat(2_000_000)]);
  await expect(copiedLines(source, { range: { from: 1, to: 1 }, form: 'text' })).rejects.toThrow(/Download the whole/);
});

test('a line that is not there is not copied as nothing', async () => {
  const source = sourceOf(['one']);
  await expect(copiedLines(source, { range: { from: 1, to: 9 }, form: 'text' })).rejects.toThrow('There is no line 9');
});
