import { expect, test } from 'vitest';
import { copiedLines } from './copied-lines';

/** An artifact of these lines, as the server tells of it. */
function sourceOf(lines: string[], { hasTextView }: { hasTextView?: true } = {}) {
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
    info: async () => ({
      name: 'run.txt',
      mediaType: 'text/plain',
      bytes: all.length,
      lines: lines.length,
      expiresAt: '',
      ...(hasTextView && { hasTextView }),
    }),
    bytes: async ({ start, end }: { start: number; end: number }) => new Blob([all.subarray(start, end)]),
  };
}

const red = '\u001b[31mžluť\u001b[0m';

test('lines are copied completely, without numbers, and with colours only on request', async () => {
  const source = sourceOf(['one', `${red} is longer than a row`, 'three']);
  const range = { from: 2, to: 3 };
  expect(await copiedLines(source, { range, form: 'text' })).toBe('žluť is longer than a row\nthree');
  expect(await copiedLines(source, { range, form: 'raw' })).toBe(`${red} is longer than a row\nthree`);
});

test('lines of a text view are copied as they are shown, and not as JSON', async () => {
  const json = ['{', '  "path": "C:\\\\new \\"table\\"",', '  "name": "\\u001b[1m日\\ud83d\\ude00"', '}'];
  const source = sourceOf(json, { hasTextView: true });
  const range = { from: 2, to: 3 };
  expect(await copiedLines(source, { range, form: 'raw' })).toBe(
    '  "path": "C:\\new "table"",\n  "name": "\u001b[1m日😀"',
  );
});

test('evidence names its place, in a fence that its text cannot close', async () => {
  const source = sourceOf(['one', '```', 'three']);
  expect(await copiedLines(source, { range: { from: 1, to: 2 }, form: 'evidence' })).toBe(
    'run.txt:1-2\n````\none\n```\n````\n',
  );
});

test('a selection too large for a clipboard is refused, and the message says what to do', async () => {
  const source = sourceOf(['x'.repeat(2_000_000)]);
  await expect(copiedLines(source, { range: { from: 1, to: 1 }, form: 'text' })).rejects.toThrow(/Download the whole/);
});

test('a missing line is not copied as an empty line', async () => {
  const source = sourceOf(['one']);
  await expect(copiedLines(source, { range: { from: 1, to: 9 }, form: 'text' })).rejects.toThrow('There is no line 9');
});
