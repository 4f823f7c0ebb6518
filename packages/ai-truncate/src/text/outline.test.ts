import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineStarts, OutlineEntries } from './outline.ts';

test('the split of a text into chunks does not change the beginnings of its lines', async () => {
  const line = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('x'.repeat(400), '# a', '\r', ''));
  const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\n'));
  await fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 50 }), (text, size) => {
      const starts: [string, number][] = [];
      const reader = new LineStarts((start, line) => starts.push([start, line]));
      for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
      reader.finish();
      const lines = text.split('\n').map((line, index) => [line.slice(0, 300).replace(/\r$/, ''), index + 1]);
      expect(starts).toEqual(lines);
    }),
  );
});

describe('an outline with too many entries', () => {
  function outlineOf(levels: (index: number) => number): { levels: number[]; lines: number[]; count: number } {
    const outline = new OutlineEntries();
    for (let line = 1; line <= 100_000; line++) outline.add({ line, level: levels(line), text: '' });
    const { entries, count } = outline.finish();
    return {
      levels: [...new Set(entries.map(({ level }) => level))],
      lines: entries.map(({ line }) => line),
      count,
    };
  }

  test('has its highest levels', () => {
    const { levels, lines, count } = outlineOf((line) => (line % 1000 === 0 ? 1 : line % 100 === 0 ? 2 : 3));
    expect([levels, lines.length, count]).toEqual([[2, 1], 1000, 100_000]);
  });

  test('has entries at equal distances if there is one level', () => {
    const { lines } = outlineOf(() => 1);
    expect(lines.length).toBeGreaterThan(1000);
    expect(new Set(lines.slice(1).map((line, index) => line - (lines[index] ?? 0))).size).toBe(1);
  });
});
