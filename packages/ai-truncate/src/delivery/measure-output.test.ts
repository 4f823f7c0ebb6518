import { describe, expect, test } from 'vitest';
import { resolveLimits, type TruncationLimits } from '../preview/limits.ts';
import { measureOutput } from './measure-output.ts';

const limits = resolveLimits({ maxBytes: 1024 });

/** An object whose members count how often they are read. */
function watched(members: Record<string, unknown>): { value: object; reads: () => number } {
  let reads = 0;
  const value = {};
  for (const [key, member] of Object.entries(members)) {
    Object.defineProperty(value, key, {
      enumerable: true,
      get() {
        reads++;
        return member;
      },
    });
  }
  return { value, reads: () => reads };
}

function nested(levels: number, innermost: unknown = {}): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = { value };
  return value;
}

describe('an output within the limits', () => {
  const shared = { id: 1 };

  test.each<[string, unknown]>([
    ['a text', 'short'],
    ['a value', { id: 1, tags: ['a', 'b'], at: new Date(0) }],
    ['nothing', undefined],
    ['an object in two places, which is not a cycle', { first: shared, second: shared }],
    ['a value deeper than the fast path', nested(100)],
    ['an object with a `toJSON`', { at: { toJSON: () => 'noon' } }],
    ['a few bytes', { file: Buffer.from('abc') }],
    ['holes', new Array(10)],
  ])('can be sent unchanged: %s', async (_, output) => {
    expect(await measureOutput(output, limits)).toEqual({ deliverable: output });
    expect(((await measureOutput(output, limits)) as { deliverable: unknown }).deliverable).toBe(output);
  });

  test('is read at most twice if it is plain: for the check and for its JSON', async () => {
    const { value, reads } = watched({ id: 1, name: 'Ada', city: 'Paris' });
    await measureOutput(value, limits);
    expect(reads()).toBe(2 * 3);
  });
});

describe('a value that is nested deeper than the walk', () => {
  test('can be sent unchanged if its JSON is within the limits', async () => {
    const output = nested(600);
    expect(await measureOutput(output, resolveLimits({}))).toEqual({ deliverable: output });
  });

  test.each([
    ['its JSON is larger than the limits', nested(600, 'x'.repeat(60_000))],
    ['JSON cannot carry it', nested(600, 1n)],
    ['it is too deep for JSON', nested(100_000)],
  ])('is over a limit if %s', async (_, output) => {
    expect(await measureOutput(output, resolveLimits({}))).toEqual({ reason: 'bytes' });
    expect(await measureOutput(output, resolveLimits({ maxChars: 1000 }))).toHaveProperty('reason');
  });
});

describe('a value that JSON cannot carry', () => {
  test('is sent as text: a cycle', async () => {
    const cycle: Record<string, unknown> = { name: 'a' };
    cycle.self = cycle;
    expect(await measureOutput(cycle, limits)).toEqual({ deliverable: '{"name":"a","self":"[Circular]"}' });
  });

  test('is sent as text: a BigInt', async () => {
    expect(await measureOutput({ size: 12n }, limits)).toEqual({ deliverable: expect.stringContaining('12') });
  });

  test('is sent as text: a member that cannot be read', async () => {
    const broken = {
      get name() {
        throw new Error('closed');
      },
    };
    expect(await measureOutput(broken, limits)).toEqual({ deliverable: '{"name":"[Unreadable: closed]"}' });
  });

  test('is sent as text: a member that can be read only once', async () => {
    let reads = 0;
    const once = {
      get name() {
        if (reads++ > 0) throw new Error('closed');
        return 'Ada';
      },
    };
    expect(await measureOutput(once, limits)).toEqual({ deliverable: '{"name":"[Unreadable: closed]"}' });
  });

  test('is sent as text: bytes, which take eleven characters each in JSON', async () => {
    expect(await measureOutput({ file: Buffer.alloc(500) }, limits)).toEqual({ deliverable: expect.any(String) });
  });
});

describe('an output over a limit', () => {
  // `"…"` is two bytes more than the text.
  test.each([
    ['as text', (bytes: number) => 'x'.repeat(bytes)],
    ['as a value', (bytes: number) => [`${'x'.repeat(bytes - 4)}`]],
    [
      'in characters of several bytes',
      (bytes: number) => `${'é'.repeat(Math.floor(bytes / 2))}${bytes % 2 ? 'x' : ''}`,
    ],
  ])('starts at the first byte over the limit: %s', async (_, output) => {
    expect(await measureOutput(output(1024), limits)).toHaveProperty('deliverable');
    expect(await measureOutput(output(1025), limits)).toEqual({ reason: 'bytes' });
  });

  test('has the lines inside the strings of a value, but no lines of its layout', async () => {
    const lines = 'a\n'.repeat(1000);
    const twoLines = resolveLimits({ maxLines: 2 });
    expect(await measureOutput(lines, twoLines)).toEqual({ reason: 'lines' });
    expect(await measureOutput({ lines }, twoLines)).toEqual({ reason: 'lines' });
    expect(await measureOutput({ lines: lines.split('\n') }, twoLines)).toHaveProperty('deliverable');
    expect(await measureOutput({ lines: lines.replaceAll('\n', '\\n') }, twoLines)).toHaveProperty('deliverable');
  });

  test.each([
    ['small', ''],
    ['too large for one step', 'x'.repeat(3_000_000)],
  ])('has 1 line more than the line breaks in a value that is %s', async (_, text) => {
    const value = { text, a: ['one\ntwo', { b: 'three\r\nfour' }], 'key\n': `back\\n${'\n'.repeat(997)}` };
    const limits = { maxBytes: 10_000_000, previewBytes: 1024 };
    expect(await measureOutput(value, resolveLimits({ ...limits, maxLines: 1001 }))).toHaveProperty('deliverable');
    expect(await measureOutput(value, resolveLimits({ ...limits, maxLines: 1000 }))).toEqual({ reason: 'lines' });
  });

  test.each<[string, unknown]>([
    ['a plain value', { text: 'x'.repeat(2000) }],
    ['a value that is walked', { text: 'x'.repeat(2000), size: 1n }],
  ])('is reported for its characters if only they are over the limit: %s', async (_, output) => {
    expect(await measureOutput(output, resolveLimits({ maxChars: 256 }))).toEqual({ reason: 'chars' });
  });

  test('is reported for its bytes if bytes and characters are over the limit, for parts of any length', async () => {
    const output = [1n, ...Array.from({ length: 200 }, () => 'x'.repeat(10_000))];
    const both = resolveLimits({ maxBytes: 1_000_000, maxChars: 256 });
    expect(await measureOutput(output, both)).toEqual({ reason: 'bytes' });
  });

  test.each<[string, unknown, TruncationLimits]>([
    ['many short lines', 'a\n'.repeat(2001), {}],
    ['only as many bytes as notice and hint', 'x'.repeat(600), { maxChars: 256 }],
    ['a plain value', { text: 'x'.repeat(600) }, { maxChars: 256 }],
    ['a value that is walked', { text: 'x'.repeat(600), at: { toJSON: () => 'noon' } }, { maxChars: 256 }],
    ['any preview', 'a\n'.repeat(2001), { keep: 'head' }],
    ['a function', 'a\n'.repeat(2001), { keep: () => 'never asked' }],
    ['both ends', '\n'.repeat(550), { maxLines: 3, keep: 'ends' }],
  ])('passes if a preview would not be smaller: %s', async (_, output, given) => {
    expect(((await measureOutput(output, resolveLimits(given))) as { deliverable: unknown }).deliverable).toBe(output);
  });

  test('is truncated if it is larger than a preview can be', async () => {
    expect(await measureOutput('a\n'.repeat(2001), resolveLimits({ previewBytes: 4001 }))).toEqual({ reason: 'lines' });
    expect(await measureOutput('x'.repeat(1025), resolveLimits({ maxBytes: 1024 }))).toEqual({ reason: 'bytes' });
  });

  test('is sent as text if JSON cannot carry it and a preview would not be smaller', async () => {
    const output = { text: 'x'.repeat(600), size: 1n };
    expect(await measureOutput(output, resolveLimits({ maxChars: 256 }))).toEqual({
      deliverable: `{"text":"${'x'.repeat(600)}","size":"1"}`,
    });
  });

  test('is not read to its end', async () => {
    let reads = 0;
    const rows = Array.from({ length: 100_000 }, () => ({
      get text() {
        reads++;
        return 'x'.repeat(100);
      },
    }));
    await measureOutput(rows, limits);
    expect(reads).toBeLessThan(5000);
  });
});
