import type { BenchScale } from './bench-part.ts';
import type { Column } from './compare.ts';

interface Size {
  name: string;
  bytes: number;
}

const KILOBYTE = 1024;

const sizes: readonly Size[] = [
  { name: '1 KB', bytes: KILOBYTE },
  { name: '10 KB', bytes: 10 * KILOBYTE },
  { name: '100 KB', bytes: 100 * KILOBYTE },
  { name: '1 MB', bytes: KILOBYTE ** 2 },
  { name: '10 MB', bytes: 10 * KILOBYTE ** 2 },
  { name: '100 MB', bytes: 100 * KILOBYTE ** 2 },
  { name: '1 GB', bytes: KILOBYTE ** 3 },
];

/**
 * A column for each size between two sizes, each ten times the previous one (the last slightly more), so that growth is
 * visible.
 */
export function columnsBetween<INPUT>(
  [least, most]: readonly [string, string],
  { scale, prepare }: { scale: BenchScale; prepare(size: Size): INPUT | Promise<INPUT> },
): Column<INPUT>[] {
  const from = sizes.findIndex(({ name }) => name === least);
  const to = sizes.findIndex(({ name }) => name === most);
  const fitting = sizes.slice(from, to + 1).filter(({ bytes }) => bytes <= scale.mostBytes);
  return fitting.map((size) => ({ ...size, prepare: () => prepare(size) }));
}

/** The length of the longest string in V8. */
export const mostStringBytes: number = 2 ** 29 - 24;

export function megabytesText(bytes: number): string {
  return `${Number((bytes / KILOBYTE ** 2).toPrecision(2))} MB`;
}
