import { expect, test } from 'vitest';
import { type ByteRange, readLineWindow, type WantedLines } from './artifact-windows.ts';

const LINE = `${'x'.repeat(99)}\n`;
const CHUNK_BYTES = 10_000;
const interval = 50 * 1024 ** 2;
const bytes = 2 * interval;
/** The marks of an artifact of 100 GiB have this distance. */
const index = { lines: bytes / LINE.length + 1, bytes, marks: [{ line: 0, offset: 0 }], interval };

async function bytesReadFor(
  wanted: Partial<WantedLines>,
  onRead = () => {},
): Promise<{ numbers: number[]; bytesRead: number }> {
  let bytesRead = 0;
  const chunk = new TextEncoder().encode(LINE.repeat(CHUNK_BYTES / LINE.length));
  const open = async ({ start, end }: ByteRange) =>
    new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull(controller) {
          if (bytesRead >= end - start) return controller.close();
          bytesRead += chunk.length;
          onRead();
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
  const { lines } = await readLineWindow(open, {
    index,
    first: 0,
    count: 1,
    maxBytes: 1000,
    maxLineBytes: 1000,
    ...wanted,
  });
  return { numbers: lines.map(({ number }) => number), bytesRead };
}

test.each<[string, Partial<WantedLines>, number[], number]>([
  ['one line', {}, [1], CHUNK_BYTES],
  ['a line with a window of one byte', { maxBytes: 1, count: 1e6 }, [1], CHUNK_BYTES],
  ['a line in the middle', { first: 150 }, [151], 2 * CHUNK_BYTES],
  ['many lines, of which a window has two', { first: 150, count: 1e6, maxBytes: 250 }, [151, 152], 2 * CHUNK_BYTES],
])('a read of lines ends when it has the wanted lines: %s', async (_, wanted, numbers, bytesRead) => {
  expect(await bytesReadFor(wanted)).toEqual({ numbers, bytesRead });
});

test('a read of lines holds no more than its window, however far the line is from a mark', async () => {
  // The smallest amount during the read, because memory that is not yet collected does not count.
  let held = Number.POSITIVE_INFINITY;
  const onRead = () => {
    held = Math.min(held, process.memoryUsage().arrayBuffers);
  };
  const { numbers, bytesRead } = await bytesReadFor({ first: 400_000, count: 100, maxBytes: 100_000 }, onRead);
  expect(numbers).toHaveLength(100);
  expect(bytesRead).toBeGreaterThan(40_000_000);
  expect(held).toBeLessThan(bytes / 2);
});
