import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineIndex, type LineIndex } from './line-index.ts';

/** Lengths of lines, some of them longer than any interval for these sizes. */
const lengths = fc.array(
  fc.oneof({ weight: 8, arbitrary: fc.nat(200) }, { weight: 1, arbitrary: fc.integer({ min: 1000, max: 200_000 }) }),
  { minLength: 1, maxLength: 400 },
);

function text(lineLengths: number[]): Uint8Array {
  return new TextEncoder().encode(lineLengths.map((length) => 'x'.repeat(length)).join('\n'));
}

function indexOf(bytes: Uint8Array, sizes: number[] = [bytes.length]): LineIndex {
  const indexer = createLineIndex();
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    indexer.push(bytes.subarray(at, at + size));
    at += size;
  }
  return indexer.finish();
}

function starts(lineLengths: number[]): number[] {
  let offset = 0;
  return lineLengths.map((length) => {
    const start = offset;
    offset += length + 1;
    return start;
  });
}

test('counts lines and bytes like split, and every mark is the start of its line', () => {
  fc.assert(
    fc.property(lengths, (lineLengths) => {
      const bytes = text(lineLengths);
      const index = indexOf(bytes);
      const lineStarts = starts(lineLengths);
      expect(index.lines).toBe(lineLengths.length);
      expect(index.bytes).toBe(bytes.length);
      for (const { line, offset } of index.marks) expect(offset).toBe(lineStarts[line]);
    }),
    { numRuns: 300 },
  );
});

test('does not depend on how the bytes are cut into chunks', () => {
  fc.assert(
    fc.property(
      lengths,
      fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 20 }),
      (lineLengths, sizes) => {
        const bytes = text(lineLengths);
        expect(indexOf(bytes, sizes)).toEqual(indexOf(bytes));
      },
    ),
    { numRuns: 300 },
  );
});

test('finds every line within two intervals of a mark, and marks the line after a giant one', () => {
  fc.assert(
    // Enough lines for marks to be dropped several times.
    fc.property(
      fc.array(lengths, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 20, max: 400 }),
      (parts, times) => {
        const lineLengths = Array.from({ length: times }, () => parts.flat()).flat();
        const { marks, interval } = indexFromStarts(lineLengths);
        const lineStarts = starts(lineLengths);
        const marked = new Set(marks.map(({ line }) => line));
        let last = 0;
        lineStarts.forEach((start, line) => {
          if (marked.has(line)) last = start;
          else if (start - last >= 2 * interval)
            throw new Error(`line ${line} is ${start - last} bytes after its mark`);
          if ((lineLengths[line] ?? 0) >= interval && line + 1 < lineLengths.length && !marked.has(line + 1)) {
            throw new Error(`line ${line + 1} comes after a giant one and has no mark`);
          }
        });
        expect(marks.length).toBeLessThanOrEqual(2048);
      },
    ),
    { numRuns: 20 },
  );
});

test('marks of a large text are as dense as their interval allows', () => {
  const indexer = createLineIndex();
  const mebibyte = new TextEncoder().encode(`${'x'.repeat(1023)}\n`.repeat(1024));
  for (let turn = 0; turn < 64; turn++) indexer.push(mebibyte);
  const { marks, interval, bytes } = indexer.finish();
  const offsets = Array.from({ length: bytes / interval + 1 }, (_, index) => index * interval);
  expect(interval).toBeGreaterThan(16 * 1024);
  expect(marks.map(({ offset }) => offset)).toEqual(offsets);
});

/** One buffer is pushed repeatedly, so that gigabytes are not needed in memory. */
function indexFromStarts(lineLengths: number[]): LineIndex {
  const indexer = createLineIndex();
  const line = new Uint8Array(200_001).fill(120);
  lineLengths.forEach((length, index) => {
    indexer.push(line.subarray(0, length));
    if (index + 1 < lineLengths.length) indexer.push(Uint8Array.of(10));
  });
  return indexer.finish();
}
