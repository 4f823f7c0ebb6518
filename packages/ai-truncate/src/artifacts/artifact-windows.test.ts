import { expect, test } from 'vitest';
import { type ByteRange, readLineWindow, type WantedLines } from './artifact-windows.ts';

const LINE = `${'x'.repeat(99)}\n`;
const CHUNK_BYTES = 10_000;
const interval = 50 * 1024 ** 2;
const bytes = 2 * interval;
/** The marks of an artifact of 100 GiB are as far apart. */
const index = { lines: bytes / LINE.length + 1, bytes, marks: [{ line: 0, offset: 0 }], interval };

async function bytesReadFor(wanted: Partial<WantedLines>): Promise<{ numbers: number[]; bytesRead: number }> {
  let bytesRead = 0;
  const chunk = new TextEncoder().encode(LINE.repeat(CHUNK_BYTES / LINE.length));
  const open = async ({ start, end }: ByteRange) =>
    new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull(controller) {
          if (bytesRead >= end - start) return controller.close();
          bytesRead += chunk.length;
          controller.enqueue(chunk.slice());
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
  ['a line with a window of one byte', { maxBytes: 1, count: 1e6 }, [1], 2 * CHUNK_BYTES],
  ['a line in the middle', { first: 150 }, [151], 2 * CHUNK_BYTES],
  ['many lines, of which a window has two', { first: 150, count: 1e6, maxBytes: 250 }, [151, 152], 3 * CHUNK_BYTES],
])('a read of lines ends when it has what is wanted: %s', async (_, wanted, numbers, bytesRead) => {
  expect(await bytesReadFor(wanted)).toEqual({ numbers, bytesRead });
});
