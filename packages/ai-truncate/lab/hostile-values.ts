import { MEGABYTE, records } from '../bench/inputs.ts';
import type { TrialSize } from './lab-promise.ts';

export interface HostileValue {
  /** Makes a new value for each call. */
  make(): unknown;
  /** The engine can write the value itself, in one step. */
  isPlain?: true;
  hasManyKeys?: true;
}

/** Values that are large, deep, endless or deceptive. */
export function hostileValues(size: TrialSize): Record<string, HostileValue> {
  const count = (full: number, small: number): number => ({ full, small })[size];
  return {
    '112 MB of records': { isPlain: true, make: () => records(count(112, 4) * MEGABYTE) },
    'a text of 112 MB': {
      isPlain: true,
      make: () => textOf(count(112, 4) * MEGABYTE, 'line of a log\n'),
    },
    'a text of 112 MB in a member': {
      isPlain: true,
      make: () => ({ stdout: textOf(count(112, 4) * MEGABYTE, 'line of a "log"\n'), exitCode: 0 }),
    },
    '32 MB of line breaks in a member': {
      isPlain: true,
      make: () => ({ body: textOf(count(32, 1) * MEGABYTE, '\n') }),
    },
    '32 MB of control characters and backslashes in members': {
      isPlain: true,
      make: () => [textOf(count(16, 1) * MEGABYTE, '\u0001\n\\'), { path: textOf(count(16, 1) * MEGABYTE, '\\') }],
    },
    '10,000 pages of 8 KB': {
      isPlain: true,
      make: () => Array.from({ length: count(10_000, 300) }, (_, page) => ({ page, body: textOf(8192, 'a line\n') })),
    },
    'a page of 32 MB in one line': {
      isPlain: true,
      make: () => ({
        url: 'https://a.org',
        body: `<html>${textOf(count(32, 1) * MEGABYTE, '<p>one <a href="/b">line</a></p><td>')}`,
      }),
    },
    '32 MB of tags, quotes and references': {
      isPlain: true,
      make: () => [
        `<html>${textOf(count(16, 1) * MEGABYTE, '<p>&lt;')}`,
        `<html>${textOf(count(16, 1) * MEGABYTE, '<a b="\'>')}`,
      ],
    },
    'a tag of 16 MB': {
      isPlain: true,
      make: () => ({ body: `<html>${'<p>a</p>'.repeat(99)}\n<p ${textOf(count(16, 1) * MEGABYTE, 'a="b" \'')}` }),
    },
    '16 MB of headings, and a diff of 16 MB': {
      isPlain: true,
      make: () => [
        { path: 'a.md', content: textOf(count(16, 1) * MEGABYTE, '# one\n\n- a line\n\n') },
        { path: 'b.diff', content: textOf(count(16, 1) * MEGABYTE, 'diff --git a/b b/b\n@@ -1 +1 @@\n-one\n+line\n') },
      ],
    },
    'arrays 1,000,000 deep': { make: () => deep(count(1_000_000, 20_000), (inner) => [inner]) },
    'objects 1,000,000 deep': { make: () => deep(count(1_000_000, 20_000), (inner) => ({ inner })) },
    'shared references, 2^30 texts': { make: () => doubled('laugh', count(30, 12)) },
    'an object of 300,000 keys': {
      isPlain: true,
      hasManyKeys: true,
      make: () => manyKeys(count(300_000, 10_000)),
    },
    'an array with 100,000,000 holes': { make: () => withHoles(count(100_000_000, 1_000_000)) },
    '300,000 getters': { hasManyKeys: true, make: () => getters(count(300_000, 5000)) },
    'a toJSON that returns 300,000 entries': {
      make: () => {
        const entries = Object.entries(manyKeys(count(300_000, 10_000)));
        return { toJSON: () => entries };
      },
    },
    'a Buffer of 32 MB': { make: () => ({ file: Buffer.alloc(count(32, 1) * MEGABYTE, 7) }) },
    'one key of 16 MB': { isPlain: true, make: () => ({ ['k'.repeat(count(16, 1) * MEGABYTE)]: 1 }) },
    'a circle through 100,000 objects': { make: () => circle(count(100_000, 5000)) },
  };
}

function textOf(bytes: number, piece: string): string {
  return Buffer.alloc(bytes, piece).toString('latin1');
}

function deep(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

function doubled(text: string, times: number): unknown {
  let value: unknown = text;
  for (let time = 0; time < times; time++) value = [value, value];
  return value;
}

function manyKeys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'text of this member']));
}

function withHoles(length: number): unknown[] {
  const items: unknown[] = [];
  items.length = length;
  for (let index = 0; index < length; index += Math.floor(length / 100)) items[index] = 'here';
  return items;
}

function getters(count: number): object {
  const value = {};
  for (let index = 0; index < count; index++) {
    const get = (): unknown => {
      if (index % 100 === 0) throw new Error('not readable');
      return `text ${index}`;
    };
    Object.defineProperty(value, `member-${index}`, { enumerable: true, get });
  }
  return value;
}

function circle(length: number): object {
  const first: Record<string, unknown> = {};
  let last = first;
  for (let index = 0; index < length; index++) {
    const next = { index };
    last.next = next;
    last = next;
  }
  last.next = first;
  return [first, first];
}
