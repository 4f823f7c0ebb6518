import { MEGABYTE } from './inputs.ts';

/** Columns of each line, including the line feed. */
export const COLUMNS = 80;

/**
 * Lines that contain their number, so that a window can be checked. They are a stream, because the largest artifact would
 * exceed the longest possible string.
 */
export async function* numberedLines(total: number): AsyncGenerator<Uint8Array> {
  const linesPerChunk = Math.floor(MEGABYTE / COLUMNS);
  for (let first = 1; first <= total; first += linesPerChunk) {
    const count = Math.min(linesPerChunk, total + 1 - first);
    yield Buffer.from(Array.from({ length: count }, (_, index) => `${numberedLine(first + index)}\n`).join(''));
  }
}

export function numberedLine(line: number): string {
  return `${String(line).padStart(9, '0')} INFO worker processed a job`.padEnd(COLUMNS - 1, '.');
}
